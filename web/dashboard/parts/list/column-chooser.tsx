import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Column } from './column.ts'
import type { AnyItem } from './list-spec.ts'

interface ColumnChooserProps {
  readonly columns: readonly Column<AnyItem>[]
  /** The titles of the columns that are not shown. */
  readonly hidden: readonly string[]
  readonly change: (hidden: readonly string[]) => void
}

/** Shows and hides the columns of a list, except the first, which links to each item. */
export function ColumnChooser({ columns, hidden, change }: ColumnChooserProps): JSX.Element {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="column-chooser" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary class="button plain fit">Columns</summary>
      {isOpen && (
        <fieldset>
          <legend class="unseen">Columns</legend>
          {columns.slice(1).map(({ title }) => (
            <label key={title} class="tick">
              <input
                type="checkbox"
                checked={!hidden.includes(title)}
                onChange={({ currentTarget }) =>
                  change(currentTarget.checked ? hidden.filter((one) => one !== title) : [...hidden, title])
                }
              />
              <span>{title}</span>
            </label>
          ))}
        </fieldset>
      )}
    </details>
  )
}
