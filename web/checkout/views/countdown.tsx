import { timeLeft } from '../../ui/clock.ts'
import { RimTimer } from '../../ui/icons.tsx'
import type { Shown } from './view.ts'

/** How long is left to pay. It is not read out each second: the page tells at five minutes and at one. */
export function Countdown({ model, label }: Shown & { readonly label: string }) {
  const left = model.checkout.expiresOn - model.now
  return (
    <div class="countdown">
      <RimTimer share={left / COUNTDOWN_WHOLE_MILLISECONDS} />
      <p>
        <span class="quiet small">{label}</span>
        <b class="number" role="timer">
          {timeLeft(left)}
        </b>
      </p>
    </div>
  )
}

/** The whole rim is lit at forty minutes, which is how long a payment usually has. */
const COUNTDOWN_WHOLE_MILLISECONDS = 2_400_000
