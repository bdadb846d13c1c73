import type { JSX } from 'preact'

const line = (path: string) => (): JSX.Element => (
  <svg
    aria-hidden="true"
    viewBox="0 0 24 24"
    width="24"
    height="24"
    fill="none"
    stroke="currentColor"
    stroke-width="1.8"
    stroke-linecap="round"
    stroke-linejoin="round"
  >
    <path d={path} />
  </svg>
)

export const BankIcon = line('M3 10 12 4l9 6M5 10v8M10 10v8M14 10v8M19 10v8M3 21h18')
export const CardIcon = line('M5 5h14a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2ZM3 10h18M7 15h3')
export const DialIcon = line('M10 3v18M14 3v18M4 9h16M4 15h16')
export const ForwardIcon = line('m9 5 7 7-7 7')
export const BackIcon = line('m15 5-7 7 7 7')
export const BellIcon = line('M6 10a6 6 0 0 1 12 0c0 6 2 7 2 7H4s2-1 2-7M10 20.5h4')
export const CloseIcon = line('M6 6l12 12M18 6 6 18')
export const TurningIcon = (): JSX.Element => (
  <svg class="turning" aria-hidden="true" viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor">
    <path d="M12 3a9 9 0 1 1-9 9" stroke-width="2.5" stroke-linecap="round" />
  </svg>
)

export const Logo = (): JSX.Element => (
  <svg aria-hidden="true" viewBox="0 0 64 64" width="20" height="20">
    <Coin />
    <path d="M25 18v28M41 27 26 37.5M31 34l10.5 12" {...STROKE} />
  </svg>
)

const STROKE = {
  fill: 'none',
  stroke: '#fff',
  'stroke-width': '5.5',
  'stroke-linecap': 'round',
  'stroke-linejoin': 'round',
} as const

const Coin = ({ colour = '#0b7a4b', rim = '#f4d58d' }: { readonly colour?: string; readonly rim?: string }) => (
  <>
    <circle cx="32" cy="32" r="31" fill={colour} />
    <circle
      cx="32"
      cy="32"
      r="25.5"
      fill="none"
      stroke={rim}
      stroke-width="2.5"
      stroke-dasharray="1 4.34"
      stroke-linecap="round"
    />
  </>
)

/** The coin's symbol and colours by outcome. */
const OUTCOMES = {
  paid: { path: 'M20.5 33.5 28.5 41.5 44 25', colour: '#0b7a4b', rim: '#f4d58d' },
  part: { path: 'M32 20v13l8 6', colour: '#8a6410', rim: '#fbe7b0' },
  over: { path: 'M32 20v13l8 6', colour: '#5b645f', rim: '#c9cfcb' },
  ended: { path: 'M24 24l16 16M40 24 24 40', colour: '#5b645f', rim: '#c9cfcb' },
} as const

export const OutcomeCoin = ({ outcome }: { readonly outcome: keyof typeof OUTCOMES }): JSX.Element => {
  const { path, colour, rim } = OUTCOMES[outcome]
  return (
    <svg class="coin" aria-hidden="true" viewBox="0 0 64 64" width="80" height="80">
      <Coin colour={colour} rim={rim} />
      <path d={path} {...STROKE} />
    </svg>
  )
}

const RIM_DOTS = 24

/** A countdown: the dots on a coin's rim go out one by one; `share` is the part of the time that is left. */
export const RimTimer = ({ share }: { readonly share: number }): JSX.Element => (
  <svg class="rim" aria-hidden="true" viewBox="0 0 40 40" width="40" height="40">
    {Array.from({ length: RIM_DOTS }, (_, index) => {
      const angle = (index / RIM_DOTS) * 2 * Math.PI
      return (
        <circle
          key={index}
          cx={(20 + 16.5 * Math.sin(angle)).toFixed(2)}
          cy={(20 - 16.5 * Math.cos(angle)).toFixed(2)}
          r="1.7"
          class={index / RIM_DOTS < share ? 'lit' : undefined}
        />
      )
    })}
  </svg>
)
