import { type Command, type Surroundings, UsageError } from './command.ts'
import { sourcesAdd, sourcesDisable, sourcesEnable, sourcesList } from './commands/accounts.ts'
import { auditExport, auditVerify } from './commands/audit.ts'
import { credentials } from './commands/credentials.ts'
import { conflictsDismiss, conflictsList, conflictsTake } from './commands/credits.ts'
import { customerErase } from './commands/customer.ts'
import { completion, DEVELOPER_COMMANDS } from './commands/developer/index.ts'
import { keysList, keysRetire, keysRotate, keysRotateData } from './commands/keys.ts'
import { ledgerVerify } from './commands/ledger.ts'
import {
  merchantCreate,
  merchantList,
  merchantPermit,
  merchantRotateSecret,
  merchantSettle,
  merchantWebhook,
  merchantWhitelist,
} from './commands/merchant.ts'
import { merchantOrigins, merchantUnlockCodes } from './commands/merchant-access.ts'
import { migrateCommand } from './commands/migrate.ts'
import { operatorCreate } from './commands/operator.ts'
import { ordersAsk, ordersList } from './commands/orders.ts'
import { partnersList } from './commands/partners.ts'
import { priceList, priceSet } from './commands/price.ts'
import { railsCheck } from './commands/rails.ts'
import { returnsList, returnsSend, returnsSettle } from './commands/returns.ts'
import { routesCheck, routesHistory, routesSet, routesShow } from './commands/routes.ts'
import { seed } from './commands/seed.ts'
import { serve } from './commands/serve.ts'
import { merchantClose, merchantResume, merchantSuspend } from './commands/standing.ts'

/** Every command by the words that call it. */
const COMMANDS: Readonly<Record<string, Command>> = {
  serve,
  credentials,
  ...DEVELOPER_COMMANDS,
  'merchant list': merchantList,
  'merchant create': merchantCreate,
  'merchant rotate-secret': merchantRotateSecret,
  'merchant permit': merchantPermit,
  'merchant whitelist': merchantWhitelist,
  'merchant origins': merchantOrigins,
  'merchant unlock-codes': merchantUnlockCodes,
  'merchant webhook': merchantWebhook,
  'merchant settle': merchantSettle,
  'merchant suspend': merchantSuspend,
  'merchant resume': merchantResume,
  'merchant close': merchantClose,
  'customer erase': customerErase,
  'operator create': operatorCreate,
  'orders list': ordersList,
  'orders ask': ordersAsk,
  'credits conflicts list': conflictsList,
  'credits conflicts take': conflictsTake,
  'credits conflicts dismiss': conflictsDismiss,
  'accounts sources list': sourcesList,
  'accounts sources add': sourcesAdd,
  'accounts sources disable': sourcesDisable,
  'accounts sources enable': sourcesEnable,
  'returns list': returnsList,
  'returns send': returnsSend,
  'returns settle': returnsSettle,
  'price list': priceList,
  'price set': priceSet,
  'partners list': partnersList,
  'routes show': routesShow,
  'routes set': routesSet,
  'routes history': routesHistory,
  'routes check': routesCheck,
  'rails check': railsCheck,
  'keys list': keysList,
  'keys rotate': keysRotate,
  'keys rotate-data': keysRotateData,
  'keys retire': keysRetire,
  seed,
  migrate: migrateCommand,
  'ledger verify': ledgerVerify,
  'audit verify': auditVerify,
  'audit export': auditExport,
  completion: completion(() => COMMANDS),
}

const WORDS_MAX = 3

function help(): string {
  const width = Math.max(...Object.keys(COMMANDS).map((words) => words.length))
  const lines = Object.entries(COMMANDS).map(([words, { summary }]) => `  ${words.padEnd(width)}  ${summary}`)
  return `Kobo's command line.\n\nUsage: npx kobo COMMAND\n\n${lines.join('\n')}\n\nCOMMAND --help says what may follow it. Settings come from the environment: npm start -- --help lists them.\n`
}

function find(args: readonly string[]): { words: string; command: Command; rest: string[] } | undefined {
  for (let count = WORDS_MAX; count > 0; count--) {
    const words = args.slice(0, count).join(' ')
    const command = Object.hasOwn(COMMANDS, words) ? COMMANDS[words] : undefined
    if (command !== undefined) return { words, command, rest: args.slice(count) }
  }
  return undefined
}

/** Runs what the words call; answers the exit code. */
export async function runCommand(args: readonly string[], around: Surroundings): Promise<number> {
  const found = find(args)
  if (found === undefined) {
    const asked = args.length === 0 || args[0] === '--help' || args[0] === 'help'
    around[asked ? 'out' : 'err'](asked ? help() : `There is no command ${args.join(' ')}.\n\n${help()}`)
    return asked ? 0 : 2
  }
  const { words, command, rest } = found
  if (rest.includes('--help')) {
    around.out(`${command.summary}\n\nUsage: kobo ${words} ${command.usage}\n${command.details ?? ''}`)
    return 0
  }
  try {
    return await command.run(rest, around)
  } catch (error) {
    const isMisuse =
      error instanceof UsageError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') === true
    const { message } = error as Error
    around.err(isMisuse ? `${message}\n\nUsage: kobo ${words} ${command.usage}\n` : `${message}\n`)
    return isMisuse ? 2 : 1
  }
}
