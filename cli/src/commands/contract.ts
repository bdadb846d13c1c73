import { parseArgs } from 'node:util'
import { addContract, ContractError, setDisabled, showTerms } from '@kobo/gateway/features/settings/index.ts'
import { type Command, print, required, type Surroundings, UsageError, withMerchant } from '../command.ts'

const text = { type: 'string' } as const

export const contractList: Command = {
  usage: '--merchant CODE',
  summary: 'Lists the contracts of a merchant with their terms, oldest first',
  run: async (args, around) => {
    const { values } = parseArgs({ args, options: { merchant: text } })
    return withMerchant(around, values.merchant, async ({ core }, merchant) => {
      const terms = new Map((await showTerms(core.db, merchant)).map((one) => [one.code, one.terms]))
      print(
        around,
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
  summary: 'Gives a merchant a further contract and prints its code',
  details:
    '\nIts terms are those of a new merchant: change them by kobo merchant set CODE --contract CODE NAME=VALUE\n',
  run: async (args, around) => {
    const { values } = parseArgs({ args, options: { merchant: text, name: text, description: text } })
    const name = required(values.name, '--name').trim()
    const description = values.description?.trim() || 'Collections'
    if (name.length > TEXT_LENGTH_MAX || description.length > TEXT_LENGTH_MAX)
      throw new UsageError(`--name and --description have at most ${TEXT_LENGTH_MAX} characters.`)
    return withMerchant(around, values.merchant, async ({ core }, merchant) => {
      const contract = await understood(addContract(core.directory, merchant.id, { name, description }))
      print(around, { merchant: merchant.code, contract, name, description })
    })
  },
}

const TEXT_LENGTH_MAX = 255

export const contractDisable: Command = {
  usage: '--merchant CODE --contract CODE',
  summary: 'Has a contract take nothing new; what was agreed under it goes on',
  details:
    '\nNew payments, reserved accounts, mandates and debits under it are refused as of an unknown contract. Money that arrives for\nwhat exists is booked and settled by its terms.\n',
  run: (args, around) => change(args, around, true),
}

export const contractEnable: Command = {
  usage: '--merchant CODE --contract CODE',
  summary: 'Lets a disabled contract take payments again',
  run: (args, around) => change(args, around, false),
}

async function change(args: string[], around: Surroundings, isDisabled: boolean): Promise<number> {
  const { values } = parseArgs({ args, options: { merchant: text, contract: text } })
  const contract = required(values.contract, '--contract')
  return withMerchant(around, values.merchant, async ({ core }, merchant) => {
    await understood(setDisabled(core.directory, merchant.id, contract, isDisabled))
    print(around, { merchant: merchant.code, contract, isDisabled })
  })
}

/** What cannot be done with contracts is a wrong call. */
const understood = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw error instanceof ContractError ? new UsageError(error.message) : error
  })
