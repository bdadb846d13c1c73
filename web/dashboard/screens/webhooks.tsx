import type { getWebhookHealth, Reply } from '@kobo/contract'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import * as routes from '../../routes.ts'
import { call } from '../api/call.ts'
import { useReply } from '../api/use-reply.ts'
import { type MerchantSettings, useSettings } from '../api/use-settings.ts'
import { Field, type Fields, Form } from '../parts/form.tsx'
import { ActionButton } from '../parts/list/action-button.tsx'
import type { Action } from '../parts/list/list-spec.ts'
import { Rows } from '../parts/list/rows.tsx'
import { LoadingOrError } from '../parts/placeholders.tsx'
import { responseText } from '../parts/response-text.ts'
import { Toast } from '../parts/toast.tsx'
import type { ScreenProps } from '../shell/screen.ts'
import { Endpoints } from './webhooks/endpoints.tsx'
import { TestResult } from './webhooks/test-result.tsx'

type Kind = keyof MerchantSettings['webhookUrls']

const KINDS: Readonly<Record<Kind, string>> = {
  collection: 'Collections',
  disbursement: 'Payouts',
  refund: 'Refunds',
  settlement: 'Settlements',
  mandate: 'Mandates',
  wallet: 'Wallets',
}

const orNull = (text = ''): string | null => (text === '' ? null : text)

export default function Webhooks({ me }: ScreenProps): JSX.Element {
  const { settings, problem, toast, change } = useSettings()
  if (settings === undefined) return <LoadingOrError problem={problem} />
  const { webhookUrl, webhookUrls } = settings
  const save = (fields: Fields): Promise<string | undefined> => {
    const urls = Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, orNull(fields[kind])]))
    return change({ webhookUrl: orNull(fields['webhookUrl']), webhookUrls: urls }, 'Webhook URLs saved.')
  }
  const mayChange = me.permissions.includes('developer.manage')
  return (
    <div class="stack">
      <h1>Webhooks</h1>
      <p class="quiet">
        We send events to these URLs. Check the signature, then respond with 200 within ten seconds. To resume a paused
        URL, save it again. <a href="/dashboard/events">Delivery log</a>
      </p>
      <Toast text={toast} />
      <section class="panel" aria-label="Webhook URLs" key={JSON.stringify([webhookUrl, webhookUrls])}>
        {mayChange ? (
          <Form act={save} submit="Save">
            <UrlField name="webhookUrl" label="Default URL" value={webhookUrl} />
            <details open={Object.values(webhookUrls).some((url) => url !== null)}>
              <summary>Separate URLs by event type</summary>
              <div class="stack">
                {(Object.keys(KINDS) as Kind[]).map((kind) => (
                  <UrlField key={kind} name={kind} label={`${KINDS[kind]} (separate URL)`} value={webhookUrls[kind]} />
                ))}
              </div>
            </details>
          </Form>
        ) : (
          <ul class="rows">
            <li>Default URL: {webhookUrl ?? 'not set'}</li>
          </ul>
        )}
      </section>
      <Health key={JSON.stringify([webhookUrl, webhookUrls])} mayTest={mayChange} />
      <Endpoints mayChange={mayChange} />
    </div>
  )
}

type Endpoint = Reply<typeof getWebhookHealth>['endpoints'][number]

const titleOf = ({ kind }: Endpoint): string => (kind === 'default' ? 'Default URL' : KINDS[kind])
const stateOf = ({ pausedOn, attempts, failures, lastAttemptOn }: Endpoint): string | null => {
  if (pausedOn !== null) return 'PAUSED'
  if (attempts === 0) return null
  return failures[0]?.at === lastAttemptOn ? 'FAILING' : 'ACTIVE'
}

const TEST_ACTION: Action<undefined> = {
  title: 'Send test event',
  text: 'Your server receives a signed event of type TEST_EVENT. Nothing else happens.',
  permission: 'developer.manage',
  fields: [{ name: 'kind', label: 'Send to the URL for', kind: 'choice', choices: Object.entries(KINDS) }],
  toast: 'Test event sent.',
  run: (_none, { kind = '' }) => call(routes.sendTestEvent, { body: { kind: kind as Kind } }),
}

/** The health of each URL, its last failures, and a button that sends a test event. */
function Health({ mayTest }: { readonly mayTest: boolean }): JSX.Element | null {
  const { body, problem, again } = useReply(routes.getWebhookHealth, {})
  const [sent, setSent] = useState<string>()
  if (body?.endpoints.length === 0) return null
  const failures = (body?.endpoints ?? []).flatMap((endpoint) =>
    endpoint.failures.map((failure) => ({ ...failure, title: titleOf(endpoint) })),
  )
  return (
    <>
      <Rows
        title="Health"
        rows={body?.endpoints}
        problem={problem}
        more="Based on the latest deliveries to each URL."
        actions={
          mayTest &&
          body !== undefined && (
            <ActionButton
              action={TEST_ACTION}
              subject={undefined}
              done={(_text, event) => setSent((event as { readonly id: string }).id)}
              isPlain
            />
          )
        }
        columns={[
          { title: 'Events', value: titleOf },
          { title: 'URL', value: ({ url }) => url, isWide: true },
          { title: 'Status', value: stateOf, kind: 'status' },
          {
            title: 'Delivered',
            value: ({ attempts, delivered }) => (attempts === 0 ? null : `${delivered} of ${attempts}`),
          },
          {
            title: 'Response time',
            value: ({ medianMilliseconds }) => (medianMilliseconds === null ? null : `${medianMilliseconds} ms`),
          },
          { title: 'Last delivery', value: ({ lastAttemptOn }) => lastAttemptOn, kind: 'moment', isWide: true },
        ]}
      />
      {sent !== undefined && <TestResult key={sent} id={sent} again={again} />}
      <Rows
        title="Last failures"
        rows={failures}
        columns={[
          { title: 'Date', value: ({ at }) => at, kind: 'moment' },
          { title: 'Events', value: ({ title }) => title },
          { title: 'Response', value: responseText, link: ({ eventId }) => `/dashboard/events/${eventId}` },
          { title: 'Duration', value: ({ milliseconds }) => `${milliseconds} ms`, isWide: true },
        ]}
      />
    </>
  )
}

interface UrlFieldProps {
  readonly name: string
  readonly label: string
  readonly value: string | null
}

const UrlField = ({ name, label, value }: UrlFieldProps): JSX.Element => (
  <Field name={name} label={label} value={value ?? ''} isOptional />
)
