import type { JSX } from 'preact'
import { BackIcon, BankIcon, CardIcon, DialIcon, ForwardIcon } from '../../ui/icons.tsx'
import { naira } from '../../ui/money.ts'
import { type Method, methodsOf, missingOf } from '../model.ts'
import type { Shown, View } from './view.ts'

/** The merchant's payment methods. Each is a link or a form, so it works without a script. */
export const MethodsPanel: View = (shown) => {
  const { model, words } = shown
  const methods = methodsOf(model.checkout)
  if (methods.length === 0) return <p class="notice warn">{words.noMethods}</p>
  return (
    <>
      <PartPaid {...shown} />
      <h2>{words.howToPay}</h2>
      <Problem {...shown} />
      <div class="choices">
        {methods.map((method) => (
          <Choice key={method} method={method} {...shown} />
        ))}
      </div>
    </>
  )
}

const ICONS: Readonly<Record<Method, () => JSX.Element>> = {
  ACCOUNT_TRANSFER: BankIcon,
  CARD: CardIcon,
  USSD: DialIcon,
}

function Choice({ method, actions, words }: Shown & { readonly method: Method }) {
  const Icon = ICONS[method]
  const [name, note] = {
    ACCOUNT_TRANSFER: [words.transfer, words.transferNote],
    CARD: [words.card, words.cardNote],
    USSD: [words.ussd, words.ussdNote],
  }[method] as [string, string]
  const inside = (
    <>
      <Icon />
      <span>
        <b>{name}</b>
        <small>{note}</small>
      </span>
      <ForwardIcon />
    </>
  )
  const choose = (event: Event): void => {
    event.preventDefault()
    actions.choose(method)
  }
  return method === 'ACCOUNT_TRANSFER' ? (
    <form method="post" onSubmit={choose}>
      <button type="submit" class="choice">
        {inside}
      </button>
    </form>
  ) : (
    <a class="choice" href={`?method=${method}`} onClick={choose}>
      {inside}
    </a>
  )
}

/** A link back to the other payment methods, if any. */
export const OtherMethods: View = ({ model, actions, words }) =>
  methodsOf(model.checkout).length < 2 ? null : (
    <a
      class="link back"
      href="?method=none"
      onClick={(event) => {
        event.preventDefault()
        actions.choose(null)
      }}
    >
      <BackIcon />
      {words.otherWays}
    </a>
  )

/** The last error, or why the last card was declined. */
export const Problem: View = ({ model: { problem, busy, checkout }, words }) => {
  const { decline } = checkout.card ?? { decline: null }
  if (problem === null && (decline === null || busy)) return null
  return (
    <p class="notice bad" role="alert">
      {problem ?? (decline === null ? '' : `${words.declines[decline]} ${words.declinedRetry}`)}
    </p>
  )
}

/** The amount received so far, if it was not enough. */
export const PartPaid: View = ({ model: { checkout }, words }) =>
  checkout.amountPaid === 0 ? null : (
    <div class="notice warn" role="alert">
      <b>{words.partTitle(naira(missingOf(checkout)))}</b>
      <p>{words.partNote(naira(checkout.amountPaid), naira(checkout.totalPayable))}</p>
      <progress max={checkout.totalPayable} value={checkout.amountPaid} aria-label={words.amountPaid} />
    </div>
  )
