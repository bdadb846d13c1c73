import { type CsvFile, LISTS, type ListName } from '@kobo/contract'
import { spaced } from '../../kernel/dates.ts'
import { BYTE_ORDER_MARK, line } from '../../platform/formats/csv.ts'
import { openPace } from '../../platform/http/pacing.ts'
import { type ListQuery, type Reader, readList } from './lists.ts'

/** Rows per query: only this many are in memory, and payments wait no longer than one query takes. */
const PAGE_ROWS = 200
/** Twenty million rows. */
const PAGES_MAX = 100_000

/** A whole list as a file, read page by page as fast as the browser takes it and as payments leave capacity. */
export function exportOf<N extends ListName>(
  reader: Reader,
  name: N,
  query: ListQuery<N>,
  seen: <Item>(item: Item) => Item,
): CsvFile {
  const columns = Object.keys(LISTS[name].reply.properties.items.items.properties)
  return {
    name: `${name} ${spaced(reader.at).replaceAll(':', '-')}.csv`,
    lines: linesOf(reader, name, query, columns, seen),
  }
}

async function* linesOf<N extends ListName>(
  reader: Reader,
  name: N,
  query: ListQuery<N>,
  columns: readonly string[],
  seen: <Item>(item: Item) => Item,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + line(columns)
  const letOthersGo = openPace()
  let before: bigint | undefined
  for (let page = 0; page < PAGES_MAX; page++) {
    const place = before === undefined ? {} : { before: String(before) }
    const { rows, next } = await readList(reader, name, { ...query, ...place }, PAGE_ROWS)
    const items = seen(rows) as readonly Readonly<Record<string, unknown>>[]
    const text = items.map((item) => line(columns.map((column) => item[column]))).join('')
    if (text !== '') yield text
    if (next === undefined) return
    before = next
    await letOthersGo()
  }
}
