import type { JSX } from 'preact'
import { Field, type Fields, Form } from '../form.tsx'
import type { ScreenProps } from '../screen.ts'
import { type MerchantSettings, useSettings } from '../use-settings.ts'
import { Pending } from '../waiting.tsx'

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

/** Where events go. */
export default function Receivers({ me }: ScreenProps): JSX.Element {
  const { settings, problem, told, change } = useSettings()
  if (settings === undefined) return <Pending problem={problem} />
  const { webhookUrl, webhookUrls } = settings
  const save = (fields: Fields): Promise<string | undefined> => {
    const urls = Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, orNull(fields[kind])]))
    return change({ webhookUrl: orNull(fields['webhookUrl']), webhookUrls: urls }, 'Events go there from now on.')
  }
  const mayChange = me.permissions.includes('developer.manage')
  return (
    <div class="stack">
      <h1>Receivers</h1>
      <p class="quiet">
        Where we post events. Check the signature, then answer 200 within ten seconds. Saving an address that we paused
        lifts the pause. <a href="/dashboard/events">What was sent</a>
      </p>
      <div role="status">{told !== undefined && <p class="notice">{told}</p>}</div>
      <section class="panel" aria-label="Addresses" key={JSON.stringify([webhookUrl, webhookUrls])}>
        {mayChange ? (
          <Form act={save} submit="Save">
            <Address name="webhookUrl" label="All events" value={webhookUrl} />
            {(Object.keys(KINDS) as Kind[]).map((kind) => (
              <Address key={kind} name={kind} label={`${KINDS[kind]}, where elsewhere`} value={webhookUrls[kind]} />
            ))}
          </Form>
        ) : (
          <ul class="rows">
            <li>All events: {webhookUrl ?? 'nowhere'}</li>
          </ul>
        )}
      </section>
    </div>
  )
}

interface AddressProps {
  readonly name: string
  readonly label: string
  readonly value: string | null
}

const Address = ({ name, label, value }: AddressProps): JSX.Element => (
  <Field name={name} label={label} value={value ?? ''} isOptional />
)
