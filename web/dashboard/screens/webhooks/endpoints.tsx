import type { EventType, listWebhookEndpoints, Reply } from '@kobo/contract'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import * as routes from '../../../routes.ts'
import { type CallResult, call, problemOf } from '../../api/call.ts'
import { useReply } from '../../api/use-reply.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { ConfirmButton, DialogButton } from '../../parts/dialog.tsx'
import { Field, type Fields, Form } from '../../parts/form.tsx'
import { moment } from '../../parts/format.ts'
import { LoadError, Loading } from '../../parts/placeholders.tsx'
import { responseText } from '../../parts/response-text.ts'
import { Toast } from '../../parts/toast.tsx'
import { EndpointLog } from './endpoint-log.tsx'
import { EVENT_TYPES } from './event-types.ts'
import { TestResult } from './test-result.tsx'

const OVERLAP_HOURS = '24'

type Endpoint = Reply<typeof listWebhookEndpoints>[number]

const nameOf = ({ description, url }: Endpoint): string => (description === '' ? url : description)

/** A new secret key. It is shown only this once. */
interface Created {
  readonly name: string
  readonly secretKey: string
  readonly oldValidUntil?: string
}

/** Webhook endpoints besides the URLs of the settings. */
export function Endpoints({ mayChange }: { readonly mayChange: boolean }): JSX.Element {
  const { body, problem, again } = useReply(routes.listWebhookEndpoints, {})
  const [created, setCreated] = useState<Created>()
  const [toast, setToast] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const finish = async (result: CallResult<unknown>, done: string): Promise<string | undefined> => {
    const text = result.kind === 'done' ? undefined : problemOf(result)
    setFailure(text)
    if (text === undefined) setToast(done)
    await again()
    return text
  }
  const show = { again, finish, setCreated, mayChange }
  return (
    <section class="panel stack" aria-labelledby="endpoints">
      <h2 id="endpoints">Additional endpoints</h2>
      <p class="quiet">
        Each endpoint receives the events that you choose, signed with its own secret key. An endpoint that fails or is
        paused does not delay the others.
      </p>
      <Toast text={toast} />
      <div role="alert">{failure !== undefined && <p class="notice bad">{failure}</p>}</div>
      <div role="status">
        {created !== undefined && <NewSecret created={created} close={() => setCreated(undefined)} />}
      </div>
      <LoadError problem={problem} />
      {body === undefined && problem === undefined && <Loading />}
      {body !== undefined && body.length > 0 && (
        <div class="stack">
          {body.map((endpoint) => (
            <EndpointRow key={endpoint.id} endpoint={endpoint} {...show} />
          ))}
        </div>
      )}
      {mayChange && (
        <p>
          <DialogButton look="button fit" label="Add endpoint" title="Add endpoint">
            {(close) => (
              <EndpointForm
                close={close}
                submit="Add"
                send={async (settings) => {
                  const result = await call(routes.createWebhookEndpoint, { body: settings })
                  if (result.kind !== 'done') return problemOf(result)
                  const { endpoint, secretKey } = result.body
                  setCreated({ name: nameOf(endpoint), secretKey })
                  return finish(result, 'Endpoint added.')
                }}
              />
            )}
          </DialogButton>
        </p>
      )}
    </section>
  )
}

const NewSecret = ({
  created: { name, secretKey, oldValidUntil },
  close,
}: {
  readonly created: Created
  readonly close: () => void
}): JSX.Element => (
  <div class="notice">
    <p>
      Secret key of {name}: <span class="key">{secretKey}</span> <CopyButton text={secretKey} what="the secret key" />
    </p>
    <p>
      Store it with your server’s secrets now: we can’t show it again.
      {oldValidUntil !== undefined && ` Until ${moment(oldValidUntil)}, we also sign with the old key.`}
    </p>
    <button class="button plain fit" type="button" onClick={close}>
      I’ve saved it
    </button>
  </div>
)

interface EndpointRowProps {
  readonly endpoint: Endpoint
  readonly mayChange: boolean
  readonly again: () => Promise<void>
  /** Shows the result of a change and reloads the endpoints; returns the error, if any. */
  readonly finish: (result: CallResult<unknown>, done: string) => Promise<string | undefined>
  readonly setCreated: (created: Created) => void
}

function EndpointRow({ endpoint, mayChange, again, finish, setCreated }: EndpointRowProps): JSX.Element {
  const [isLogShown, setLogShown] = useState(false)
  const [sent, setSent] = useState<string>()
  const { id, url, description, eventTypes } = endpoint
  return (
    <section class="stack-tight" aria-label={nameOf(endpoint)}>
      <div>
        <strong>{nameOf(endpoint)}</strong> <span class="badge">{stateOf(endpoint)}</span>
        {description !== '' && (
          <>
            <br />
            <span class="key">{url}</span>
          </>
        )}
        <br />
        {eventTypes === null ? 'All events' : eventTypes.join(', ')}
        <br />
        <small class="quiet">{healthOf(endpoint).join(' · ')}</small>
      </div>
      <div class="actions">
        <button class="link" type="button" aria-expanded={isLogShown} onClick={() => setLogShown(!isLogShown)}>
          Deliveries<span class="unseen"> to {nameOf(endpoint)}</span>
        </button>
        {mayChange && <EndpointActions {...{ endpoint, finish, setCreated, setSent }} />}
      </div>
      {sent !== undefined && <TestResult key={sent} id={sent} again={again} />}
      {isLogShown && <EndpointLog endpointId={id} name={nameOf(endpoint)} mayResend={mayChange} changed={again} />}
    </section>
  )
}

const stateOf = ({ isPaused, failures, waiting }: Endpoint): string => {
  if (isPaused) return 'Paused'
  return failures.length > 0 && waiting > 0 ? 'Failing' : 'Active'
}

/** The health of an endpoint, in a few words each. */
const healthOf = (endpoint: Endpoint): readonly string[] => {
  const { lastDeliveredOn, attemptCount, deliveredCount, medianMilliseconds, waiting, oldestWaitingOn } = endpoint
  const { failures, oldSecretValidUntil } = endpoint
  const [failure] = failures
  return [
    lastDeliveredOn === null ? 'nothing delivered yet' : `last delivery ${moment(lastDeliveredOn)}`,
    ...(attemptCount > 0 ? [`${deliveredCount} of ${attemptCount} delivered`] : []),
    ...(medianMilliseconds === null ? [] : [`median response time ${medianMilliseconds} ms`]),
    ...(oldestWaitingOn === null ? [] : [`${waiting} pending, the oldest since ${moment(oldestWaitingOn)}`]),
    ...(failure === undefined ? [] : [`last failure ${moment(failure.at)}: ${responseText(failure)}`]),
    ...(oldSecretValidUntil === null
      ? []
      : [`also signed with the old secret key until ${moment(oldSecretValidUntil)}`]),
  ]
}

interface EndpointActionsProps extends Pick<EndpointRowProps, 'endpoint' | 'finish' | 'setCreated'> {
  readonly setSent: (eventId: string) => void
}

function EndpointActions({ endpoint, finish, setCreated, setSent }: EndpointActionsProps): JSX.Element {
  const params = { id: endpoint.id }
  const name = nameOf(endpoint)
  const ofThis = <span class="unseen"> {name}</span>
  const { isPaused } = endpoint
  const test = async (): Promise<void> => {
    const result = await call(routes.sendTestEvent, { body: { endpointId: endpoint.id } })
    await finish(result, 'Test event sent.')
    if (result.kind === 'done') setSent(result.body.id)
  }
  const pause = async (): Promise<void> => {
    const result = await call(routes.changeWebhookEndpoint, { params, body: { isPaused: !isPaused } })
    await finish(result, isPaused ? 'Endpoint resumed.' : 'Endpoint paused.')
  }
  return (
    <>
      <button class="link" type="button" onClick={() => void test()}>
        Send test event<span class="unseen"> to {name}</span>
      </button>
      <button class="link" type="button" onClick={() => void pause()}>
        {isPaused ? 'Resume' : 'Pause'}
        {ofThis}
      </button>
      <DialogButton look="link" label={<>Edit{ofThis}</>} title="Edit endpoint">
        {(close) => (
          <EndpointForm
            endpoint={endpoint}
            close={close}
            submit="Save"
            send={async (body) => finish(await call(routes.changeWebhookEndpoint, { params, body }), 'Endpoint saved.')}
          />
        )}
      </DialogButton>
      <DialogButton look="link" label={<>Replace secret key{ofThis}</>} title="Replace secret key">
        {(close) => (
          <RotateForm
            close={close}
            send={async (overlapHours) => {
              const result = await call(routes.rotateWebhookSecret, { params, body: { overlapHours } })
              if (result.kind === 'done') setCreated({ name, ...result.body })
              return finish(result, 'Secret key replaced.')
            }}
          />
        )}
      </DialogButton>
      <ConfirmButton
        look="link danger"
        label={<>Remove{ofThis}</>}
        title={`Remove ${name}?`}
        text="It receives no more events, and pending ones are dropped. This can’t be undone."
        confirm="Remove endpoint"
        act={() =>
          void call(routes.removeWebhookEndpoint, { params }).then((result) => finish(result, 'Endpoint removed.'))
        }
      />
    </>
  )
}

interface Settings {
  readonly url: string
  readonly description: string
  readonly eventTypes: EventType[] | null
}

interface EndpointFormProps {
  readonly endpoint?: Endpoint
  readonly submit: string
  readonly close: () => void
  readonly send: (settings: Settings) => Promise<string | undefined>
}

function EndpointForm({ endpoint, submit, close, send }: EndpointFormProps): JSX.Element {
  const act = async ({ url = '', description = '', ...ticked }: Fields): Promise<string | undefined> => {
    const eventTypes = EVENT_TYPES.filter((type) => ticked[type] !== undefined)
    const problem = await send({ url, description, eventTypes: eventTypes.length === 0 ? null : eventTypes })
    if (problem === undefined) close()
    return problem
  }
  return (
    <Form act={act} submit={submit} cancel={close}>
      <Field name="url" label="URL" value={endpoint?.url ?? ''} />
      <Field
        name="description"
        label="Description"
        value={endpoint?.description ?? ''}
        isOptional
        hint="A name that your team recognizes, for example Accounting."
      />
      <fieldset class="ticks">
        <legend>Events (tick none to receive all)</legend>
        {EVENT_TYPES.map((type) => (
          <label key={type} class="tick">
            <input
              type="checkbox"
              name={type}
              value="on"
              defaultChecked={endpoint?.eventTypes?.includes(type) ?? false}
            />
            <span>{type}</span>
          </label>
        ))}
      </fieldset>
    </Form>
  )
}

interface RotateFormProps {
  readonly close: () => void
  readonly send: (overlapHours: number) => Promise<string | undefined>
}

const RotateForm = ({ close, send }: RotateFormProps): JSX.Element => (
  <Form
    act={async ({ overlapHours = '' }) => {
      if (!/^\d+$/.test(overlapHours)) return 'Enter a whole number of hours.'
      const problem = await send(Number(overlapHours))
      if (problem === undefined) close()
      return problem
    }}
    submit="Replace"
    cancel={close}
  >
    <Field
      name="overlapHours"
      label="Hours to keep signing with the old key"
      inputMode="numeric"
      value={OVERLAP_HOURS}
      hint="During this time, give your server both keys and accept a signature made with either one."
    />
  </Form>
)
