import { parseArgs } from 'node:util'
import { proposePayout } from '@kobo/gateway/features/operator/index.ts'
import { type Command, findMerchant, required, UsageError, withCore } from '../../command.ts'
import { handledByTwoOperators, nameIn } from '../../operator.ts'

const NAME_LENGTH_MAX = 100

export const merchantPayOut: Command = {
  usage: '--merchant CODE --bank CODE --account NUMBER --name NAME [--wallet NUMBER] --reason TEXT --by EMAIL',
  summary: 'Pays out all money in a wallet of a closed merchant; takes effect once a second operator agrees',
  details: `
One operator requests it; another approves it with the same command and their own address in --by, or in the dashboard. Both prove
who they are with KOBO_OPERATOR_TOKEN, a token from their profile in the dashboard. The gateway then sends the money within seconds, without a fee.
Without --wallet, the main wallet is paid out.
`,
  run: async (args, context) => {
    const text = { type: 'string' } as const
    const { values } = parseArgs({
      args,
      options: { merchant: text, bank: text, account: text, name: text, wallet: text, reason: text, by: text },
    })
    const requested = resolutionIn(values)
    const code = required(values.merchant, '--merchant')
    const because = required(values.reason, '--reason')
    nameIn(values.by)
    return withCore(context, async (gateway) => {
      const merchant = await findMerchant(gateway.core, code)
      await handledByTwoOperators(context, gateway, { by: values.by, because }, () =>
        proposePayout(gateway, merchant, requested),
      )
      return 0
    })
  },
}

interface PayOutOptions {
  readonly bank?: string | undefined
  readonly account?: string | undefined
  readonly name?: string | undefined
  readonly wallet?: string | undefined
}

function resolutionIn({ bank, account, name, wallet }: PayOutOptions) {
  if (bank === undefined || !/^\d{3,6}$/.test(bank))
    throw new UsageError('--bank must be a bank code of 3 to 6 digits.')
  if (account === undefined || !/^\d{10}$/.test(account))
    throw new UsageError('--account must be an account number of 10 digits.')
  if (wallet !== undefined && !/^\d{10}$/.test(wallet)) throw new UsageError('--wallet must have 10 digits.')
  return {
    bankCode: bank,
    accountNumber: account,
    accountName: required(name, '--name').trim().slice(0, NAME_LENGTH_MAX),
    ...(wallet === undefined ? {} : { walletAccountNumber: wallet }),
  }
}
