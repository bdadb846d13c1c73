import { accountRefusals } from '@kobo/contract'
import { Refusal, refusals } from '../../../kernel/errors.ts'
import type { Tx } from '../../../platform/db.ts'
import type { VirtualAccount, WantedAccount } from './accounts.ts'
import { openMint } from './mint.ts'
import { type AccountSources, isPrefixSource } from './sources.ts'

/** How whatever opens an account refuses where no bank gives a number for it. */
export const accountErrors = refusals(accountRefusals)

/** Hands out account numbers and opens accounts under them. */
export interface VirtualAccounts {
  /** The banks at which accounts are opened, as they are now. */
  readonly sources: () => AccountSources
  /** The bank where nobody names one; refuses where there is none. */
  readonly firstBank: () => string
  /** Opens accounts, each or why not. */
  readonly open: (tx: Tx, wanted: readonly WantedAccount[]) => Promise<readonly (VirtualAccount | Refusal)[]>
  /** The same for accounts that are opened together or not at all. */
  readonly openAll: (tx: Tx, wanted: readonly WantedAccount[]) => Promise<readonly VirtualAccount[]>
  /** A number of ours alone, which no bank knows and nobody can pay into. */
  readonly ownNumber: (tx: Tx) => Promise<string>
}

export function openVirtualAccounts(sources: () => AccountSources): VirtualAccounts {
  const mint = openMint()

  async function openAt(
    tx: Tx,
    bankCode: string,
    wanted: readonly WantedAccount[],
  ): Promise<readonly (VirtualAccount | Refusal)[]> {
    const opened = new Map<number, VirtualAccount>()
    const here = sources().at(bankCode).filter(isPrefixSource)
    for (const source of here) {
      const missing = [...wanted.entries()].filter(([index]) => !opened.has(index))
      const minted = await mint.open(
        tx,
        source,
        missing.map(([, account]) => account),
      )
      for (const [nth, [index]] of missing.entries()) {
        const account = minted.get(nth)
        if (account !== undefined) opened.set(index, account)
      }
    }
    const refused = here.length === 0 ? accountErrors.noSource() : accountErrors.usedUp()
    return wanted.map((_, index) => opened.get(index) ?? refused)
  }

  const open: VirtualAccounts['open'] = async (tx, wanted) => {
    const results: (VirtualAccount | Refusal)[] = []
    const banks = Map.groupBy(wanted.entries(), ([, { bankCode }]) => bankCode)
    for (const [bankCode, group] of banks) {
      const answers = await openAt(
        tx,
        bankCode,
        group.map(([, account]) => account),
      )
      for (const [nth, [index]] of group.entries()) results[index] = answers[nth] as VirtualAccount | Refusal
    }
    return results
  }

  return {
    sources,
    firstBank: () => {
      const [first] = sources().bankCodes
      if (first === undefined) throw accountErrors.noSource()
      return first
    },
    open,
    openAll: async (tx, wanted) =>
      (await open(tx, wanted)).map((answer) => {
        if (answer instanceof Refusal) throw answer
        return answer
      }),
    ownNumber: mint.ownNumber,
  }
}
