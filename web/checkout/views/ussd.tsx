import { Fragment } from 'preact'
import { TurningIcon } from '../../ui/icons.tsx'
import { naira } from '../../ui/money.ts'
import { missingOf } from '../model.ts'
import { Copy } from './copy.tsx'
import { Countdown } from './countdown.tsx'
import { OtherMethods, PartPaid, Problem } from './methods.tsx'
import type { Shown, View } from './view.ts'

/** A code to dial, for customers without data or a banking app. */
export const UssdPanel: View = (shown) => (
  <>
    <OtherMethods {...shown} />
    <PartPaid {...shown} />
    <h2>{shown.words.ussdTitle}</h2>
    <Problem {...shown} />
    <Dial {...shown} />
    {shown.model.ussdPayment !== null && (
      <>
        <Countdown {...shown} label={shown.words.paymentCloses} />
        <p class="waiting">
          <TurningIcon />
          <span>{waitingOf(shown)}</span>
        </p>
        <Simulator {...shown} />
      </>
    )}
  </>
)

/** Renders a code so that it can break across lines only before a star. */
const breakable = (code: string) =>
  code
    .split('*')
    .slice(1)
    .map((part, place) => (
      <Fragment key={place}>
        <wbr />*{part}
      </Fragment>
    ))

/** The choice of bank and the code to dial. */
export const Dial: View = (shown) => {
  const { model, actions, words } = shown
  const { banks } = model.page
  return (
    <div class="stack">
      <form
        method="post"
        class="field"
        onSubmit={(event) => {
          event.preventDefault()
          const { value } = event.currentTarget.elements.namedItem('bankCode') as HTMLSelectElement
          actions.chooseBank(value)
        }}
      >
        <label for="bank">{words.yourBank}</label>
        <select
          id="bank"
          name="bankCode"
          required
          onChange={(event) => event.currentTarget.value !== '' && actions.chooseBank(event.currentTarget.value)}
        >
          <option value="">{words.chooseBank}</option>
          {banks.map(({ code, name }) => (
            <option key={code} value={code} selected={code === model.bankCode}>
              {name}
            </option>
          ))}
        </select>
        {!model.ready && (
          <button type="submit" class="button plain spaced">
            {words.showCode}
          </button>
        )}
      </form>
      {model.ussdPayment !== null && (
        <>
          <dl class="figure">
            <dt>{words.dialThis}</dt>
            <dd class="code">
              <span id="ussd-code">{breakable(model.ussdPayment)}</span>
              <Copy {...shown} what="code" text={model.ussdPayment} label={words.copyCode} />
            </dd>
          </dl>
          <a class="button by-touch" href={`tel:${encodeURIComponent(model.ussdPayment)}`}>
            {words.dial} · {naira(missingOf(model.checkout))}
          </a>
          <p class="hint">{words.dialNote}</p>
        </>
      )}
      {model.ussdPayment === null && model.bankCode !== '' && !model.busy && model.problem === null && (
        <p class="notice warn">{words.noCode}</p>
      )}
    </div>
  )
}

/** The waiting text; without a script the page does not update itself. */
export const waitingOf = ({ model, words }: Shown): string => (model.ready ? words.waiting : words.waitingStill)

/** In the sandbox: a link to the bank simulator. */
export const Simulator: View = ({ model: { checkout, page }, words }) => {
  const { account } = checkout
  if (account === null || !page.isSandbox) return null
  const { bankCode, accountNumber } = account
  const query = new URLSearchParams({ bankCode, accountNumber, amount: String(missingOf(checkout)) })
  return (
    <a class="link centred" href={`/simulator?${query}`} target="_blank" rel="noopener">
      {words.simulator}
    </a>
  )
}
