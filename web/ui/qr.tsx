import type { JSX } from 'preact'
import { encode } from 'uqr'

/** A QR code, always dark on light, since some phones cannot read inverted ones. */
export function Qr({ text, label }: { readonly text: string; readonly label: string }): JSX.Element {
  const { data, size } = encode(text, { ecc: 'M', border: 2 })
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg class="qr" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shape-rendering="crispEdges">
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#111" d={path} />
    </svg>
  )
}
