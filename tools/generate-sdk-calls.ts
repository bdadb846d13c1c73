import { GROUPS } from '@kobo/contract'
import { CALLS, type Call } from '../sdk/src/calls.ts'

type Table = (head: readonly string[], rows: readonly (readonly string[])[]) => string

/** The page that names each route's method in the SDKs. */
export const sdkCallsPage = (note: string, tableOf: Table): string => `${note}

# SDK calls

The name of every call in the SDKs. The [TypeScript](../../sdk/readme.md) and [PHP](../../sdk/php/readme.md) SDKs use the names below; [Python](../../sdk/python/readme.md) writes them in snake case, and [Go](../../sdk/go/readme.md) with capitals: \`bankTransfer.initUssd\` is \`bank_transfer.init_ussd\` and \`BankTransfer.InitUssd\`. The API reference at \`/docs\` describes the fields.

${Object.entries<Readonly<Record<string, Call>>>(CALLS)
  .map(
    ([group, calls]) => `## ${GROUPS[group as keyof typeof CALLS].title}

${tableOf(
  ['call', 'request', 'what it does'],
  Object.entries(calls).map(([name, { route }]) => [
    `\`${group}.${name}\``,
    `\`${route.method} ${route.path.replace(/:(\w+)/g, '{$1}')}\``,
    route.summary,
  ]),
)}`,
  )
  .join('\n\n')}
`
