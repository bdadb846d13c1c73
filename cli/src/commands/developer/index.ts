import type { Command } from '../../command.ts'
import { fixtures } from './fixtures.ts'
import { listen } from './listen.ts'
import { logsTail } from './logs.ts'
import { mcp } from './mcp.ts'
import { open } from './open.ts'
import { samples } from './samples.ts'
import { clock, inbox, pay } from './sandbox.ts'
import { trigger } from './trigger.ts'

export { completion } from './completion.ts'

/** What a merchant's developer does beside a sandbox, here or anywhere. */
export const DEVELOPER_COMMANDS: Readonly<Record<string, Command>> = {
  listen,
  trigger,
  pay,
  clock,
  inbox,
  'logs tail': logsTail,
  fixtures,
  samples,
  open,
  mcp,
}
