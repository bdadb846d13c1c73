import { TurningIcon } from '../../ui/icons.tsx'
import { naira } from '../../ui/money.ts'
import { Qr } from '../../ui/qr.tsx'
import { type Checkout, missingOf } from '../model.ts'
import { Copy } from './copy.tsx'
import { Countdown } from './countdown.tsx'
import { OtherMethods, PartPaid, Problem } from './methods.tsx'
import { Dial, Simulator, waitingOf } from './ussd.tsx'
import type { Shown, View } from './view.ts'

/** The account to pay into, the exact amount and the time left. */
export const TransferPanel: View = (shown) => {
  const { model, actions, words } = shown
  const { account } = model.checkout
  const missing = naira(missingOf(model.checkout))
  return (
    <>
      <OtherMethods {...shown} />
      <PartPaid {...shown} />
      <h2>{words.transferTitle(missing)}</h2>
      <Problem {...shown} />
      {account === null && !model.busy ? (
        <NoAccount {...shown} />
      ) : (
        <>
          <AccountFacts {...shown} />
          <Countdown {...shown} label={words.accountCloses} />
          <p class="waiting">
            <TurningIcon />
            <span>{account === null ? words.gettingAccount : model.sent ? words.checking : waitingOf(shown)}</span>
          </p>
          {model.ready ? (
            <button
              type="button"
              class="button plain"
              onClick={actions.confirmSent}
              aria-disabled={model.sent ? 'true' : undefined}
            >
              {words.sent}
            </button>
          ) : (
            <a class="button plain" href="?">
              {words.reload}
            </a>
          )}
          <Simulator {...shown} />
          <Alternatives {...shown} />
        </>
      )}
    </>
  )
}

const AccountFacts: View = (shown) => {
  const { model, words } = shown
  const { account } = model.checkout
  const missing = naira(missingOf(model.checkout))
  return (
    <>
      <dl class="figure">
        <dt>{words.accountNumber}</dt>
        <dd>
          {account === null ? (
            <Placeholder text="0000000000" />
          ) : (
            <span id="account-number">{account.accountNumber}</span>
          )}
          <Copy {...shown} what="account" text={account?.accountNumber ?? ''} label={words.copyAccountNumber} />
        </dd>
      </dl>
      <dl class="facts">
        <div>
          <dt>{words.bank}</dt>
          <dd>{account?.bankName ?? <Placeholder text="Wema bank" />}</dd>
        </div>
        <div>
          <dt>{words.accountName}</dt>
          <dd>
            {account === null ? <Placeholder text={likelyName(model.checkout)} /> : nameOf(account.accountName, shown)}
          </dd>
        </div>
        <div>
          <dt>{words.amount}</dt>
          <dd class="with-copy">
            {missing}
            <Copy {...shown} what="amount" text={missing.replace(/[₦,]/g, '')} label={words.copyAmount} />
          </dd>
        </div>
      </dl>
    </>
  )
}

/** Other ways to make the same transfer: by USSD, or with this page on a phone. */
const Alternatives: View = (shown) => {
  const { model, words } = shown
  return (
    <div class="more">
      {!model.checkout.paymentMethods.includes('USSD') && (
        <details>
          <summary>{words.dialInstead}</summary>
          <Dial {...shown} />
        </details>
      )}
      <details class="on-phone">
        <summary>{words.onPhone}</summary>
        {model.ready && (
          <div class="stack">
            <p class="quiet small">{words.onPhoneNote}</p>
            <Qr text={model.page.url} label={words.onPhone} />
          </div>
        )}
      </details>
    </div>
  )
}

/** The account's name. If it is an invoice's account without the merchant's name, that name is added. */
const nameOf = (name: string, { model: { checkout }, words }: Shown): string =>
  checkout.invoice === null || name.includes(checkout.merchantName)
    ? name
    : words.accountOf(name, checkout.merchantName)

const ACCOUNT_NAME_LENGTH_MAX = 40

/** Guesses the account name, to reserve its space until it has loaded. */
const likelyName = ({ merchantName, paymentDescription }: Checkout): string =>
  `${merchantName}-${paymentDescription ?? ''}`.slice(0, ACCOUNT_NAME_LENGTH_MAX)

/** Reserves the space of a text that is still loading. */
const Placeholder = ({ text }: { readonly text: string }) => (
  <span class="ghost" aria-hidden="true">
    {text}
  </span>
)

/** A button that creates the account: if transfer is the only method, not every visitor gets one. */
const NoAccount: View = ({ actions, words }) => (
  <form
    method="post"
    onSubmit={(event) => {
      event.preventDefault()
      actions.choose('ACCOUNT_TRANSFER')
    }}
  >
    <button type="submit" class="button">
      {words.showAccount}
    </button>
  </form>
)
