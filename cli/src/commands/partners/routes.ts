import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import {
  findTable,
  isRouted,
  partnersFor,
  partnersIn,
  ROUTED_OPERATIONS,
  RoutingError,
  type RoutingTable,
  type RoutingTableRow,
  selectTables,
  setTable,
  whyInvalidTable,
} from '@kobo/gateway/core/routing/index.ts'
import { fromNaira, type Kobo } from '@kobo/gateway/kernel/money.ts'
import { readRailsAddresses } from '@kobo/gateway/platform/config/rails.ts'
import { type Command, type CommandContext, print, UsageError, withCore, withDatabase } from '../../command.ts'
import { actorIn, BY } from '../../operator.ts'

const FILE_BYTES_MAX = 1_048_576
const HISTORY_SHOWN_MAX = 100

export const routesShow: Command = {
  usage: '',
  summary: 'Shows the current routing table: which partner handles which operation',
  details: `
Prints JSON that "./kobo routes set" accepts, with its version. Without a table, the first capable partner in KOBO_RAILS_URL is used.
`,
  run: async (args, context) => {
    parseArgs({ args })
    return withDatabase(context, async (db) => {
      const present = await findTable(db)
      print(context, present === undefined ? { version: 0 } : { version: present.version, ...present.routes })
      return 0
    })
  },
}

export const routesSet: Command = {
  usage: 'FILE [--by EMAIL]',
  summary: 'Activates a routing table on every node',
  details: `
FILE is JSON with an entry per operation (${ROUTED_OPERATIONS.join(', ')}):

  {
    "version": 7,
    "transfer/send": {
      "rules": [
        { "name": "own bank", "when": { "destinationBank": ["035"] }, "use": ["wema"] },
        { "name": "large", "when": { "amountFrom": 5000000 }, "use": ["providus", "easypay"] },
        { "name": "rest", "when": {}, "split": [
          { "percent": 70, "use": ["easypay", "providus"] }, { "percent": 30, "use": ["providus"] } ] }
      ],
      "otherwise": ["providus"]
    }
  }

The first matching rule applies; amounts are naira. The first healthy partner in "use" gets the order; the next one only if nothing
was sent. In a split, the order's reference decides which part applies. If "version" is present it must be the current version, so
that you cannot overwrite a change you have not seen. Existing orders stay with their partners. In live mode --by names the
operator, as with ./kobo orders resolve.
`,
  run: async (args, context) => {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: BY })
    const { version, routes } = readFile(oneFile(positionals))
    checkPartners(context, routes)
    return withCore(context, async (gateway) => {
      const by = await actorIn(context, gateway, values.by)
      const row = await setTable(gateway.core, { routes, basedOn: version, by }).catch((error: Error) => {
        throw error instanceof RoutingError ? new UsageError(`${error.message}.`) : error
      })
      print(context, { version: row.version, ...row.routes })
      return 0
    })
  },
}

export const routesHistory: Command = {
  usage: '',
  summary: 'Lists past routing tables, newest first, with who set them and when',
  run: async (args, context) => {
    parseArgs({ args })
    return withDatabase(context, async (db) => {
      print(context, (await selectTables(db, HISTORY_SHOWN_MAX)).map(showRow))
      return 0
    })
  },
}

const showRow = ({ version, routes, madeAt, madeBy }: RoutingTableRow) => ({ version, madeAt, madeBy, routes })

export const routesCheck: Command = {
  usage: 'FILE [--operation NAME] [--amount NAIRA] [--bank CODE] [--merchant CODE] [--reference TEXT]',
  summary: 'Validates a routing table and explains which partners it would choose; changes nothing',
  details: `
The default operation is transfer/send. The current health of partners is not considered: see "./kobo partners list".
`,
  run: async (args, context) => {
    const text = { type: 'string' } as const
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { operation: text, amount: text, bank: text, merchant: text, reference: text },
    })
    const { operation = 'transfer/send', bank = null, merchant = null, reference = '' } = values
    const { routes } = readFile(oneFile(positionals))
    if (!isRouted(operation)) throw new UsageError(`--operation must be one of ${ROUTED_OPERATIONS.join(', ')}.`)
    checkPartners(context, routes)
    const amount = readAmount(values.amount)
    const ways = partnersFor(routes, { operation, destinationBank: bank, amount, merchant, reference })
    if (ways === undefined)
      print(context, {
        operation,
        rule: null,
        because: 'the table has no entry for it',
        use: 'all capable partners, in order',
      })
    else
      print(context, {
        operation,
        rule: ways.rule,
        use: ways.use,
        ...(ways.drawn === undefined ? {} : { drawn: ways.drawn }),
        passedOver: ways.passedOver,
      })
    return 0
  },
}

function oneFile(positionals: readonly string[]): string {
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new UsageError('Specify one file.')
  return file
}

function readFile(file: string): { readonly version: number | undefined; readonly routes: RoutingTable } {
  let parsed: unknown
  try {
    const bytes = readFileSync(file)
    if (bytes.length > FILE_BYTES_MAX) throw new Error(`it is larger than ${FILE_BYTES_MAX} bytes`)
    parsed = JSON.parse(bytes.toString())
  } catch (error) {
    throw new UsageError(`Cannot read ${file}: ${(error as Error).message}.`)
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new UsageError(`${file} must be a JSON object.`)
  const { version, ...routes } = parsed as { readonly version?: unknown }
  if (version !== undefined && !Number.isSafeInteger(version)) throw new UsageError('version must be a whole number.')
  const wrong = whyInvalidTable(routes)
  if (wrong !== undefined) throw new UsageError(`${file}: ${wrong}.`)
  return { version: version as number | undefined, routes }
}

/** Rejects partners that KOBO_RAILS_URL does not contain, if this machine has that variable. */
function checkPartners({ env }: CommandContext, routes: RoutingTable): void {
  const addresses = readRailsAddresses(env['KOBO_RAILS_URL']?.trim() || undefined)
  const codes = addresses.flatMap(({ code }) => code ?? [])
  const unknown = [...partnersIn(routes)].filter((code) => !codes.includes(code))
  if (codes.length > 0 && unknown.length > 0)
    throw new UsageError(`Unknown partner ${unknown.join(', ')}: it is not in KOBO_RAILS_URL.`)
}

function readAmount(text: string | undefined): Kobo | null {
  if (text === undefined) return null
  const amount = fromNaira(text)
  if (amount === undefined) throw new UsageError('--amount must be naira, such as 5000 or 9999.99.')
  return amount
}
