import type { Core } from '../../core/core.ts'
import {
  insufficientBalance,
  openWallets,
  type WalletAct,
  type Wallets,
} from '../../core/money/wallet-balances/index.ts'
import { type OrderRow, placeOrders } from '../../core/orders/index.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import type { Refusal } from '../../kernel/errors.ts'
import type { Lane } from '../../platform/lanes/lane.ts'
import { isUniqueViolation } from '../../platform/postgres/db.ts'
import { insertRequests, type RequestRow } from '../approvals/index.ts'
import { disbursementErrors } from './errors.ts'
import { heldJournal } from './journals.ts'
import {
  type AuthorizationRow,
  type Conflicts,
  findConflicts,
  insertAuthorizations,
  insertTransfers,
  type TransferRow,
} from './repository.ts'

/** A transfer before it is accepted or rejected. */
export interface Draft {
  readonly transfer: TransferRow
  readonly order: OrderRow
  readonly authorization?: AuthorizationRow | undefined
  /** Set if the transfer needs approval by team members. */
  readonly request?: RequestRow | undefined
}

export type AcceptLane = Lane<Draft, TransferRow>

/** An identical transfer within this time is rejected as a duplicate. */
const DUPLICATE_SECONDS = 120
const ATTEMPTS_MAX = 3

/** Accepts a chunk of transfers: each is debited from its wallet or rejected. */
export async function acceptTransfers(core: Core, drafts: readonly Draft[]): Promise<(TransferRow | Refusal)[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryAccept(core, drafts)
    } catch (error) {
      // A transfer from another wallet took the reference after our check; the next attempt sees it.
      if (!isUniqueViolation(error) || attempt === ATTEMPTS_MAX) throw error
    }
  }
}

const tryAccept = (core: Core, drafts: readonly Draft[]): Promise<(TransferRow | Refusal)[]> =>
  unitOfWork(core, async (unit) => {
    const { tx, at } = unit
    const transfers = drafts.map(({ transfer }) => transfer)
    // Pipelined queries run in order: those after the lock see everything accepted before.
    const [wallets, conflicts] = await Promise.all([
      openWallets(tx, transfers.map(walletOf)),
      findConflicts(tx, transfers, secondsAfter(at, -DUPLICATE_SECONDS)),
    ])
    const decide = decider(wallets, conflicts)
    const results = transfers.map((transfer) => decide(transfer) ?? transfer)
    const accepted = drafts.filter((_, index) => results[index] === transfers[index])
    insertTransfers(
      tx,
      accepted.map(({ transfer }) => transfer),
    )
    insertAuthorizations(
      tx,
      accepted.flatMap(({ authorization }) => authorization ?? []),
    )
    insertRequests(
      tx,
      accepted.flatMap(({ request }) => request ?? []),
    )
    placeOrders(
      unit,
      accepted.map(({ order }) => order),
    )
    wallets.write(unit)
    return results
  })

const walletOf = ({ merchantId, sourceAccountNumber }: TransferRow) => ({
  merchantId,
  accountNumber: sourceAccountNumber,
})

/** Returns a function that decides on transfers one after the other: it debits the wallet, or returns the error. */
function decider(
  wallets: Wallets,
  conflicts: ReadonlyMap<bigint, Conflicts>,
): (transfer: TransferRow) => Refusal | undefined {
  const references = new Set<string>()
  const recent = new Set<string>()
  return (transfer) => {
    const { isTaken, hasDuplicate } = conflicts.get(transfer.id) ?? {}
    const reference = `${transfer.merchantId}/${transfer.reference}`
    const duplicate = duplicateKey(transfer)
    if (wallets.available(walletOf(transfer)) === undefined) return disbursementErrors.unknownWallet()
    if (isTaken || references.has(reference)) return disbursementErrors.referenceExists('reference')
    if (hasDuplicate || recent.has(duplicate)) return disbursementErrors.repeatedTransfer()
    if (!wallets.take(heldAct(transfer))) return insufficientBalance()
    references.add(reference)
    recent.add(duplicate)
    return undefined
  }
}

const duplicateKey = (transfer: TransferRow): string =>
  [
    transfer.merchantId,
    transfer.sourceAccountNumber,
    transfer.destinationBankCode,
    transfer.destinationAccountNumber,
    transfer.amount,
  ].join('/')

export const heldAct = (transfer: TransferRow): WalletAct => ({
  journal: heldJournal(transfer),
  reference: transfer.reference,
  transactionReference: transfer.transactionReference,
  narration: transfer.narration,
  message: `Transfer to ${transfer.destinationAccountName ?? transfer.destinationAccountNumber}`,
})
