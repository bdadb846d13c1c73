import { timeLeft } from '../../ui/clock.ts'
import { RimTimer } from '../../ui/icons.tsx'
import type { Shown } from './view.ts'

/** The time left to pay. Screen readers hear it only at five minutes and at one. */
export function Countdown({ model, label }: Shown & { readonly label: string }) {
  const left = model.checkout.expiresOn - model.now
  return (
    <div class="countdown">
      <RimTimer share={left / FULL_CIRCLE_MILLISECONDS} />
      <p>
        <span class="quiet small">{label}</span>
        <b class="number" role="timer">
          {timeLeft(left)}
        </b>
      </p>
    </div>
  )
}

/** A full circle is 40 minutes, the usual duration of a payment. */
const FULL_CIRCLE_MILLISECONDS = 2_400_000
