import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import { naira } from '../../ui/money.ts'

/** One bar of a chart: a day, stacked by part. */
export interface Bar {
  readonly name: string
  readonly parts: readonly number[]
}

interface ChartProps {
  readonly title: string
  /** The names of the parts. */
  readonly legend: readonly string[]
  readonly bars: readonly Bar[]
}

const WIDTH = 720
const HEIGHT = 180
const GAP = 0.25
const sumOf = (parts: readonly number[]): number => parts.reduce((sum, part) => sum + part, 0)

/**
 * Leading digits of the axis maximum. Their halves are short numbers too, and the tallest bar fills two thirds or more.
 */
const TOPS = [1, 1.4, 2, 3, 4, 6, 8, 10]

/** The next round number above a value. */
function roundAbove(value: number): number {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return (TOPS.find((top) => top * power >= value) ?? 10) * power
}

/** A short amount: ₦1.2m. */
export const shortNaira = (amount: number): string =>
  `₦${new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }).format(amount)}`

/** A stacked bar chart with the same figures as a table below. */
export function Chart({ title, legend, bars }: ChartProps): JSX.Element {
  const id = useId()
  const top = roundAbove(Math.max(...bars.map(({ parts }) => sumOf(parts)), 0))
  const all = sumOf(bars.map(({ parts }) => sumOf(parts)))
  return (
    <figure class="chart panel stack" aria-labelledby={id}>
      <figcaption class="split-row">
        <h2 id={id}>{title}</h2>
        <ul class="legend">
          {legend.map((name, index) => (
            <li key={name}>
              <i class={`part-${index}`} />
              {name}
            </li>
          ))}
        </ul>
      </figcaption>
      <div class="plot">
        <svg
          role="img"
          aria-label={`${title}: ${naira(all)} in total. The table below has the figures.`}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
        >
          {[0, 0.5, 1].map((share) => (
            <line key={share} x1="0" x2={WIDTH} y1={HEIGHT * (1 - share)} y2={HEIGHT * (1 - share)} />
          ))}
          {bars.map((bar, index) => (
            <BarShape key={bar.name} bar={bar} index={index} count={bars.length} top={top} />
          ))}
        </svg>
        <p class="scale small quiet number" aria-hidden="true">
          <span>{shortNaira(top)}</span>
          <span>{shortNaira(top / 2)}</span>
          <span>₦0</span>
        </p>
      </div>
      <p class="split-row small quiet" aria-hidden="true">
        <span>{bars[0]?.name}</span>
        <span>{bars.at(-1)?.name}</span>
      </p>
      <ChartTable title={title} legend={legend} bars={bars} />
    </figure>
  )
}

interface BarProps {
  readonly bar: Bar
  readonly index: number
  readonly count: number
  readonly top: number
}

function BarShape({ bar: { name, parts }, index, count, top }: BarProps): JSX.Element {
  const step = WIDTH / count
  let below = 0
  return (
    <g>
      <title>{`${name}: ${naira(sumOf(parts))}`}</title>
      {parts.map((part, kind) => {
        const height = (part / top) * HEIGHT
        below += height
        return (
          <rect
            key={kind}
            class={`part-${kind}`}
            x={(index + GAP / 2) * step}
            y={HEIGHT - below}
            width={step * (1 - GAP)}
            height={height}
          />
        )
      })}
    </g>
  )
}

const ChartTable = ({ title, legend, bars }: ChartProps): JSX.Element => (
  <details>
    <summary>As a table</summary>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard */}
    <section class="table-frame" tabIndex={0} aria-label={`${title}, as a table`}>
      <table>
        <thead>
          <tr>
            <th scope="col">Day</th>
            {legend.map((name) => (
              <th key={name} scope="col" class="amount-cell">
                {name}
              </th>
            ))}
            <th scope="col" class="amount-cell">
              Total
            </th>
          </tr>
        </thead>
        <tbody>
          {[...bars].reverse().map(({ name, parts }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {parts.map((part, index) => (
                <td key={index} class="amount-cell">
                  {naira(part)}
                </td>
              ))}
              <td class="amount-cell">{naira(sumOf(parts))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  </details>
)
