import * as contract from '@kobo/contract'
import { LENIENT_FORMS, OTHER_NAMES, type Route } from '@kobo/contract'

type Table = (head: readonly string[], rows: readonly (readonly string[])[]) => string

/** The page about clients of Monnify's API: the input that is read leniently for them. */
export const clientsPage = (note: string, tableOf: Table): string => `${note}

# Clients of Monnify's API

Published clients work with Kobo once you change their base URL. [Move from another gateway](../guides/coming-from.md) says how.

## Accepted input

Kobo reads what such clients send where Monnify's documentation is silent. Every row is tested. New programs should send the documented form.

${tableOf(
  ['sent', 'read', 'where'],
  Object.values(LENIENT_FORMS).map(({ sent, read, where }) => [sent, read, where]),
)}

### Other names of fields

The documented name wins if a request has both.

${tableOf(
  ['request', 'field', 'also read as'],
  Object.entries(OTHER_NAMES).flatMap(([name, names]) =>
    Object.entries(names).map(([field, other]) => [requestOf(name), `\`${field}\``, `\`${other}\``]),
  ),
)}
`

/** The request that a row of the table is about. */
function requestOf(name: string): string {
  if (name === 'batchItem') return `\`${contract.initiateBatch.path}\`, items`
  const { method, path } = (contract as unknown as Record<string, Route>)[name] as Route
  return `\`${method} ${path}\``
}
