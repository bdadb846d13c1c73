import { naira } from '../../ui/money.ts'
import type { View } from './view.ts'

/** Payments that were not accepted: amount, reason and return status, newest first. */
export const Returns: View = ({ model: { checkout }, words }) => {
  const reasons: Readonly<Record<string, string>> = words.returnReasons
  return (
    <>
      {checkout.returns.map(({ amount, reason, state }, index) => (
        <div class={state === 'RETURNED' ? 'notice' : 'notice warn'} key={checkout.returns.length - index}>
          <b>{words.returnTitle(naira(amount))}</b>
          <p>
            {reasons[reason]} {state === 'RETURNED' ? words.returned : words.returning}
          </p>
        </div>
      ))}
    </>
  )
}
