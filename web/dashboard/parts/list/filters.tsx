import type { JSX } from 'preact'
import { useCallback, useId, useState } from 'preact/hooks'
import { readKobo } from '../../../ui/money.ts'
import { AMOUNT_ERROR } from '../form-values.ts'
import type { Filter } from './filter.ts'
import { daysOf, type Period, periods } from './period.ts'
import { humanize } from './value.tsx'

interface FiltersProps {
  readonly filters: readonly Filter[]
  readonly query: URLSearchParams
  readonly change: (changes: Readonly<Record<string, string>>) => void
}

/** A list's filters. They are kept in the URL, so that a view can be bookmarked, shared and reloaded. */
export function Filters({ filters, query, change }: FiltersProps): JSX.Element {
  const shown = filters.filter((filter) => !('isRare' in filter && filter.isRare) || query.has(filter.name))
  const count = filters.filter(({ name }) => query.has(name)).length
  const days = daysOf(query)
  const field = (filter: Filter): JSX.Element => (
    <FilterField
      key={filter.name}
      filter={filter}
      value={filter.kind === 'day' ? days[filter.name] : (query.get(filter.name) ?? '')}
      hasDays={days.from + days.to !== ''}
    />
  )
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <>
      <button
        class="button plain fit unfold"
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {count === 0 ? 'Filters' : `Filters (${count})`}
      </button>
      <form
        class={isOpen ? 'filters' : 'filters folded'}
        id={id}
        aria-label="Filters"
        // Every field reports its own change, also when Enter is pressed.
        onSubmit={(event) => event.preventDefault()}
        onChange={({ target }) => {
          const { name, value } = target as HTMLInputElement
          change(changesOf(days, name, value.trim()))
        }}
      >
        {shown.map((filter) =>
          filter.name === 'from' ? (
            // One cell, so that both days are on one line.
            <div key="days" class="days">
              {shown.filter(({ kind }) => kind === 'day').map(field)}
            </div>
          ) : (
            filter.name !== 'to' && field(filter)
          ),
        )}
        {count > 0 && (
          <button
            class="link"
            type="button"
            onClick={() => change(Object.fromEntries(filters.map(({ name }) => [name, ''])))}
          >
            Clear filters
          </button>
        )}
      </form>
    </>
  )
}

/** The changes to the URL when a filter changes: a period and fixed days replace each other. */
const changesOf = (days: Period, name: string, value: string): Readonly<Record<string, string>> => ({
  ...(name === 'period' ? { from: '', to: '' } : name in days && { ...days, period: '' }),
  [name]: value,
})

interface FilterFieldProps {
  readonly filter: Filter
  readonly value: string
  /** Whether any days are set. */
  readonly hasDays: boolean
}

function FilterField({ filter, value, hasDays }: FilterFieldProps): JSX.Element {
  const id = useId()
  // Only when it changes: `value` would undo what the user types whenever the list is drawn again.
  const showValue = useCallback(
    (input: HTMLInputElement | null) => {
      if (input !== null) input.value = value
    },
    [value],
  )
  const { name, title, kind } = filter
  const isWrong = kind === 'amount' && value !== '' && readKobo(value) === undefined
  return (
    <div class={kind === 'text' && filter.isLong ? 'field long' : 'field'}>
      <label for={id}>{title}</label>
      {kind === 'choice' ? (
        <select id={id} name={name} value={value}>
          <option value="">{filter.none ?? 'All'}</option>
          {filter.values.map((choice) => (
            <option key={choice} value={choice}>
              {filter.titles?.[choice] ?? humanize(choice)}
            </option>
          ))}
        </select>
      ) : kind === 'period' ? (
        <PeriodSelect id={id} value={value} hasDays={hasDays} />
      ) : kind === 'day' ? (
        <input id={id} name={name} type="date" value={value} />
      ) : (
        <input
          id={id}
          name={name}
          type="text"
          inputMode={kind === 'amount' ? 'decimal' : 'text'}
          ref={showValue}
          aria-invalid={isWrong || undefined}
          aria-describedby={isWrong ? `${id}-error` : undefined}
        />
      )}
      {isWrong && (
        <p class="wrong" id={`${id}-error`}>
          {AMOUNT_ERROR}
        </p>
      )}
    </div>
  )
}

interface PeriodSelectProps extends Pick<FilterFieldProps, 'value' | 'hasDays'> {
  readonly id: string
}

const PeriodSelect = ({ id, value, hasDays }: PeriodSelectProps): JSX.Element => (
  <select id={id} name="period" value={value in periods() ? value : hasDays ? 'custom' : ''}>
    <option value="">All time</option>
    {Object.keys(periods()).map((name) => (
      <option key={name} value={name}>
        {humanize(name)}
      </option>
    ))}
    <option value="custom" disabled>
      Custom
    </option>
  </select>
)
