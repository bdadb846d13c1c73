import type { EventStatus, EventType, listMerchantEvents, Reply } from '@kobo/contract'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import * as routes from '../../../routes.ts'
import { call, problemOf } from '../../api/call.ts'
import { useReply } from '../../api/use-reply.ts'
import { Labelled } from '../../parts/form.tsx'
import { Rows } from '../../parts/list/rows.tsx'
import { humanize } from '../../parts/list/value.tsx'
import { responseText } from '../../parts/response-text.ts'
import { Toast } from '../../parts/toast.tsx'
import { EVENT_TYPES } from './event-types.ts'

const STATUSES: readonly EventStatus[] = ['PENDING', 'DELIVERED', 'GIVEN_UP', 'NOT_SENT']
const SHOWN = 20

type Delivery = Reply<typeof listMerchantEvents>['content'][number]

/** The response to the last attempt. */
const responseOf = ({ attempts }: Delivery): string | null => {
  const last = attempts.at(-1)
  return last === undefined ? null : responseText(last)
}

interface EndpointLogProps {
  readonly endpointId: string
  readonly name: string
  readonly mayResend: boolean
  /** Reloads the endpoint’s health. */
  readonly changed: () => Promise<void>
}

/** The deliveries to an endpoint, filtered by type and status. */
export function EndpointLog({ endpointId, name, mayResend, changed }: EndpointLogProps): JSX.Element {
  const [filter, setFilter] = useState<{ readonly eventType?: EventType; readonly status?: EventStatus }>({})
  const [before, setBefore] = useState<string>()
  const [toast, setToast] = useState<string>()
  const query = { endpointId, size: SHOWN, ...filter, ...(before === undefined ? {} : { before }) }
  const { body, problem, again: reload } = useReply(routes.listMerchantEvents, { query })
  const again = async (): Promise<void> => {
    await Promise.all([reload(), changed()])
  }
  const resendAll = async (): Promise<void> => {
    const result = await call(routes.resendMerchantEvents, { body: { since: 0, status: 'GIVEN_UP', endpointId } })
    setToast(result.kind === 'done' ? `Events resent: ${result.body.count}.` : problemOf(result))
    await again()
  }
  const select = (part: object): void => {
    setFilter({ ...filter, ...part })
    setBefore(undefined)
  }
  return (
    <div class="stack-tight">
      <Toast text={toast} />
      <div class="filters">
        <Select
          label="Event"
          choices={EVENT_TYPES.map((type) => [type, type])}
          choose={(eventType) => select({ eventType })}
        />
        <Select
          label="Status"
          choices={STATUSES.map((one) => [one, humanize(one)])}
          choose={(status) => select({ status })}
        />
      </div>
      <Rows
        title={`Deliveries to ${name}`}
        rows={body?.content}
        problem={problem}
        empty="No deliveries."
        actions={
          <p>
            <button class="link" type="button" onClick={() => void again()}>
              Refresh
            </button>
            {mayResend && (
              <>
                {' · '}
                <button class="link" type="button" onClick={() => void resendAll()}>
                  Resend failed events
                </button>
              </>
            )}
          </p>
        }
        columns={[
          { title: 'Event', value: ({ eventType }) => eventType, link: ({ id }) => `/dashboard/events/${id}` },
          { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment' },
          { title: 'Status', value: ({ status }) => status, kind: 'status' },
          { title: 'Response', value: responseOf },
          { title: 'Attempts', value: ({ attempts }) => attempts.length, isWide: true },
          { title: 'Next attempt', value: ({ nextAttemptOn }) => nextAttemptOn, kind: 'moment', isWide: true },
        ]}
      />
      <Pager before={before} next={body?.next ?? undefined} goTo={setBefore} />
    </div>
  )
}

interface PagerProps {
  readonly before: string | undefined
  /** Where older deliveries begin, if there are any. */
  readonly next: string | undefined
  readonly goTo: (before: string | undefined) => void
}

const Pager = ({ before, next, goTo }: PagerProps): JSX.Element => (
  <p class="actions">
    {before !== undefined && (
      <button class="link" type="button" onClick={() => goTo(undefined)}>
        Newest
      </button>
    )}
    {next !== undefined && (
      <button class="link" type="button" onClick={() => goTo(next)}>
        Older
      </button>
    )}
  </p>
)

interface SelectProps {
  readonly label: string
  readonly choices: readonly (readonly [value: string, title: string])[]
  readonly choose: (value: string | undefined) => void
}

const Select = ({ label, choices, choose }: SelectProps): JSX.Element => (
  <Labelled name={label} label={label}>
    {(control) => (
      <select
        {...control}
        onChange={({ currentTarget: { value } }) => {
          choose(value === '' ? undefined : value)
        }}
      >
        <option value="">All</option>
        {choices.map(([value, title]) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </select>
    )}
  </Labelled>
)
