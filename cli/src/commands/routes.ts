import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import {
  findTable,
  isRouted,
  partnersIn,
  ROUTED_OPERATIONS,
  RoutingError,
  type RoutingTable,
  type RoutingTableRow,
  selectTables,
  setTable,
  waysOf,
  whyNoTable,
} from '@kobo/gateway/core/routing/index.ts'
import { fromNaira, type Kobo } from '@kobo/gateway/kernel/money.ts'
import { readRailsAddresses } from '@kobo/gateway/platform/rails-settings.ts'
import { type Command, print, type Surroundings, UsageError, withCore, withDatabase } from '../command.ts'

const FILE_BYTES_MAX = 1_048_576
const HISTORY_SHOWN_MAX = 100

export const routesShow: Command = {
  usage: '',
  summary: 'Shows the routing table in effect: which partner carries out what',
  details: `
Prints JSON that kobo routes set takes again, with its version in it. Without a table, who can do something first in
KOBO_RAILS_URL does it.
`,
  run: async (args, around) => {
    parseArgs({ args })
    return withDatabase(around, async (db) => {
      const present = await findTable(db)
      print(around, present === undefined ? { version: 0 } : { version: present.version, ...present.routes })
      return 0
    })
  },
}

export const routesSet: Command = {
  usage: 'FILE',
  summary: 'Puts a routing table into effect, on every node',
  details: `
FILE is JSON, for each operation (${ROUTED_OPERATIONS.join(', ')}):

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

The first rule that holds is followed; amounts are naira. Of the partners that it uses, the first that is well gets it; the
next one where nothing was sent. A split is drawn from the reference. Where "version" is said, it must be the one in effect:
so nobody overwrites what they have not seen. Orders that were placed before stay with their partners.
`,
  run: async (args, around) => {
    const { version, routes } = readFile(oneFile(parseArgs({ args, allowPositionals: true }).positionals))
    checkPartners(around, routes)
    return withCore(around, async ({ core }) => {
      const row = await setTable(core, { routes, basedOn: version, madeBy: 'command line' }).catch((error: Error) => {
        throw error instanceof RoutingError ? new UsageError(`${error.message}.`) : error
      })
      print(around, { version: row.version, ...row.routes })
      return 0
    })
  },
}

export const routesHistory: Command = {
  usage: '',
  summary: 'Lists the routing tables that were in effect, the newest first, with who set them and when',
  run: async (args, around) => {
    parseArgs({ args })
    return withDatabase(around, async (db) => {
      print(around, (await selectTables(db, HISTORY_SHOWN_MAX)).map(showRow))
      return 0
    })
  },
}

const showRow = ({ version, routes, madeAt, madeBy }: RoutingTableRow) => ({ version, madeAt, madeBy, routes })

export const routesCheck: Command = {
  usage: 'FILE [--operation NAME] [--amount NAIRA] [--bank CODE] [--merchant CODE] [--reference TEXT]',
  summary: 'Checks a routing table, and explains what it would choose for something; touches nothing',
  details: `
The operation is transfer/send unless said. Which partners are well at a time is not known here: kobo partners list tells.
`,
  run: async (args, around) => {
    const text = { type: 'string' } as const
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { operation: text, amount: text, bank: text, merchant: text, reference: text },
    })
    const { operation = 'transfer/send', bank = null, merchant = null, reference = '' } = values
    const { routes } = readFile(oneFile(positionals))
    if (!isRouted(operation)) throw new UsageError(`--operation must be one of ${ROUTED_OPERATIONS.join(', ')}.`)
    checkPartners(around, routes)
    const amount = readAmount(values.amount)
    const ways = waysOf(routes, { operation, destinationBank: bank, amount, merchant, reference })
    if (ways === undefined)
      print(around, { operation, rule: null, because: 'the table says nothing of it', use: 'all who can, in order' })
    else
      print(around, {
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
  if (file === undefined || more.length > 0) throw new UsageError('Name one file.')
  return file
}

function readFile(file: string): { readonly version: number | undefined; readonly routes: RoutingTable } {
  let told: unknown
  try {
    const bytes = readFileSync(file)
    if (bytes.length > FILE_BYTES_MAX) throw new Error(`it is larger than ${FILE_BYTES_MAX} bytes`)
    told = JSON.parse(bytes.toString())
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}.`)
  }
  if (typeof told !== 'object' || told === null || Array.isArray(told))
    throw new UsageError(`${file} is no JSON object.`)
  const { version, ...routes } = told as { readonly version?: unknown }
  if (version !== undefined && !Number.isSafeInteger(version)) throw new UsageError('version must be a whole number.')
  const wrong = whyNoTable(routes)
  if (wrong !== undefined) throw new UsageError(`${file}: ${wrong}.`)
  return { version: version as number | undefined, routes }
}

/** A partner that nobody is connected to is a slip of the pen, as far as can be seen from here. */
function checkPartners({ env }: Surroundings, routes: RoutingTable): void {
  const addresses = readRailsAddresses(env['KOBO_RAILS_URL']?.trim() || undefined)
  const codes = addresses.flatMap(({ code }) => code ?? [])
  const unknown = [...partnersIn(routes)].filter((code) => !codes.includes(code))
  if (codes.length > 0 && unknown.length > 0)
    throw new UsageError(`KOBO_RAILS_URL names no partner ${unknown.join(', ')}.`)
}

function readAmount(text: string | undefined): Kobo | null {
  if (text === undefined) return null
  const amount = fromNaira(text)
  if (amount === undefined) throw new UsageError('--amount must be naira, as 5000 or 9999.99.')
  return amount
}
