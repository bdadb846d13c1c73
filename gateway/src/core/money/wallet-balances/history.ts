import { firstIdAt } from '../../../kernel/ids.ts'
import { add, type Kobo, kobo } from '../../../kernel/money.ts'
import { chunksOf } from '../../../platform/lanes/chunks.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import type { OutgoingEvent } from '../../messages/outbox/index.ts'
import { activityEvent } from './events.ts'
import { lockWallets, type WalletKey } from './repository.ts'
import { type WalletEntryRow, walletEntries } from './statement.ts'
import { changesOf, entryOf, type WalletAct } from './wallets.ts'

/**
 * A wallet in a past period in which nothing real happened. Its generated history must end with the balance that it
 * started with.
 */
export interface HistoryWallet {
  readonly available: () => Kobo
  /**
   * Applies an act of that period; returns its entry and event. Undefined if the balance would not change or fall below
   * zero.
   */
  readonly take: (
    act: WalletAct,
    id: bigint,
    at: Date,
  ) => { readonly line: WalletEntryRow; readonly event: OutgoingEvent } | undefined
}

/** Opens a wallet as it was between two times; undefined if there is none or it changed in that period. */
export async function openHistoryWallet(
  tx: Tx,
  key: WalletKey,
  from: Date,
  to: Date,
): Promise<HistoryWallet | undefined> {
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

/** At most this many rows per query. */
const BATCH_MAX = 2_000

export function writeHistoryLines(tx: Tx, lines: readonly WalletEntryRow[]): void {
  for (const batch of chunksOf(lines, BATCH_MAX)) walletEntries.insert(tx, batch)
}
