import type { Command } from '../../command.ts'
import { checkIntegration } from './check-integration/index.ts'
import { fixtures } from './fixtures.ts'
import { listen } from './listen.ts'
import { logsTail } from './logs.ts'
import { clock, inbox, pay } from './pay-clock-inbox.ts'
import { trigger } from './trigger.ts'

export { completion } from './completion.ts'
export { credentials } from './credentials.ts'
export { mcp } from './mcp.ts'
export { open } from './open.ts'
export { samples } from './samples.ts'
export { seed } from './seed.ts'

/** Commands that need only the API of a sandbox, on this machine or another. The npm package has only these. */
export const API_COMMANDS: Readonly<Record<string, Command>> = {
  listen,
  trigger,
  pay,
  clock,
  inbox,
  'logs tail': logsTail,
  fixtures,
  'check-integration': checkIntegration,
}
