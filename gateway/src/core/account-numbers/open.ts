import { Refusal } from '../../kernel/errors.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import { insertIssuedAccounts, type UnnumberedAccount, type VirtualAccount } from './accounts.ts'
import { accountErrors } from './errors.ts'
import type { IssuedNumber, Issuing, NumberRequest } from './issue.ts'
import { type Mint, openMint } from './mint.ts'
import { markUsed } from './request-repository.ts'
import { type AccountSources, isPrefixSource, type PrefixSource } from './sources.ts'

/** An account to be opened, with its number if a bank issued one. */
export type AccountToOpen = UnnumberedAccount & { readonly issued?: IssuedNumber | undefined }

type Opened = VirtualAccount | Refusal

/** Assigns account numbers and opens accounts. */
export interface VirtualAccounts {
  /** The banks that provide accounts now. */
  readonly sources: () => AccountSources
  /** The default bank; throws if there is none. */
  readonly firstBank: () => string
  /** Whether a bank issues its own numbers, so that one must be requested first. */
  readonly isIssued: (bankCode: string) => boolean
  /**
   * Requests numbers from the banks that issue their own, and returns them by bank code. Call it outside a
   * transaction. A repeated request gets the same numbers.
   */
  readonly numbersFor: (
    requested: Omit<NumberRequest, 'bankCode' | 'partner'>,
    bankCodes: readonly string[],
  ) => Promise<ReadonlyMap<string, IssuedNumber>>
  /** Opens accounts; returns each, or why it could not be opened. */
  readonly open: (tx: Tx, requested: readonly AccountToOpen[]) => Promise<readonly Opened[]>
  readonly openAll: (tx: Tx, requested: readonly AccountToOpen[]) => Promise<readonly VirtualAccount[]>
  /** Returns one of Kobo's own numbers. No bank knows it, so it cannot receive money. */
  readonly ownNumber: (tx: Tx) => Promise<string>
}

const NONE: ReadonlyMap<string, IssuedNumber> = new Map()

export function openVirtualAccounts(
  sources: () => AccountSources,
  { obtain }: Pick<Issuing, 'obtain'>,
  cell = '',
): VirtualAccounts {
  const mint = openMint(cell)
  const isIssued = (bankCode: string): boolean => sources().at(bankCode)[0]?.kind === 'issued'
  const partnerAt = (bankCode: string): string => sources().at(bankCode)[0]?.partner ?? ''

  const open: VirtualAccounts['open'] = async (tx, requested) => {
    const results: Opened[] = []
    const unnumbered = [...requested.entries()].filter(([, { issued }]) => issued === undefined)
    for (const [bankCode, group] of Map.groupBy(unnumbered, ([, account]) => account.bankCode)) {
      const all = await mintAt(
        mint,
        sources().at(bankCode).filter(isPrefixSource),
        tx,
        group.map(([, { issued: _, ...account }]) => account),
      )
      for (const [nth, [index]] of group.entries()) results[index] = all[nth] as Opened
    }
    const issuedAccounts = new Map<number, VirtualAccount>()
    for (const [index, { issued, ...account }] of requested.entries())
      if (issued !== undefined) issuedAccounts.set(index, numbered(account, issued))
    await insertIssuedAccounts(tx, [...issuedAccounts.values()])
    markUsed(
      tx,
      requested.flatMap(({ issued }) => issued ?? []),
    )
    for (const [index, account] of issuedAccounts) results[index] = account
    return results
  }

  return {
    sources,
    isIssued,
    firstBank: () => {
      const [first] = sources().bankCodes
      if (first === undefined) throw accountErrors.noSource()
      return first
    },
    numbersFor: async (requested, bankCodes) => {
      const issuing = bankCodes.filter(isIssued)
      if (issuing.length === 0) return NONE
      const numbers = await Promise.all(
        issuing.map((bankCode) => obtain({ ...requested, bankCode, partner: partnerAt(bankCode) })),
      )
      return new Map(numbers.map((number) => [number.bankCode, number]))
    },
    open,
    openAll: async (tx, requested) =>
      (await open(tx, requested)).map((response) => {
        if (response instanceof Refusal) throw response
        return response
      }),
    ownNumber: mint.ownNumber,
  }
}

/** Opens accounts under our prefixes at a bank, one prefix after the other. */
async function mintAt(
  mint: Mint,
  prefixes: readonly PrefixSource[],
  tx: Tx,
  requested: readonly UnnumberedAccount[],
): Promise<readonly Opened[]> {
  const opened = new Map<number, VirtualAccount>()
  for (const source of prefixes) {
    const missing = [...requested.entries()].filter(([index]) => !opened.has(index))
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
  const error = prefixes.length === 0 ? accountErrors.noSource() : accountErrors.usedUp()
  return requested.map((_, index) => opened.get(index) ?? error)
}

/** Adds its issued number to an account. The account expires no later than the bank's reservation of the number. */
function numbered(
  account: UnnumberedAccount,
  { bankCode, accountNumber, closesAt, partner }: IssuedNumber,
): VirtualAccount {
  const isSooner = closesAt !== null && (account.closesAt === null || closesAt < account.closesAt)
  return { ...account, bankCode, accountNumber, partner, closesAt: isSooner ? closesAt : account.closesAt }
}
