import { TurningIcon } from '../../ui/icons.tsx'
import { naira } from '../../ui/money.ts'
import { Qr } from '../../ui/qr.tsx'
import { type Checkout, missingOf } from '../model.ts'
import { Copy } from './copy.tsx'
import { Countdown } from './countdown.tsx'
import { OtherWays, Part, Problem } from './methods.tsx'
import { Dial, Simulator, waitingOf } from './ussd.tsx'
import type { Shown, View } from './view.ts'

/** The account to pay into, how much exactly, and how long it is open. */
export const TransferPanel: View = (shown) => {
  const { model, actions, words } = shown
  const { account } = model.checkout
  const missing = naira(missingOf(model.checkout))
  return (
    <>
      <OtherWays {...shown} />
      <Part {...shown} />
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
              onClick={actions.tellSent}
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
          <OtherMeans {...shown} />
        </>
      )}
    </>
  )
}

/** Where to pay, and how much. */
const AccountFacts: View = (shown) => {
  const { model, words } = shown
  const { account } = model.checkout
  const missing = naira(missingOf(model.checkout))
  return (
    <>
      <dl class="figure">
        <dt>{words.accountNumber}</dt>
        <dd>
          {account === null ? <Ghost text="0000000000" /> : <span id="account-number">{account.accountNumber}</span>}
          <Copy {...shown} what="account" text={account?.accountNumber ?? ''} label={words.copyAccountNumber} />
        </dd>
      </dl>
      <dl class="facts">
        <div>
          <dt>{words.bank}</dt>
          <dd>{account?.bankName ?? <Ghost text="Wema bank" />}</dd>
        </div>
        <div>
          <dt>{words.accountName}</dt>
          <dd>{account === null ? <Ghost text={likelyName(model.checkout)} /> : nameOf(account.accountName, shown)}</dd>
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

/** The same account, dialled or on another screen. */
const OtherMeans: View = (shown) => {
  const { model, words } = shown
  return (
    <div class="more">
      {!model.checkout.paymentMethods.includes('USSD') && (
        <details>
          <summary>{words.dialInstead}</summary>
          <Dial {...shown} />
        </details>
      )}
      <details>
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

/** The account's name, with the merchant's where it is not in it: that of an invoice tells only what it is for. */
const nameOf = (name: string, { model: { checkout }, words }: Shown): string =>
  checkout.invoice === null || name.includes(checkout.merchantName)
    ? name
    : words.accountOf(name, checkout.merchantName)

const ACCOUNT_NAME_LENGTH_MAX = 40

/** What the account will be called, as far as can be told: enough to keep its place. */
const likelyName = ({ merchantName, paymentDescription }: Checkout): string =>
  `${merchantName}-${paymentDescription ?? ''}`.slice(0, ACCOUNT_NAME_LENGTH_MAX)

/** Keeps the place of a text that is on its way, so that nothing moves when it comes. */
const Ghost = ({ text }: { readonly text: string }) => (
  <span class="ghost" aria-hidden="true">
    {text}
  </span>
)

/** Where transfer is the only way, the account is opened when asked for, not by everyone who looks. */
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
