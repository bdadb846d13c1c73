import type { JSX } from 'preact'
import { naira } from '../../ui/money.ts'
import { Field, type Fields, Form } from '../form.tsx'
import type { ScreenProps } from '../screen.ts'
import { type MerchantSettings, useSettings } from '../use-settings.ts'
import { Pending } from '../waiting.tsx'
import { YourLook } from '../your-look.tsx'

const WORDS: Readonly<Record<string, string>> = {
  MERCHANT: 'You',
  CUSTOMER: 'The customer',
  ACCEPT: 'Kept',
  REJECT: 'Sent back',
  INSTANT: 'At once',
  WALLET: 'Your wallet',
  ACCOUNT_TRANSFER: 'bank transfer',
  CARD: 'card',
  USSD: 'USSD',
  PHONE_NUMBER: 'phone number',
  CASH: 'cash',
  DIRECT_DEBIT: 'direct debit',
}
const wordOf = (name: string): string => WORDS[name] ?? name

/** What a merchant is told of its terms, each with what it is called. */
const termsOf = (settings: MerchantSettings): readonly (readonly [string, string])[] => {
  const { settlementAccount: account, settlementDestination, settlement, settlementTime } = settings
  return [
    ['The fee of a payment is paid by', wordOf(settings.feeBearer)],
    ['A payment of too little is', wordOf(settings.underpayment)],
    ['Payers may pay by', settings.paymentMethods.map(wordOf).join(', ')],
    ['A payment stays open for', `${Math.round(settings.accountDurationSeconds / 60)} minutes`],
    ['You are paid out', settlement === 'DAILY' ? `Each day at ${settlementTime} in Lagos (WAT)` : 'At once'],
    [
      'Into',
      settlementDestination === 'WALLET' || account === null
        ? wordOf('WALLET')
        : `${account.accountName}, ${account.accountNumber} at bank ${account.bankCode}`,
    ],
    [
      'Your account may use',
      Object.entries(settings.permissions)
        .filter(([, has]) => has)
        .map(([name]) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`))
        .join(', ') || 'nothing beyond collecting by transfer',
    ],
  ]
}

/** On what terms the merchant collects, and what it may set itself. */
export default function Settings({ me }: ScreenProps): JSX.Element {
  const { settings, problem, told, change } = useSettings()
  if (settings === undefined) return <Pending problem={problem} />
  const { lowBalanceThreshold, otpEnabled } = settings
  const saveThreshold = ({ threshold = '' }: Fields): Promise<string | undefined> =>
    change(
      { lowBalanceThreshold: threshold === '' ? null : threshold },
      threshold === '' ? 'You are no longer told.' : 'Saved.',
    )
  const mayChange = me.permissions.includes('developer.manage')
  return (
    <div class="stack">
      <h1>Terms and settings</h1>
      <div role="status">{told !== undefined && <p class="notice">{told}</p>}</div>
      <section class="panel" aria-labelledby="terms">
        <h2 id="terms">Your terms</h2>
        <ul class="rows">
          {termsOf(settings).map(([title, value]) => (
            <li key={title}>
              <span>{title}</span>
              <b>{value}</b>
            </li>
          ))}
        </ul>
        <p class="quiet small">These are agreed with us: write to us to have them changed.</p>
      </section>
      <section class="panel stack" aria-labelledby="low" key={String(lowBalanceThreshold)}>
        <h2 id="low">Low balance</h2>
        {mayChange ? (
          <Form act={saveThreshold} submit="Save">
            <Field
              name="threshold"
              label="Tell me by mail and event when the wallet falls below, in naira"
              inputMode="decimal"
              value={lowBalanceThreshold === null ? '' : String(lowBalanceThreshold)}
              hint="Leave it empty to hear nothing."
              isOptional
            />
          </Form>
        ) : (
          <p>{lowBalanceThreshold === null ? 'Not set' : naira(lowBalanceThreshold)}</p>
        )}
      </section>
      <YourLook settings={settings} change={change} mayChange={mayChange} />
      <section class="panel stack" aria-labelledby="codes">
        <h2 id="codes">Codes for payouts of your server</h2>
        <p>
          {otpEnabled
            ? 'Each payout that your server asks for waits for a code that is mailed to you.'
            : 'Payouts that your server asks for go out at once.'}
        </p>
        {!otpEnabled && mayChange && (
          <Form
            act={() => change({ otpEnabled: true }, 'Payouts wait for a code from now on.')}
            submit="Have codes mailed"
          >
            <p class="quiet">Only we can switch them off again.</p>
          </Form>
        )}
      </section>
    </div>
  )
}
