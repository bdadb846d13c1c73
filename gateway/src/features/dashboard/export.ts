import { type CsvFile, LISTS, type ListName } from '@kobo/contract'
import { spaced } from '../../kernel/dates.ts'
import { openPace } from '../../platform/http/pacing.ts'
import { type ListQuery, type Reader, readList } from './lists.ts'

/** Rows per query. The limit bounds the memory, and lets payments wait for at most one query. */
const PAGE_ROWS = 200
/** At most twenty million rows are exported. */
const PAGES_MAX = 100_000

/**
 * Exports a whole list as a file. It is read page by page as the browser downloads it, and more slowly while payments
 * need the capacity.
 */
export const exportOf = <N extends ListName>(reader: Reader, name: N, query: ListQuery<N>): CsvFile => ({
  name: `${name} ${spaced(reader.at).replaceAll(':', '-')}.csv`,
  row: LISTS[name].reply.properties.items.items,
  pages: pagesOf(reader, name, query),
})

async function* pagesOf<N extends ListName>(
  reader: Reader,
  name: N,
  query: ListQuery<N>,
): AsyncGenerator<readonly object[]> {
  const letOthersGo = openPace()
  let before: bigint | undefined
  for (let page = 0; page < PAGES_MAX; page++) {
    const place = before === undefined ? {} : { before: String(before) }
    const { rows, next } = await readList(reader, name, { ...query, ...place }, PAGE_ROWS)
    yield rows
    if (next === undefined) return
    before = next
    await letOthersGo()
  }
}
