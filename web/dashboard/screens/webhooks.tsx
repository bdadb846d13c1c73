import type { JSX } from 'preact'
import { type MerchantSettings, useSettings } from '../api/use-settings.ts'
import { Field, type Fields, Form } from '../parts/form.tsx'
import { LoadingOrError } from '../parts/loading.tsx'
import { Toast } from '../parts/toast.tsx'
import type { ScreenProps } from '../shell/screen.ts'

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

/** The webhook URLs. */
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
            <UrlField name="webhookUrl" label="All events" value={webhookUrl} />
            {(Object.keys(KINDS) as Kind[]).map((kind) => (
              <UrlField key={kind} name={kind} label={`${KINDS[kind]} (separate URL)`} value={webhookUrls[kind]} />
            ))}
          </Form>
        ) : (
          <ul class="rows">
            <li>All events: {webhookUrl ?? 'not set'}</li>
          </ul>
        )}
      </section>
    </div>
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
