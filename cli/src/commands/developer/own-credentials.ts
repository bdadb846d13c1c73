import { type Credentials, readCredentials } from '@kobo/gateway/features/sandbox/index.ts'
import { type CommandContext, UsageError, withCore } from '../../command.ts'
import { PROGRAM } from '../../program.ts'

// The npm package replaces this module by packing/own-credentials.ts, because it has no gateway.

export const REMOTE_USAGE = '[--merchant CODE | --credentials FILE]'
export const REMOTE_DETAILS = `
--credentials FILE (or KOBO_CREDENTIALS) connects to any gateway: FILE holds the output of \`${PROGRAM} credentials\`. Otherwise the command
uses the gateway of this clone and its first merchant, or the one from --merchant.
`

/** The keys of a merchant in this clone's gateway. */
export async function ownCredentials(context: CommandContext, code: string | undefined): Promise<Credentials> {
  const credentials = await withCore(context, ({ core, config, baseUrl }) => {
    if (config.environment !== 'sandbox') throw new UsageError('This command works in the sandbox only.')
    return readCredentials(core, baseUrl, code)
  })
  if (credentials === undefined)
    throw new UsageError(`No such merchant. Run "${PROGRAM} merchant list" to see the codes.`)
  return credentials
}
