import { firstIdAt } from '../../../kernel/ids.ts'
import { add, type Kobo, kobo } from '../../../kernel/money.ts'
import type { Tx } from '../../../platform/db.ts'
import { setsOf } from '../../../platform/sets.ts'
import type { OutgoingEvent } from '../../messages/outbox/index.ts'
import { activityEvent } from './events.ts'
import { lockWallets, type WalletKey } from './repository.ts'
import { type WalletEntryRow, walletEntries } from './statement.ts'
import { changesOf, entryOf, type WalletAct } from './wallets.ts'

/** A wallet between two moments of the past in which nothing became of it: what happens there must leave as much as it found. */
export interface PastWallet {
  readonly available: () => Kobo
  /** Takes an act of that time, unless the wallet would fall below zero; answers its line and what tells of it. */
  readonly take: (
    act: WalletAct,
    id: bigint,
    at: Date,
  ) => { readonly line: WalletEntryRow; readonly event: OutgoingEvent } | undefined
}

/** Opens a wallet as it was between two moments; undefined where something became of it then, or where there is none. */
export async function openPastWallet(tx: Tx, key: WalletKey, from: Date, to: Date): Promise<PastWallet | undefined> {
  const { merchantId, accountNumber } = key
  const [[wallet], [found]] = await Promise.all([
    lockWallets(tx, [key]),
    tx<{ isUsed: boolean; balance: Kobo | null }[]>`
      select exists (select from wallet_entry
                      where merchant_id = ${merchantId} and account_number = ${accountNumber}
                        and id >= ${firstIdAt(from)} and id < ${firstIdAt(to)}) as is_used,
             coalesce(
               (select balance_after from wallet_entry
                 where merchant_id = ${merchantId} and account_number = ${accountNumber} and id < ${firstIdAt(from)}
                 order by id desc limit 1),
               (select balance_before from wallet_entry
                 where merchant_id = ${merchantId} and account_number = ${accountNumber} and id >= ${firstIdAt(to)}
                 order by id limit 1),
               (select balance from account where merchant_id = ${merchantId} and code = 'wallet/' || ${accountNumber}::text),
               0) as balance`,
  ])
  if (wallet === undefined || found?.isUsed !== false) return undefined
  let available = kobo(found.balance ?? 0n)
  return {
    available: () => available,
    take: (act, id, at) => {
      const before = available
      const after = add(before, changesOf(act.journal).get(accountNumber) ?? kobo(0n))
      if (after < 0n || after === before) return undefined
      available = after
      const line = entryOf(key, { id, at }, act, before, after)
      return { line, event: activityEvent(wallet, line, act.counterparty ?? null) }
    },
  }
}

/** So many rows go into one statement. */
const SET_MAX = 2_000

/** Writes lines of the past. */
export function writePastLines(tx: Tx, lines: readonly WalletEntryRow[]): void {
  for (const set of setsOf(lines, SET_MAX)) walletEntries.insert(tx, set)
}
