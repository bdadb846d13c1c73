import { parseArgs } from 'node:util'
import { type Merchant, type Standing, updateMerchant } from '@kobo/gateway/core/merchants/index.ts'
import { moneyOf } from '@kobo/gateway/core/money/ledger/index.ts'
import { audit } from '@kobo/gateway/core/security/audit.ts'
import { toNaira } from '@kobo/gateway/kernel/money.ts'
import { type Command, print, type Surroundings, UsageError, withMerchant } from '../command.ts'

const usage = '--merchant CODE --reason TEXT'

export const merchantSuspend: Command = {
  usage,
  summary: 'Shuts a merchant out: it cannot call, takes no payments, and none of its money leaves',
  details:
    '\nHolds on every node within seconds. Money that arrives is still booked, and refunds go on to the payers. What was to be\nsent waits until: kobo merchant resume\n',
  run: (args, around) => change(args, around, 'suspend', 'SUSPENDED', ['ACTIVE']),
}

export const merchantResume: Command = {
  usage,
  summary: 'Lets a suspended merchant in again; what waited is sent',
  run: (args, around) => change(args, around, 'resume', 'ACTIVE', ['SUSPENDED']),
}

export const merchantClose: Command = {
  usage,
  summary: 'Shuts a merchant out for ever, once none of its money is left here',
  run: (args, around) => change(args, around, 'close', 'CLOSED', ['ACTIVE', 'SUSPENDED']),
}

function change(
  args: string[],
  around: Surroundings,
  word: string,
  standing: Standing,
  from: readonly Standing[],
): Promise<number> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ args, options: { merchant: text, reason: text } })
  const { reason } = values
  if (reason === undefined || reason.trim() === '') throw new UsageError('--reason is required: it is kept.')
  return withMerchant(around, values.merchant, async ({ core }, merchant) => {
    await core.directory.change(merchant.id, async (unit) => {
      if (!from.includes(merchant.standing)) throw new UsageError(`${merchant.code} is ${merchant.standing}.`)
      if (standing === 'CLOSED') await checkNothingLeft(unit.tx, merchant)
      updateMerchant(unit.tx, merchant.id, { standing })
      audit(unit, {
        merchantId: merchant.id,
        act: `merchant.${word}`,
        actor: 'command line',
        details: { before: merchant.standing, after: standing, reason },
      })
    })
    print(around, { merchant: merchant.code, standing })
  })
}

async function checkNothingLeft(tx: Parameters<typeof moneyOf>[0], merchant: Merchant): Promise<void> {
  const [first] = await moneyOf(tx, merchant.id)
  if (first !== undefined)
    throw new UsageError(`${merchant.code} still has ${toNaira(first.balance)} in ${first.code}: pay it out first.`)
}
