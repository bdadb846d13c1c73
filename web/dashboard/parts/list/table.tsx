import type { JSX } from 'preact'
import type { Column, Kind } from './column.ts'
import type { AnyItem, AnyList } from './list-spec.ts'
import { Value } from './value.tsx'

const KIND_CLASSES: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  naira: ['amount-cell'],
  moment: ['moment-cell'],
  status: ['status-cell'],
}

/** The CSS classes of a cell: amounts align right, wide columns are hidden on narrow screens. */
export const cellClass = ({ kind, isWide = false }: Pick<Column<never>, 'kind' | 'isWide'>): string =>
  [...(kind === undefined ? [] : (KIND_CLASSES[kind] ?? [])), ...(isWide ? ['wide'] : [])].join(' ')

/** The rows that are selected, by id. */
interface Selection {
  readonly ids: ReadonlySet<string>
  readonly change: (ids: ReadonlySet<string>) => void
  readonly isSelectable: (item: AnyItem) => boolean
}

export interface TableProps {
  readonly spec: AnyList
  readonly items: readonly AnyItem[]
  /** Whether these rows are about to be replaced. */
  readonly isLoading: boolean
  readonly selection?: Selection
  /** How the rows are ordered, if that can be changed. */
  readonly order?: ListOrder | undefined
}

export interface ListOrder {
  readonly isOldestFirst: boolean
  /** The URL of the other order. */
  readonly other: string
}

/** A list's table; the first cell of each row links to its page. */
export function Table({ spec, items, isLoading, selection, order }: TableProps): JSX.Element {
  const address = spec.address ?? (({ id }: AnyItem) => `/dashboard/${spec.name}/${id}`)
  // A list is sorted by its first column of times.
  const ordered = spec.columns.find(({ kind }) => kind === 'moment')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
    <section class="table-frame" tabIndex={0} aria-label={spec.title} aria-busy={isLoading}>
      <table class="list">
        <thead>
          <tr>
            {spec.columns.map((column, index) => (
              <th
                key={column.title}
                scope="col"
                class={cellClass(column)}
                aria-sort={
                  order === undefined || column !== ordered
                    ? undefined
                    : order.isOldestFirst
                      ? 'ascending'
                      : 'descending'
                }
              >
                {index === 0 && <SelectBox label="Select all" of={items} selection={selection} />}
                {order !== undefined && column === ordered ? <a href={order.other}>{column.title}</a> : column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={item.id}>
              {spec.columns.map((column, index) => (
                <td key={column.title} class={cellClass(column)} data-title={column.title}>
                  {index === 0 && (
                    <SelectBox label={`Select ${column.value(item)}`} of={[item]} selection={selection} />
                  )}
                  <Value column={index === 0 ? { ...column, link: address } : column} item={item} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface SelectBoxProps {
  readonly label: string
  readonly of: readonly AnyItem[]
  readonly selection: Selection | undefined
}

/** A checkbox that selects rows: one, or all that can be. */
function SelectBox({ label, of, selection }: SelectBoxProps): JSX.Element | null {
  if (selection === undefined) return null
  const { ids, change, isSelectable } = selection
  const selectable = of.filter(isSelectable).map(({ id }) => id)
  return (
    <input
      class="select"
      type="checkbox"
      aria-label={label}
      disabled={selectable.length === 0}
      checked={selectable.length > 0 && selectable.every((id) => ids.has(id))}
      onChange={({ currentTarget: { checked } }) =>
        change(new Set(checked ? [...ids, ...selectable] : [...ids].filter((id) => !selectable.includes(id))))
      }
    />
  )
}
