import process from 'node:process'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { REASON_LENGTH_MAX } from '@kobo/contract'
import { unroutedOrders } from '@kobo/gateway/core/orders/index.ts'
import type { AuditRecord } from '@kobo/gateway/core/security/audit.ts'
import { findOperatorByToken, selectOperators } from '@kobo/gateway/core/sessions/index.ts'
import { type CommandKind, type Proposal, requestOrApprove } from '@kobo/gateway/features/operator/index.ts'
import { type CommandContext, type OpenGateway, print, required, UsageError } from './command.ts'

const NAME_LENGTH_MAX = 100

/**
 * The operator at the command line: the name that two-person checks compare, and the actor for the
 * audit log.
 */
export interface CommandOperator {
  readonly name: string
  /** Undefined in a sandbox without operators. */
  readonly personId: bigint | undefined
  readonly by: Pick<AuditRecord, 'actor' | 'name'>
}

/**
 * Finds the operator named by --by. The token from their profile proves who they are, so no one can act as two people,
 * on the command line and in the dashboard. A sandbox without operators accepts any name.
 */
export async function operatorIn(
  context: CommandContext,
  { core, config }: OpenGateway,
  option: string | undefined,
): Promise<CommandOperator> {
  const name = nameIn(option)
  if (config.environment === 'sandbox' && (await selectOperators(core.db)).length === 0)
    return { name, personId: undefined, by: { actor: 'command line' } }
  const token = context.env['KOBO_OPERATOR_TOKEN']?.trim() || (await promptForToken(context))
  const operator = await findOperatorByToken(core.db, name, token, core.wall.now())
  if (operator === undefined)
    throw new UsageError(
      '--by must be the email address of an operator, with their token in KOBO_OPERATOR_TOKEN. Create a token in the dashboard, under your profile.',
    )
  return { name: operator.email, personId: operator.id, by: { actor: `person/${operator.id}`, name: operator.email } }
}

/** The options of a command that names its operator, for `parseArgs`. */
export const BY = { by: { type: 'string' } } as const
export const BY_BECAUSE = { ...BY, because: { type: 'string' } } as const

export interface ByOptions {
  readonly by?: string | undefined
  readonly because?: string | undefined
}

/** The actor of a command, for the audit log. */
type By = CommandOperator['by']

/**
 * Returns the actor of a command that moves or redirects money. In live mode --by is required as soon as there is an
 * operator; in the sandbox it is optional.
 */
export async function actorIn(context: CommandContext, gateway: OpenGateway, option: string | undefined): Promise<By> {
  return (await namedIn(context, gateway, option))?.by ?? { actor: 'command line' }
}

async function namedIn(
  context: CommandContext,
  gateway: OpenGateway,
  option: string | undefined,
): Promise<CommandOperator | undefined> {
  const { core, config } = gateway
  if (option === undefined && (config.environment === 'sandbox' || (await countOperators(core)) === 0)) return undefined
  return operatorIn(context, gateway, option)
}

/** Counts the people with the role operator. */
export const countOperators = async ({ db }: Pick<OpenGateway['core'], 'db'>): Promise<number> =>
  (await selectOperators(db)).filter(({ operatorRole }) => operatorRole === 'operator').length

/**
 * Requests a change that needs two operators, or approves the same change of another operator, and prints it. The
 * dashboard lists and approves the same changes. Returns false if the caller may act alone: in the sandbox without --by,
 * and before there is an operator.
 */
export async function handledByTwoOperators<Kind extends CommandKind>(
  context: CommandContext,
  gateway: OpenGateway,
  { by: option, because }: ByOptions,
  propose: () => Proposal<Kind> | Promise<Proposal<Kind>>,
): Promise<boolean> {
  const operator = await namedIn(context, gateway, option)
  if (operator === undefined) return false
  const { core, config: rules } = gateway
  const { personId, by } = operator
  if (personId === undefined)
    throw new UsageError('There are no operators yet, and this needs two. Create them with: ./kobo operator create')
  const reason = required(because, '--because').trim().slice(0, REASON_LENGTH_MAX)
  const deps = { core, rules, orders: unroutedOrders } // the gateway chooses the partner when it sends an order
  const change = await requestOrApprove(deps, await propose(), { person: { personId }, by, reason })
  const { id, kind, status, about, askedBy, decidedBy, expiresOn } = change
  print(context, { id, kind, status, about, reason: change.reason, askedBy, decidedBy, expiresOn })
  return true
}

/** The help text about --by, for commands that need two operators. */
export const TWO_OPERATORS = `
In live mode two operators must agree: one requests it, another approves it with the same command and their own address in --by, or
in the dashboard under Changes to approve. Both prove who they are with KOBO_OPERATOR_TOKEN, a token from their profile in the
dashboard. Until the installation has its first operator, and in the sandbox, --by can be left out and the change takes effect at once.
`

/** The name in --by, with single spaces. */
export function nameIn(option: string | undefined): string {
  const name = required(option, '--by').trim().replace(/\s+/g, ' ')
  if (name.length > NAME_LENGTH_MAX) throw new UsageError(`--by must have at most ${NAME_LENGTH_MAX} characters.`)
  return name
}

/** Asks for the token in a terminal, without showing it. */
async function promptForToken({ isTerminal = false, err }: CommandContext): Promise<string> {
  if (!isTerminal || !process.stdin.isTTY)
    throw new UsageError(
      'KOBO_OPERATOR_TOKEN is required with --by. Create a token in the dashboard, under your profile.',
    )
  err('Operator token: ')
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true })
  try {
    return (await lines.question('')).trim()
  } finally {
    lines.close()
    err('\n')
  }
}
