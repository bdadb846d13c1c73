import type { JSX } from 'preact'
import * as routes from '../../routes.ts'
import { naira } from '../../ui/money.ts'
import { useReply } from '../api/use-reply.ts'
import { type MerchantSettings, useSettings } from '../api/use-settings.ts'
import { Field, type Fields, Form } from '../parts/form.tsx'
import { nameOf } from '../parts/names.ts'
import { LoadingOrError } from '../parts/placeholders.tsx'
import { Toast } from '../parts/toast.tsx'
import type { ScreenProps } from '../shell/screen.ts'
import { Branding } from './settings/branding.tsx'

const LABELS: Readonly<Record<string, string>> = {
  MERCHANT: 'You',
  CUSTOMER: 'The customer',
  ACCEPT: 'Accepted',
  REJECT: 'Returned',
  WALLET: 'Your wallet',
  ACCOUNT_TRANSFER: 'bank transfer',
  CARD: 'card',
  USSD: 'USSD',
  PHONE_NUMBER: 'phone number',
  CASH: 'cash',
  DIRECT_DEBIT: 'direct debit',
}
const labelOf = (name: string): string => LABELS[name] ?? name

/** Features whose names in the API say too little. */
const FEATURES: Readonly<Record<string, string>> = {
  cards: 'card payments through the API',
  checkoutCards: 'cards in the checkout',
  recurring: 'charging stored cards',
  verification: 'checking accounts and identities',
  settings: 'changing settings through the API',
}

const capitalized = (text: string): string => text.replace(/^\w/, (letter) => letter.toUpperCase())

/** The merchant's terms as labels and values. */
const termsOf = (
  settings: MerchantSettings,
  bankNames: ReadonlyMap<string, string>,
): readonly (readonly [string, string])[] => {
  const { settlementAccount: account, settlementDestination, settlement, settlementTime } = settings
  return [
    ['Payment fees paid by', labelOf(settings.feeBearer)],
    ['Underpayments', labelOf(settings.underpayment)],
    ['Payment methods', capitalized(settings.paymentMethods.map(labelOf).join(', '))],
    ['Payment expiry', `After ${Math.round(settings.accountDurationSeconds / 60)} minutes`],
    ['Settlement schedule', settlement === 'DAILY' ? `Daily at ${settlementTime} WAT` : 'Instant'],
    [
      'Settlement destination',
      settlementDestination === 'WALLET' || account === null
        ? labelOf('WALLET')
        : `${account.accountName}, ${account.accountNumber}, ${bankNames.get(account.bankCode) ?? account.bankCode}`,
    ],
    [
      'Enabled features',
      capitalized(
        Object.entries(settings.permissions)
          .filter(([, isEnabled]) => isEnabled)
          .map(([name]) => FEATURES[name] ?? nameOf(name).toLowerCase())
          .join(', '),
      ) || 'Bank transfer collections only',
    ],
  ]
}

/** The merchant's terms, and the settings that it can change itself. */
export default function Settings({ me }: ScreenProps): JSX.Element {
  const { settings, problem, toast, change } = useSettings()
  const { body: banks } = useReply(routes.listBanks, {})
  const bankNames = new Map(banks?.map(({ code, name }) => [code, name]))
  if (settings === undefined) return <LoadingOrError problem={problem} />
  const { lowBalanceThreshold, otpEnabled } = settings
  const saveThreshold = ({ lowBalanceThreshold: level = '' }: Fields): Promise<string | undefined> =>
    change(
      { lowBalanceThreshold: level === '' ? null : level },
      level === '' ? 'Alert turned off.' : 'Alert level saved.',
    )
  const mayChange = me.permissions.includes('developer.manage')
  return (
    <div class="stack">
      <h1>Terms and settings</h1>
      <Toast text={toast} />
      <section class="panel stack-tight" aria-labelledby="terms">
        <h2 id="terms">Your terms</h2>
        <ul class="rows">
          {termsOf(settings, bankNames).map(([title, value]) => (
            <li key={title}>
              <span>{title}</span>
              <b>{value}</b>
            </li>
          ))}
        </ul>
        <p class="quiet small">Contact us to change these terms.</p>
      </section>
      <section class="panel stack" aria-labelledby="low" key={String(lowBalanceThreshold)}>
        <h2 id="low">Low balance alert</h2>
        {mayChange ? (
          <Form act={saveThreshold} submit="Save">
            <Field
              name="lowBalanceThreshold"
              label="Alert level in naira"
              type="amount"
              value={lowBalanceThreshold === null ? '' : String(lowBalanceThreshold)}
              hint="We email you and send an event when your wallet balance falls below it. Leave empty for no alerts."
              isOptional
            />
          </Form>
        ) : (
          <p>{lowBalanceThreshold === null ? 'No alert is set.' : naira(lowBalanceThreshold)}</p>
        )}
      </section>
      <Branding settings={settings} change={change} mayChange={mayChange} />
      <section class="panel stack" aria-labelledby="codes">
        <h2 id="codes">Payout codes</h2>
        <p>
          {otpEnabled
            ? 'Every payout through the API needs a code that we email to you.'
            : 'Payouts through the API are sent without a code.'}
        </p>
        {!otpEnabled && mayChange && (
          <Form act={() => change({ otpEnabled: true }, 'Payout codes enabled.')} submit="Require codes">
            <p class="quiet">To stop requiring codes later, contact us.</p>
          </Form>
        )}
      </section>
    </div>
  )
}
