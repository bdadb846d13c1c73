import { Fragment, type JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { readKobo } from '../../../ui/money.ts'
import { AMOUNT_ERROR } from '../form-values.ts'
import type { Filter } from './filter.ts'
import { periods } from './period.ts'
import { humanize } from './value.tsx'

interface FiltersProps {
  readonly filters: readonly Filter[]
  readonly query: URLSearchParams
  readonly change: (changes: Readonly<Record<string, string>>) => void
}

/** A list's filters. They are kept in the URL, so that a view can be bookmarked, shared and reloaded. */
export function Filters({ filters, query, change }: FiltersProps): JSX.Element {
  const shown = filters.filter((filter) => !('isRare' in filter && filter.isRare) || query.has(filter.name))
  const set = filters.filter(({ name }) => query.has(name)).length
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
        {set === 0 ? 'Filters' : `Filters (${set})`}
      </button>
      <form
        class={isOpen ? 'filters' : 'filters folded'}
        id={id}
        aria-label="Filters"
        onSubmit={(event) => {
          event.preventDefault()
          const fields = new FormData(event.currentTarget)
          change(Object.fromEntries(shown.map(({ name }) => [name, String(fields.get(name) ?? '').trim()])))
        }}
        onChange={({ target }) => {
          const { name, value } = target as HTMLInputElement
          if (name !== '') change({ [name]: value.trim() })
        }}
      >
        {shown.map((filter) => (
          <Fragment key={filter.name}>
            {filter.kind === 'day' && filter.name === 'from' && <PeriodField query={query} change={change} />}
            <FilterField filter={filter} value={query.get(filter.name) ?? ''} />
          </Fragment>
        ))}
        {set > 0 && (
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

/** Sets both days at once. */
function PeriodField({ query, change }: Pick<FiltersProps, 'query' | 'change'>): JSX.Element {
  const id = useId()
  const all = periods()
  const { from = '', to = '' } = Object.fromEntries(query)
  const chosen = Object.keys(all).find((name) => all[name]?.from === from && all[name]?.to === to)
  return (
    <div class="field">
      <label for={id}>Period</label>
      <select
        id={id}
        value={chosen ?? (from === '' && to === '' ? '' : 'other')}
        onChange={({ currentTarget }) => change({ from: '', to: '', ...all[currentTarget.value] })}
      >
        <option value="">All time</option>
        {Object.keys(all).map((name) => (
          <option key={name}>{name}</option>
        ))}
        <option value="other" disabled>
          Custom
        </option>
      </select>
    </div>
  )
}

function FilterField({ filter, value }: { readonly filter: Filter; readonly value: string }): JSX.Element {
  const id = useId()
  const { name, title, kind } = filter
  const isWrong = kind === 'amount' && value !== '' && readKobo(value) === undefined
  return (
    <div class="field">
      <label for={id}>{title}</label>
      {kind === 'choice' ? (
        <select id={id} name={name} value={value}>
          <option value="">All</option>
          {filter.values.map((choice) => (
            <option key={choice} value={choice}>
              {filter.titles?.[choice] ?? humanize(choice)}
            </option>
          ))}
        </select>
      ) : kind === 'day' ? (
        <input id={id} name={name} type="date" value={value} />
      ) : (
        <input
          id={id}
          name={name}
          type="text"
          inputMode={kind === 'amount' ? 'decimal' : 'text'}
          value={value}
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
