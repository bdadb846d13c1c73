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

interface State {
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
  const states = new Map(
    wallets.map((wallet): [string, State] => [textOf(wallet), { wallet, available: ZERO as Kobo, lastEntry: 0n }]),
  )
  for (const { balance, lastEntry, ...key } of balances) {
    const state = states.get(textOf(key))
    if (state === undefined) continue
    state.available = balance
    state.lastEntry = lastEntry ?? 0n
  }
  const applied: { readonly act: WalletAct; readonly state: State; readonly before: Kobo; readonly after: Kobo }[] = []
  const journals: Journal[] = []

  return {
    available: (key) => states.get(textOf(key))?.available,
    take: (act) => {
      const changes = [...changesOf(act.journal)].map(([accountNumber, change]) => {
        const state = states.get(textOf({ merchantId: act.journal.merchantId, accountNumber }))
        invariant(state !== undefined, 'a wallet is opened before it is changed')
        return { state, before: state.available, after: add(state.available, change) }
      })
      if (changes.some(({ after }) => after < 0n)) return false
      for (const { state, before, after } of changes) {
        state.available = after
        if (before !== after) applied.push({ act, state, before, after })
      }
      journals.push(act.journal)
      return true
    },
    write: (unit) => {
      const entries: WalletEntryRow[] = []
      const events: OutgoingEvent[] = []
      const notices: Notice[] = []
      for (const { act, state, before, after } of applied) {
        const { wallet } = state
        state.lastEntry = nextEntry(unit, state)
        const entry = entryOf(state.wallet, { id: state.lastEntry, at: unit.at }, act, before, after)
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
 * Returns the id of a wallet's next entry. It is greater than the previous entry's id, which was read under the lock,
 * so entries are in order even if the nodes' clocks differ.
 */
function nextEntry({ ids }: UnitOfWork, { lastEntry }: State): bigint {
  const id = ids.id()
  return id > lastEntry ? id : lastEntry + 1n
}

/** Builds the statement entry of an act. */
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

/** Whether the balance has just fallen below the threshold. A wallet that stays low is not reported again. */
const hasCrossed = (threshold: Kobo | null, before: Kobo, after: Kobo): boolean =>
  threshold !== null && before >= threshold && after < threshold
