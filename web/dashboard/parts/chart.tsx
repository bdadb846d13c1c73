import type { JSX, TargetedPointerEvent } from 'preact'
import { useId, useState } from 'preact/hooks'
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
/** The dates below the bars: each ends at the right edge of its bar. */
const DATES = 5
const sumOf = (parts: readonly number[]): number => parts.reduce((sum, part) => sum + part, 0)

/**
 * Leading digits of the axis maximum. Half of each is a short number too, and the tallest bar fills two thirds or more.
 */
const TOPS = [1, 1.4, 2, 3, 4, 6, 8, 10]

function roundAbove(value: number): number {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return (TOPS.find((top) => top * power >= value) ?? 10) * power
}

/** A short amount: ₦1.2m. */
export const shortNaira = (amount: number): string =>
  `₦${new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }).format(amount)}`

/** A bar in words: "12 Nov: ₦1,500.00 (Bank transfer ₦1,000.00, Card ₦500.00)". */
function describe({ name, parts }: Bar, legend: readonly string[]): string {
  const shown = legend.flatMap((title, kind) => (parts[kind] ? [`${title} ${naira(parts[kind])}`] : []))
  return `${name}: ${naira(sumOf(parts))}${shown.length > 0 ? ` (${shown.join(', ')})` : ''}`
}

/**
 * A stacked bar chart with the same figures as a table below. The figures of one day are shown in words: the pointer, a
 * touch or the arrow keys choose the day.
 */
export function Chart({ title, legend, bars }: ChartProps): JSX.Element {
  const id = useId()
  const [chosen, choose] = useState<number>()
  const last = bars.length - 1
  const index = Math.min(chosen ?? last, last)
  const text = bars[index] === undefined ? '' : describe(bars[index], legend)
  const chooseAt = ({ currentTarget, clientX }: TargetedPointerEvent<SVGSVGElement>): void => {
    const { left, width } = currentTarget.getBoundingClientRect()
    choose(Math.min(last, Math.max(0, Math.floor(((clientX - left) / width) * bars.length))))
  }
  const top = roundAbove(Math.max(...bars.map(({ parts }) => sumOf(parts)), 0))
  const all = sumOf(bars.map(({ parts }) => sumOf(parts)))
  return (
    <figure class="chart panel stack" aria-labelledby={id}>
      <figcaption class="split-row">
        <h2 id={id}>{title}</h2>
        <ul class="legend">
          {legend.map((name, kind) => (
            <li key={name}>
              <i class={`part-${kind}`} />
              {name}
            </li>
          ))}
        </ul>
      </figcaption>
      <p class="small number reading" aria-hidden="true">
        {text}
      </p>
      <div class="plot">
        <input
          class="unseen"
          type="range"
          aria-label={`${title}: day`}
          aria-valuetext={text}
          min={0}
          max={last}
          value={index}
          onInput={({ currentTarget }) => choose(currentTarget.valueAsNumber)}
        />
        <svg
          onPointerDown={chooseAt}
          onPointerMove={chooseAt}
          role="img"
          aria-label={`${title}: ${naira(all)} in total. The table below has the figures.`}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
        >
          {[0, 0.5, 1].map((share) => (
            <line key={share} x1="0" x2={WIDTH} y1={HEIGHT * (1 - share)} y2={HEIGHT * (1 - share)} />
          ))}
          <rect class="chosen" x={(index * WIDTH) / bars.length} y="0" width={WIDTH / bars.length} height={HEIGHT} />
          {bars.map((bar, place) => (
            <BarShape key={bar.name} bar={bar} index={place} count={bars.length} top={top} />
          ))}
        </svg>
        <p class="scale small quiet number" aria-hidden="true">
          <span>{shortNaira(top)}</span>
          <span>{shortNaira(top / 2)}</span>
          <span>₦0</span>
        </p>
        <p class="dates small quiet" aria-hidden="true">
          {Array.from({ length: DATES }, (_, part) => (
            <span key={part}>{bars[Math.ceil(((part + 1) * bars.length) / DATES) - 1]?.name}</span>
          ))}
        </p>
      </div>
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

function BarShape({ bar: { parts }, index, count, top }: BarProps): JSX.Element {
  const step = WIDTH / count
  let below = 0
  return (
    <g>
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
