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

interface TableProps {
  readonly spec: AnyList
  readonly items: readonly AnyItem[]
  /** Whether these rows are about to be replaced. */
  readonly isLoading: boolean
}

/** A list's table; the first cell of each row links to its page. */
export function Table({ spec, items, isLoading }: TableProps): JSX.Element {
  const address = spec.address ?? (({ id }: AnyItem) => `/dashboard/${spec.name}/${id}`)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
    <section class="table-frame" tabIndex={0} aria-label={spec.title} aria-busy={isLoading}>
      <table class="list">
        <thead>
          <tr>
            {spec.columns.map((column) => (
              <th key={column.title} scope="col" class={cellClass(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={item.id}>
              {spec.columns.map((column, index) => (
                <td key={column.title} class={cellClass(column)} data-title={column.title}>
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
