import Type, { type TObject, type TOptional, type TSchema, type TString } from 'typebox'
import { words } from '../fields.ts'
import { NO_PERMISSION } from '../permissions.ts'
import { isPersonalData, personal } from '../personal-data.ts'
import { group, route } from '../route.ts'
import { LISTS, type ListName } from './lists.ts'

/** A list that is streamed as a file. */
export interface CsvFile {
  readonly name: string
  /** The schema of a row; its fields are the columns. */
  readonly row: TObject
  readonly pages: AsyncIterable<readonly object[]>
}

const LIST_NAMES = Object.keys(LISTS) as [ListName, ...ListName[]]

const Filter = Type.String({ maxLength: 255 })

/** The filters of all lists, as strings; each list validates its own. */
const filters: Readonly<Record<string, TOptional<TString>>> = Object.fromEntries(
  LIST_NAMES.flatMap((name) => Object.entries<TSchema>(LISTS[name].query.properties))
    .filter(([name]) => name !== 'before' && name !== 'size')
    .map(([name, filter]) => [name, Type.Optional(isPersonalData(filter) ? personal(Filter) : Filter)]),
)

export const exportList = route({
  method: 'GET',
  path: '/dashboard/api/exports/:list',
  summary: 'Export a list as a CSV file, with the rows and columns that the user may see',
  description:
    'UTF-8 with a byte order mark, so that spreadsheets open it correctly. Column titles are words, and times are Lagos time. Every text is quoted; account numbers and session IDs are written so that a spreadsheet keeps every digit, and a text that looks like a formula gets an apostrophe, so that a spreadsheet does not run it. The file is streamed and can have any size. The user must be allowed to see the list too.',
  access: 'person',
  permission: NO_PERMISSION.ownData,
  person: 'export.make',
  sends: 'csv',
  params: Type.Object({ list: words(LIST_NAMES) }),
  query: Type.Object(filters),
  reply: Type.Unsafe<CsvFile>({ type: 'string', description: 'CSV file' }),
})

export const dashboardExports = group({
  title: 'Exports',
  text: 'Lists as CSV files.',
  routes: { exportList },
  refusals: {},
})
