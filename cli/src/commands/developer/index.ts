import type { Command } from '../../command.ts'
import { checkIntegration } from './check-integration/index.ts'
import { fixtures } from './fixtures.ts'
import { listen } from './listen.ts'
import { logsTail } from './logs.ts'
import { mcp } from './mcp.ts'
import { open } from './open.ts'
import { clock, inbox, pay } from './pay-clock-inbox.ts'
import { samples } from './samples.ts'
import { trigger } from './trigger.ts'

export { completion } from './completion.ts'
export { credentials } from './credentials.ts'
export { seed } from './seed.ts'

/** Commands for merchants' developers; they also work with a gateway on another machine. */
export const DEVELOPER_COMMANDS: Readonly<Record<string, Command>> = {
  listen,
  trigger,
  pay,
  clock,
  inbox,
  'logs tail': logsTail,
  fixtures,
  'check-integration': checkIntegration,
  samples,
  open,
  mcp,
}
