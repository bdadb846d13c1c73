import { parseArgs } from 'node:util'
import { CLOSING } from '@kobo/gateway/app/features.ts'
import type { MerchantStatus } from '@kobo/gateway/core/merchants/index.ts'
import { changeMerchantStatus, MerchantStatusError } from '@kobo/gateway/features/settings/index.ts'
import { toNaira } from '@kobo/gateway/kernel/money.ts'
import { type Command, type CommandContext, print, UsageError, withMerchant } from '../../command.ts'
import { actorIn, BY } from '../../operator.ts'

const usage = '--merchant CODE --reason TEXT [--by EMAIL]'

export const merchantSuspend: Command = {
  usage,
  summary: 'Suspends a merchant: no API calls, no new payments, no payouts',
  details:
    '\nTakes effect on every node within seconds. Incoming money is still booked and refunds still go to customers. Pending payouts\nwait until: ./kobo merchant resume\n',
  run: (args, context) => change(args, context, 'SUSPENDED'),
}

export const merchantResume: Command = {
  usage,
  summary: 'Resumes a suspended merchant and sends its pending payouts',
  run: (args, context) => change(args, context, 'ACTIVE'),
}

export const merchantClose: Command = {
  usage,
  summary: 'Closes a merchant permanently; nothing may be pending, and its money must be in its wallets',
  details: `
Its account numbers are closed, its mandates cancelled, its stored cards deleted; open payments, paycodes and waiting payouts expire.
Money that is sent to its account numbers goes back to the payer. Pay out its wallets with: ./kobo merchant pay-out
`,
  run: (args, context) => change(args, context, 'CLOSED'),
}

function change(args: string[], context: CommandContext, standing: MerchantStatus): Promise<number> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ args, options: { merchant: text, reason: text, ...BY } })
  const { reason } = values
  if (reason === undefined || reason.trim() === '')
    throw new UsageError('--reason is required. It is stored in the audit log.')
  return withMerchant(context, values.merchant, async (gateway, { id, code }) => {
    const { core } = gateway
    const isStop = standing === 'SUSPENDED' && values.by === undefined // anyone on duty may stop a merchant
    const by = isStop ? ({ actor: 'command line' } as const) : await actorIn(context, gateway, values.by)
    const deps = { directory: core.directory, closing: CLOSING }
    await changeMerchantStatus(deps, id, { standing, reason }, by).catch((error: unknown) => {
      if (!(error instanceof MerchantStatusError)) throw error
      const { left, order } = error
      if (order !== undefined)
        throw new UsageError(`The outcome of ${order} is not final yet. Close ${code} once it is.`)
      throw new UsageError(
        left === undefined
          ? `${code} is already ${error.standing}.`
          : `${code} still has ₦${toNaira(left.amount)} in ${left.account}. Close ${code} once it is in its wallets or paid out.`,
      )
    })
    print(context, { merchant: code, standing })
  })
}
