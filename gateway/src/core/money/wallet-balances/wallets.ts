import { invariant } from '../../../kernel/errors.ts'
import { add, type Kobo, kobo, ZERO } from '../../../kernel/money.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import { type Notice, notify } from '../../messages/notices.ts'
import { emit, type OutgoingEvent } from '../../messages/outbox/index.ts'
import type { UnitOfWork } from '../../unit-of-work.ts'
import { type Journal, postNew, walletOf } from '../ledger/index.ts'
import { activityEvent, type Counterparty, lowBalanceEvent, lowBalanceNotice } from './events.ts'
import { lockWallets, type OpenWallet, selectAvailable, type WalletKey } from './repository.ts'
import { type WalletEntryRow, walletEntries } from './statement.ts'

/** A change of wallets. The amounts follow from the journal's moves, so statement and ledger cannot differ. */
export interface WalletAct {
  /** The journal of the change. Its key must be unused. */
  readonly journal: Journal
  /** The merchant's reference for the act. */
  readonly reference: string
  readonly transactionReference: string
  readonly narration: string | null
  readonly message: string
  readonly counterparty?: Counterparty | null
}

interface Held {
  readonly wallet: OpenWallet
  /** The available balance after the acts so far. */
  available: Kobo
  /** The id of the last entry; 0 if there is none. */
  lastEntry: bigint
}

/** Wallets locked until the transaction ends, and the acts on them. */
export interface Wallets {
  /** The available balance after the acts so far; undefined if the wallet does not exist. */
  readonly available: (key: WalletKey) => Kobo | undefined
  /** Applies an act unless a wallet would go below zero; returns whether it was applied. */
  readonly take: (act: WalletAct) => boolean
  /** Writes the journals, entries and events of all acts. Call it once, last: it locks the other accounts. */
  readonly write: (unit: UnitOfWork) => void
}

/**
 * Locks wallets, always in the same order, and reads their balances. Every change of a wallet starts here and locks the
 * wallet before any other account, so there is no deadlock.
 */
export async function openWallets(tx: Tx, requested: readonly WalletKey[]): Promise<Wallets> {
  const keys = [...new Map(requested.map((key) => [textOf(key), key])).values()]
  // The queries are pipelined in this order: the balances are read after the lock, so they are current.
  const [wallets, balances] =
    keys.length === 0 ? [[], []] : await Promise.all([lockWallets(tx, keys), selectAvailable(tx, keys)])
  const state = new Map(
    wallets.map((wallet): [string, Held] => [textOf(wallet), { wallet, available: ZERO as Kobo, lastEntry: 0n }]),
  )
  for (const { balance, lastEntry, ...key } of balances) {
    const held = state.get(textOf(key))
    if (held === undefined) continue
    held.available = balance
    held.lastEntry = lastEntry ?? 0n
  }
  const taken: { readonly act: WalletAct; readonly held: Held; readonly before: Kobo; readonly after: Kobo }[] = []
  const journals: Journal[] = []

  return {
    available: (key) => state.get(textOf(key))?.available,
    take: (act) => {
      const changes = [...changesOf(act.journal)].map(([accountNumber, change]) => {
        const held = state.get(textOf({ merchantId: act.journal.merchantId, accountNumber }))
        invariant(held !== undefined, 'a wallet is opened before it is changed')
        return { held, before: held.available, after: add(held.available, change) }
      })
      if (changes.some(({ after }) => after < 0n)) return false
      for (const { held, before, after } of changes) {
        held.available = after
        if (before !== after) taken.push({ act, held, before, after })
      }
      journals.push(act.journal)
      return true
    },
    write: (unit) => {
      const entries: WalletEntryRow[] = []
      const events: OutgoingEvent[] = []
      const notices: Notice[] = []
      for (const { act, held, before, after } of taken) {
        const { wallet } = held
        held.lastEntry = nextEntry(unit, held)
        const entry = entryOf(held.wallet, { id: held.lastEntry, at: unit.at }, act, before, after)
        entries.push(entry)
        events.push(activityEvent(wallet, entry, act.counterparty ?? null))
        if (hasCrossed(wallet.lowBalanceThreshold, before, after)) {
          events.push(lowBalanceEvent(wallet, entry))
          notices.push(lowBalanceNotice(wallet, entry))
        }
      }
      walletEntries.insert(unit.tx, entries)
      emit(unit, events)
      notify(unit, notices)
      postNew(unit, journals)
    },
  }
}

const textOf = ({ merchantId, accountNumber }: WalletKey): string => `${merchantId}/${accountNumber}`

export function changesOf({ moves }: Journal): ReadonlyMap<string, Kobo> {
  const changes = new Map<string, Kobo>()
  const change = (account: string, amount: bigint): void => {
    const accountNumber = walletOf(account)
    if (accountNumber !== undefined) changes.set(accountNumber, kobo((changes.get(accountNumber) ?? 0n) + amount))
  }
  for (const { from, to, amount } of moves) {
    change(from, -amount)
    change(to, amount)
  }
  return changes
}

/**
 * A wallet's next entry id. It exceeds the previous entry's, which was read under the lock, so entries are in order
 * even if the nodes' clocks differ.
 */
function nextEntry({ ids }: UnitOfWork, { lastEntry }: Held): bigint {
  const id = ids.id()
  return id > lastEntry ? id : lastEntry + 1n
}

/** The statement entry of an act. */
export const entryOf = (
  { merchantId, accountNumber }: WalletKey,
  { id, at }: Pick<WalletEntryRow, 'id' | 'at'>,
  act: WalletAct,
  before: Kobo,
  after: Kobo,
): WalletEntryRow => ({
  merchantId,
  accountNumber,
  id,
  type: after > before ? 'CREDIT' : 'DEBIT',
  amount: kobo(after > before ? after - before : before - after),
  balanceBefore: before,
  balanceAfter: after,
  reference: act.reference,
  transactionReference: act.transactionReference,
  narration: act.narration,
  message: act.message,
  at,
})

/** The merchant is notified once per crossing: a wallet that stays low is not reported again. */
const hasCrossed = (threshold: Kobo | null, before: Kobo, after: Kobo): boolean =>
  threshold !== null && before >= threshold && after < threshold
