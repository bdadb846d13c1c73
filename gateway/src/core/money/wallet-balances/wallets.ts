import { invariant } from '../../../kernel/errors.ts'
import { add, type Kobo, kobo, ZERO } from '../../../kernel/money.ts'
import type { Tx } from '../../../platform/db.ts'
import { type Notice, notify } from '../../messages/notices.ts'
import { emit, type OutgoingEvent } from '../../messages/outbox/index.ts'
import type { UnitOfWork } from '../../unit-of-work.ts'
import { type Journal, postNew, walletOf } from '../ledger/index.ts'
import { activityEvent, type Counterparty, lowBalanceEvent, lowBalanceNotice } from './events.ts'
import { lockWallets, type OpenWallet, selectAvailable, type WalletKey } from './repository.ts'
import { type WalletEntryRow, walletEntries } from './statement.ts'

/** Something that changes wallets. By how much follows from the journal's moves, so statement and ledger cannot differ. */
export interface WalletAct {
  /** Under a key that cannot have been used. */
  readonly journal: Journal
  /** The merchant's own reference of the act. */
  readonly reference: string
  readonly transactionReference: string
  readonly narration: string | null
  readonly message: string
  readonly counterparty?: Counterparty | null
}

/** A wallet under its lock. */
interface Held {
  readonly wallet: OpenWallet
  /** What can be spent, after the acts taken so far. */
  available: Kobo
  /** The last line of its statement; 0 before the first. */
  lastEntry: bigint
}

/** Some wallets, locked until the database transaction ends, and what is done to them in it. */
export interface Wallets {
  /** What can be spent now, after the acts taken so far; undefined where the merchant has no such wallet. */
  readonly available: (key: WalletKey) => Kobo | undefined
  /** Takes an act, unless a wallet would fall below zero; answers whether it was taken. */
  readonly take: (act: WalletAct) => boolean
  /** Writes journals, statement lines and events of all acts taken. Call once, last: it locks the other accounts. */
  readonly write: (unit: UnitOfWork) => void
}

/**
 * Locks wallets, in one order for all, and reads what they hold. All who change a wallet come through here, and lock it
 * before any other account, so two of them never wait for each other in a circle.
 */
export async function openWallets(tx: Tx, wanted: readonly WalletKey[]): Promise<Wallets> {
  const keys = [...new Map(wanted.map((key) => [textOf(key), key])).values()]
  // Sent together and carried out in this order: the balances are read after the lock, so they are the latest.
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

/** By how much a journal changes each wallet that it names. */
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
 * The number of a wallet's next line: an id, and above that of the line before, which was read under the wallet's lock. So
 * lines stand in the order in which they came about, whatever the clocks of the nodes that wrote them say.
 */
function nextEntry({ ids }: UnitOfWork, { lastEntry }: Held): bigint {
  const id = ids.id()
  return id > lastEntry ? id : lastEntry + 1n
}

/** The line of a statement that an act leaves. */
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

/** Told once per crossing: a wallet that stays low is not told of again. */
const hasCrossed = (threshold: Kobo | null, before: Kobo, after: Kobo): boolean =>
  threshold !== null && before >= threshold && after < threshold
