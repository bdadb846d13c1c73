import { readFileSync } from 'node:fs'
import { Refusal } from '@kobo/gateway/kernel/errors.ts'
import { type Command, type Surroundings, UsageError } from './command.ts'
import { sourcesAdd, sourcesDisable, sourcesEnable, sourcesList } from './commands/accounts.ts'
import { auditExport, auditVerify } from './commands/audit.ts'
import { backup, restore } from './commands/backup.ts'
import { banksDisable, banksEnable, banksImport, banksList, banksRename } from './commands/banks.ts'
import { contractAdd, contractDisable, contractEnable, contractList } from './commands/contract.ts'
import { credentials } from './commands/credentials.ts'
import { conflictsDismiss, conflictsList, conflictsTake } from './commands/credits.ts'
import { customerErase } from './commands/customer.ts'
import { completion, DEVELOPER_COMMANDS } from './commands/developer/index.ts'
import { eventsList, eventsResend, eventsShow } from './commands/events.ts'
import { keysList, keysRetire, keysRotate, keysRotateData } from './commands/keys.ts'
import { ledgerPartners, ledgerVerify } from './commands/ledger.ts'
import { merchantCreate, merchantList, merchantRotateSecret, merchantUnlockCodes } from './commands/merchant.ts'
import { merchantSet } from './commands/merchant-settings.ts'
import { merchantShow } from './commands/merchant-show.ts'
import {
  merchantOrigins,
  merchantPermit,
  merchantSettle,
  merchantWebhook,
  merchantWhitelist,
} from './commands/merchant-terms.ts'
import { migrateCommand } from './commands/migrate.ts'
import { operatorCreate } from './commands/operator.ts'
import { ordersAsk, ordersList, ordersResolve, ordersShow } from './commands/orders.ts'
import { partnersList } from './commands/partners.ts'
import { priceList, priceSet } from './commands/price.ts'
import { railsCheck } from './commands/rails.ts'
import { railsPay } from './commands/rails-pay.ts'
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
  'merchant show': merchantShow,
  'merchant create': merchantCreate,
  'merchant set': merchantSet,
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
  'contract list': contractList,
  'contract add': contractAdd,
  'contract disable': contractDisable,
  'contract enable': contractEnable,
  'events list': eventsList,
  'events show': eventsShow,
  'events resend': eventsResend,
  'customer erase': customerErase,
  'operator create': operatorCreate,
  'orders list': ordersList,
  'orders ask': ordersAsk,
  'orders show': ordersShow,
  'orders resolve': ordersResolve,
  'credits conflicts list': conflictsList,
  'credits conflicts take': conflictsTake,
  'credits conflicts dismiss': conflictsDismiss,
  'accounts sources list': sourcesList,
  'accounts sources add': sourcesAdd,
  'accounts sources disable': sourcesDisable,
  'accounts sources enable': sourcesEnable,
  'banks list': banksList,
  'banks import': banksImport,
  'banks disable': banksDisable,
  'banks enable': banksEnable,
  'banks rename': banksRename,
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
  'rails pay': railsPay,
  'keys list': keysList,
  'keys rotate': keysRotate,
  'keys rotate-data': keysRotateData,
  'keys retire': keysRetire,
  seed,
  migrate: migrateCommand,
  backup,
  restore,
  'ledger verify': ledgerVerify,
  'ledger partners': ledgerPartners,
  'audit verify': auditVerify,
  'audit export': auditExport,
  completion: completion(() => COMMANDS),
}

const WORDS_MAX = 3
const HELP_WORDS: readonly (string | undefined)[] = [undefined, '--help', '-h', 'help']

function listed(commands: readonly [words: string, command: Command][]): string {
  const width = Math.max(...commands.map(([words]) => words.length))
  return commands.map(([words, { summary }]) => `  ${words.padEnd(width)}  ${summary}`).join('\n')
}

const help = (): string =>
  `Kobo's command line.\n\nUsage: npx kobo COMMAND\n\n${listed(Object.entries(COMMANDS))}\n\nCOMMAND --help says what may follow it. Settings come from the environment: npm start -- --help lists them.\n`

const version = (): string => JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version

/** The commands that begin with some words, as `merchant` or `credits conflicts`. */
const groupOf = (words: readonly string[]): readonly [string, Command][] =>
  words.length === 0 ? [] : Object.entries(COMMANDS).filter(([name]) => name.startsWith(`${words.join(' ')} `))

function find(args: readonly string[]): { words: string; command: Command; rest: string[] } | undefined {
  for (let count = WORDS_MAX; count > 0; count--) {
    const words = args.slice(0, count).join(' ')
    const command = Object.hasOwn(COMMANDS, words) ? COMMANDS[words] : undefined
    if (command !== undefined) return { words, command, rest: args.slice(count) }
  }
  return undefined
}

/** Answers what is no command: help in general, or for those that begin with the same word. */
function withoutCommand(args: readonly string[], { out, err }: Surroundings): number {
  const last = args.at(-1)
  const isAsked = HELP_WORDS.includes(last)
  const group = groupOf(isAsked ? args.slice(0, -1) : args)
  if (isAsked && args.length <= 1) out(help())
  else if (args.length === 1 && last === '--version') out(`${version()}\n`)
  else if (isAsked && group.length > 0) out(`${listed(group)}\n\nCOMMAND --help says what may follow it.\n`)
  else {
    err(`There is no command ${args.join(' ')}.\n\n${group.length > 0 ? `${listed(group)}\n` : help()}`)
    return 2
  }
  return 0
}

/** Runs what the words call; answers the exit code. */
export async function runCommand(args: readonly string[], around: Surroundings): Promise<number> {
  const found = find(args)
  if (found === undefined) return withoutCommand(args, around)
  const { words, command, rest } = found
  if (rest.includes('--help') || rest.includes('-h')) {
    around.out(`${command.summary}\n\nUsage: kobo ${words} ${command.usage}\n${command.details ?? ''}`)
    return 0
  }
  try {
    return await command.run(rest, around)
  } catch (error) {
    const { message } = error as Error
    around.err(isMisuse(error) ? `${message}\n\nUsage: kobo ${words} ${command.usage}\n` : `${message}\n`)
    return isMisuse(error) ? 2 : 1
  }
}

/** Whether the call is wrong, and not what came of it. A refusal says what of it. */
const isMisuse = (error: unknown): boolean =>
  error instanceof UsageError ||
  error instanceof Refusal ||
  (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') === true
