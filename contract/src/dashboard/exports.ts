import Type, { type TOptional, type TString } from 'typebox'
import { words } from '../fields.ts'
import { NO_PERMISSION } from '../permissions.ts'
import { group, route } from '../route.ts'
import { LISTS, type ListName } from './lists.ts'

/** A file that is sent as it is made, line by line. */
export interface CsvFile {
  readonly name: string
  readonly lines: AsyncIterable<string>
}

const LIST_NAMES = Object.keys(LISTS) as [ListName, ...ListName[]]

/** All that any list can be narrowed down to, as texts: the list that is wanted checks its own. */
const filters: Readonly<Record<string, TOptional<TString>>> = Object.fromEntries(
  LIST_NAMES.flatMap((name) => Object.keys(LISTS[name].query.properties))
    .filter((field) => field !== 'before' && field !== 'size')
    .map((field) => [field, Type.Optional(Type.String({ maxLength: 255 }))]),
)

export const exportList = route({
  method: 'GET',
  path: '/dashboard/api/exports/:list',
  summary: 'All of a list as a CSV file, exactly what one sees of it',
  description:
    'UTF-8 with a byte order mark, so that spreadsheets open it as it is; cells that a spreadsheet would take for a formula are quoted. Of any size: it is sent as it is read. Who exports must be allowed to see the list too.',
  access: 'person',
  permission: NO_PERMISSION.ownBooks,
  person: 'export.make',
  sends: 'csv',
  params: Type.Object({ list: words(LIST_NAMES) }),
  query: Type.Object(filters),
  reply: Type.Unsafe<CsvFile>({ type: 'string', description: 'a CSV file' }),
})

export const dashboardExports = group({
  title: 'Exports',
  text: 'Lists as files.',
  routes: { exportList },
  refusals: {},
})
