import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { koboOf, koboText } from '../../../ui/money.ts'
import type { Me } from '../../api/call.ts'
import { Table, type TableProps } from './table.tsx'

/** A list's table. If the user may act on several rows at once, they have checkboxes. */
export function SelectableTable({ me, ...table }: Omit<TableProps, 'selection'> & { readonly me: Me }): JSX.Element {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const { selection } = table.spec
  if (selection === undefined || !me.permissions.includes(selection.permission)) return <Table {...table} />
  const chosen = table.items.filter(({ id }) => ids.has(id))
  const total = chosen.reduce((sum, item) => sum + koboOf(selection.amount(item)), 0)
  return (
    <>
      <Table {...table} selection={{ ids, change: setIds, isSelectable: selection.isSelectable }} />
      <div class="selection actions">
        <span role="status">{chosen.length > 0 && `${chosen.length} selected, ${koboText(total)}`}</span>
        {chosen.length > 0 && (
          <a class="button fit" href={selection.address(chosen)}>
            {selection.title}
          </a>
        )}
      </div>
    </>
  )
}
