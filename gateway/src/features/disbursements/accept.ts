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
import { isTaken } from '../../platform/db.ts'
import type { Lane } from '../../platform/lanes.ts'
import { insertRequests, type RequestRow } from './approval-repository.ts'
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

/** A transfer that is refused or accepted as it stands. */
export interface Draft {
  readonly transfer: TransferRow
  readonly order: OrderRow
  /** Set where a code is to authorise it. */
  readonly authorization?: AuthorizationRow | undefined
  /** Set where people are to approve it. */
  readonly request?: RequestRow | undefined
}

export type AcceptLane = Lane<Draft, TransferRow>

/** The same transfer again within this time is taken for a mistake. */
const TWIN_SECONDS = 120
const ATTEMPTS_MAX = 3

/** Accepts a set of transfers: each has its money taken from its wallet, or is refused. */
export async function acceptTransfers(core: Core, drafts: readonly Draft[]): Promise<(TransferRow | Refusal)[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryAccept(core, drafts)
    } catch (error) {
      // A reference that was free when we asked went to a transfer from another wallet. Asked again, we see it.
      if (!isTaken(error) || attempt === ATTEMPTS_MAX) throw error
    }
  }
}

const tryAccept = (core: Core, drafts: readonly Draft[]): Promise<(TransferRow | Refusal)[]> =>
  unitOfWork(core, async (unit) => {
    const { tx, at } = unit
    const transfers = drafts.map(({ transfer }) => transfer)
    // Sent together and carried out in this order: what is asked after the lock sees all that was accepted before.
    const [wallets, conflicts] = await Promise.all([
      openWallets(tx, transfers.map(walletOf)),
      findConflicts(tx, transfers, secondsAfter(at, -TWIN_SECONDS)),
    ])
    const decide = decider(wallets, conflicts)
    const answers = transfers.map((transfer) => decide(transfer) ?? transfer)
    const accepted = drafts.filter((_, index) => answers[index] === transfers[index])
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
    return answers
  })

const walletOf = ({ merchantId, sourceAccountNumber }: TransferRow) => ({
  merchantId,
  accountNumber: sourceAccountNumber,
})

/** Decides about transfers one after another, each in the light of those accepted before it: takes its money, or refuses. */
function decider(
  wallets: Wallets,
  conflicts: ReadonlyMap<bigint, Conflicts>,
): (transfer: TransferRow) => Refusal | undefined {
  const references = new Set<string>()
  const made = new Set<string>()
  return (transfer) => {
    const { isTaken, hasTwin } = conflicts.get(transfer.id) ?? {}
    const reference = `${transfer.merchantId}/${transfer.reference}`
    const twin = twinKey(transfer)
    if (wallets.available(walletOf(transfer)) === undefined) return disbursementErrors.unknownWallet()
    if (isTaken || references.has(reference)) return disbursementErrors.referenceExists('reference')
    if (hasTwin || made.has(twin)) return disbursementErrors.madeJustNow()
    if (!wallets.take(heldAct(transfer))) return insufficientBalance()
    references.add(reference)
    made.add(twin)
    return undefined
  }
}

const twinKey = (transfer: TransferRow): string =>
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
