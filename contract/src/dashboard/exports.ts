import Type, { type TOptional, type TString } from 'typebox'
import { words } from '../fields.ts'
import { NO_PERMISSION } from '../permissions.ts'
import { group, route } from '../route.ts'
import { LISTS, type ListName } from './lists.ts'

/** A file that is streamed line by line. */
export interface CsvFile {
  readonly name: string
  readonly lines: AsyncIterable<string>
}

const LIST_NAMES = Object.keys(LISTS) as [ListName, ...ListName[]]

/** The filters of all lists, as strings; each list validates its own. */
const filters: Readonly<Record<string, TOptional<TString>>> = Object.fromEntries(
  LIST_NAMES.flatMap((name) => Object.keys(LISTS[name].query.properties))
    .filter((field) => field !== 'before' && field !== 'size')
    .map((field) => [field, Type.Optional(Type.String({ maxLength: 255 }))]),
)

export const exportList = route({
  method: 'GET',
  path: '/dashboard/api/exports/:list',
  summary: 'Export a list as a CSV file, with the rows and columns that the user may see',
  description:
    'UTF-8 with a byte order mark, so that spreadsheets open it correctly. Cells that a spreadsheet could run as a formula are quoted. The file is streamed and can have any size. The user must be allowed to see the list too.',
  access: 'person',
  permission: NO_PERMISSION.ownBooks,
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
