import { naira } from '../../ui/money.ts'
import type { View } from './view.ts'

/** Money that came and was not taken: how much, why, and that it goes back. Newest first. */
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
