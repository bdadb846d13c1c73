import type { ComponentChildren, JSX } from 'preact'
import type { LoadProblem } from '../../api/use-reply.ts'
import { LoadError, Loading } from '../placeholders.tsx'
import type { Column } from './column.ts'
import { CopyValue } from './copy-value.tsx'
import { cellClass } from './table.tsx'
import { Value } from './value.tsx'

interface RowsProps<Row> {
  readonly title: string
  readonly columns: readonly Column<Row>[]
  /** Undefined while loading. */
  readonly rows: readonly Row[] | undefined
  readonly problem?: LoadProblem | undefined
  /** Shown if there are no rows. By default nothing is shown then, not even the heading. */
  readonly empty?: ComponentChildren
  readonly more?: string | undefined
  /** Buttons next to the heading. */
  readonly actions?: ComponentChildren
}

/** A small table with a heading, as a part of a page. */
export function Rows<Row>({ title, columns, rows, problem, empty, more, actions }: RowsProps<Row>): JSX.Element | null {
  if (empty === undefined && rows?.length === 0) return null
  return (
    <div class="stack-tight">
      <div class="split-row">
        <h2>{title}</h2>
        {actions}
      </div>
      <LoadError problem={problem} />
      {rows === undefined && problem === undefined && <Loading />}
      {rows?.length === 0 && <p class="quiet">{empty}</p>}
      {rows !== undefined && rows.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
        <section class="table-frame" tabIndex={0} aria-label={title}>
          <table class="list">
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column.title} scope="col" class={cellClass(column)}>
                    {column.title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, index) => (
                <tr key={index}>
                  {columns.map((column) => (
                    <td key={column.title} class={cellClass(column)} data-title={column.title}>
                      <Value column={column} item={row} />
                      {column.kind === 'code' && <CopyValue column={column} item={row} />}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {more !== undefined && <p class="quiet small">{more}</p>}
    </div>
  )
}
