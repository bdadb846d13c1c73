import process from 'node:process'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { AuditRecord } from '@kobo/gateway/core/security/audit.ts'
import { findOperatorByToken, selectOperators } from '@kobo/gateway/core/sessions/index.ts'
import { type CommandContext, type OpenGateway, required, UsageError } from './command.ts'

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
 * The operator named by --by, who proves it with the token of their profile. So the same person cannot act as two, here
 * and in the dashboard. A sandbox without operators accepts any name.
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
