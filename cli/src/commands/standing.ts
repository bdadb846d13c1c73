import { parseArgs } from 'node:util'
import type { Standing } from '@kobo/gateway/core/merchants/index.ts'
import { changeStanding, StandingError } from '@kobo/gateway/features/settings/index.ts'
import { toNaira } from '@kobo/gateway/kernel/money.ts'
import { type Command, print, type Surroundings, UsageError, withMerchant } from '../command.ts'

const usage = '--merchant CODE --reason TEXT'

export const merchantSuspend: Command = {
  usage,
  summary: 'Shuts a merchant out: it cannot call, takes no payments, and none of its money leaves',
  details:
    '\nHolds on every node within seconds. Money that arrives is still booked, and refunds go on to the payers. What was to be\nsent waits until: kobo merchant resume\n',
  run: (args, around) => change(args, around, 'SUSPENDED'),
}

export const merchantResume: Command = {
  usage,
  summary: 'Lets a suspended merchant in again; what waited is sent',
  run: (args, around) => change(args, around, 'ACTIVE'),
}

export const merchantClose: Command = {
  usage,
  summary: 'Shuts a merchant out for ever, once none of its money is left here',
  run: (args, around) => change(args, around, 'CLOSED'),
}

function change(args: string[], around: Surroundings, standing: Standing): Promise<number> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ args, options: { merchant: text, reason: text } })
  const { reason } = values
  if (reason === undefined || reason.trim() === '') throw new UsageError('--reason is required: it is kept.')
  return withMerchant(around, values.merchant, async ({ core }, { id, code }) => {
    await changeStanding(core.directory, id, { standing, reason }, { actor: 'command line' }).catch(
      (error: unknown) => {
        if (!(error instanceof StandingError)) throw error
        const { left } = error
        throw new UsageError(
          left === undefined
            ? `${code} is ${error.standing}.`
            : `${code} still has ${toNaira(left.amount)} in ${left.account}: pay it out first.`,
        )
      },
    )
    print(around, { merchant: code, standing })
  })
}
