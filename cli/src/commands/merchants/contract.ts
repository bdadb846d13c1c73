import { parseArgs } from 'node:util'
import { addContract, ContractError, setDisabled, showTerms } from '@kobo/gateway/features/settings/index.ts'
import { type Command, type CommandContext, print, required, UsageError, withMerchant } from '../../command.ts'

const text = { type: 'string' } as const

export const contractList: Command = {
  usage: '--merchant CODE',
  summary: 'Lists a merchant’s contracts and their terms, oldest first',
  run: async (args, context) => {
    const { values } = parseArgs({ args, options: { merchant: text } })
    return withMerchant(context, values.merchant, async ({ core }, merchant) => {
      const terms = new Map((await showTerms(core.db, merchant)).map((one) => [one.code, one.terms]))
      print(
        context,
        [...merchant.contracts.values()].map(({ code, name, description, disabledAt }) => ({
          code,
          name,
          description,
          disabledAt,
          ...terms.get(code),
        })),
      )
    })
  },
}

export const contractAdd: Command = {
  usage: '--merchant CODE --name NAME [--description TEXT]',
  summary: 'Adds a contract to a merchant and prints its code',
  details:
    '\nIt starts with the default terms. Change them with: ./kobo merchant set CODE --contract CODE NAME=VALUE\n',
  run: async (args, context) => {
    const { values } = parseArgs({ args, options: { merchant: text, name: text, description: text } })
    const name = required(values.name, '--name').trim()
    const description = values.description?.trim() || 'Collections'
    if (name.length > TEXT_LENGTH_MAX || description.length > TEXT_LENGTH_MAX)
      throw new UsageError(`--name and --description must have at most ${TEXT_LENGTH_MAX} characters.`)
    return withMerchant(context, values.merchant, async ({ core }, merchant) => {
      const contract = await asUsageError(addContract(core.directory, merchant.id, { name, description }))
      print(context, { merchant: merchant.code, contract, name, description })
    })
  },
}

const TEXT_LENGTH_MAX = 255

export const contractDisable: Command = {
  usage: '--merchant CODE --contract CODE',
  summary: 'Disables a contract for new payments; existing ones continue',
  details:
    '\nNew payments, reserved accounts, mandates and debits are rejected as if the contract did not exist. Money that arrives for\nexisting ones is still booked and settled by the contract’s terms.\n',
  run: (args, context) => change(args, context, true),
}

export const contractEnable: Command = {
  usage: '--merchant CODE --contract CODE',
  summary: 'Enables a disabled contract',
  run: (args, context) => change(args, context, false),
}

async function change(args: string[], context: CommandContext, isDisabled: boolean): Promise<number> {
  const { values } = parseArgs({ args, options: { merchant: text, contract: text } })
  const contract = required(values.contract, '--contract')
  return withMerchant(context, values.merchant, async ({ core }, merchant) => {
    await asUsageError(setDisabled(core.directory, merchant.id, contract, isDisabled))
    print(context, { merchant: merchant.code, contract, isDisabled })
  })
}

const asUsageError = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw error instanceof ContractError ? new UsageError(error.message) : error
  })
