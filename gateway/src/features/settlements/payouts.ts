import { WALLET_BANK } from '../../core/banks/index.ts'
import { type Journal, postNew } from '../../core/ledger/index.ts'
import { notify } from '../../core/notices.ts'
import { emit } from '../../core/outbox/index.ts'
import { nextCycle } from '../../core/settlement-cycle/index.ts'
import { type Clock, secondsAfter } from '../../kernel/clock.ts'
import { invariant } from '../../kernel/errors.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { next, type Trigger } from '../../kernel/machine.ts'
import { type Db, inTransaction, type Tx } from '../../platform/db.ts'
import type { Rails } from '../../rails/index.ts'
import type { FoundTransfer, TransferOrder } from '../../rails/transfer.ts'
import { selectPayments } from '../transactions/index.ts'
import { settlementEvent } from './events.ts'
import { payoutJournal, payoutReference, payoutReversedJournal } from './journals.ts'
import { payoutMachine, settlementMachine } from './machine.ts'
import { settlementReports } from './reports.ts'
import {
  type DuePayout,
  lockDuePayouts,
  lockPayout,
  lockSettlement,
  type PayoutRow,
  selectIncomes,
  selectSettledTransactions,
  updatePayouts,
  updateSettlement,
} from './repository.ts'

const PAYOUTS_AT_ONCE_MAX = 20
/** An outcome that is not known is asked for again so often; whoever sends has as long before another takes over. */
const ASK_AGAIN_SECONDS = 60

export interface PayoutDeps {
  readonly db: Db
  readonly clock: Clock
  readonly ids: IdSource
  readonly rails: Pick<Rails, 'transfer'>
  readonly pokeDelivery: () => void
}

/** Sends payouts that are due and asks what became of those not known. Answers how many it took on. */
export async function payOutDue(deps: PayoutDeps, at: Date, limit: number): Promise<number> {
  let done = 0
  while (done < limit) {
    const taken = await inTransaction(deps.db, (tx) => takeOn(tx, at, Math.min(PAYOUTS_AT_ONCE_MAX, limit - done)))
    await Promise.all(taken.map(({ payout, isNew }) => payOut(deps, payout, isNew)))
    done += taken.length
    if (taken.length < PAYOUTS_AT_ONCE_MAX) break
  }
  return done
}

interface TakenOn {
  readonly payout: DuePayout
  readonly isNew: boolean
}

/** Writes down the intention before anything is sent: from here on a payout has a reference that the rail can be asked about. */
async function takeOn(tx: Tx, at: Date, limit: number): Promise<readonly TakenOn[]> {
  const due = await lockDuePayouts(tx, at, limit)
  const taken = due.map((payout) => {
    const dueAt = secondsAfter(at, ASK_AGAIN_SECONDS)
    const isNew = payout.status === 'DUE'
    return { payout: isNew ? { ...tryAgain(payout), dueAt } : { ...payout, dueAt }, isNew }
  })
  if (taken.length > 0)
    await updatePayouts(
      tx,
      taken.map(({ payout }) => payout),
    )
  return taken
}

/** A further try, to the account that its owner has now. */
const tryAgain = (payout: DuePayout): DuePayout => ({
  ...payout,
  status: moved(payout, 'send'),
  tries: payout.tries + 1,
  bankCode: payout.presentBankCode,
  accountNumber: payout.presentAccountNumber,
  accountName: payout.presentAccountName,
  failure: null,
})

async function payOut(deps: PayoutDeps, payout: DuePayout, isNew: boolean): Promise<void> {
  const outcome = await ask(deps.rails, payout, isNew)
  const told = await inTransaction(deps.db, (tx) => conclude(tx, deps.ids, deps.clock.now(), payout, outcome))
  if (told) deps.pokeDelivery()
}

/** Sends a payout, or asks about one that was sent. The rail carries out a reference once, so what never reached it is sent again. */
async function ask({ transfer }: PayoutDeps['rails'], payout: DuePayout, isNew: boolean): Promise<FoundTransfer> {
  if (isNew) return transfer.send(orderOf(payout))
  const found = await transfer.find(payoutReference(payout))
  return found.kind === 'not found' ? transfer.send(orderOf(payout)) : found
}

const orderOf = (payout: DuePayout): TransferOrder => ({
  reference: payoutReference(payout),
  amount: payout.amount,
  destination: {
    bankCode: payout.bankCode,
    accountNumber: payout.accountNumber,
    accountName: payout.accountName,
  },
  narration: `Settlement ${payout.settlementReference}`,
  sender: {
    name: payout.merchantName,
    accountNumber: payout.walletAccountNumber,
    bankCode: WALLET_BANK.code,
    bvn: null,
  },
})

/** Writes down what became of a payout; answers whether there is something to tell. An answer that comes too late changes nothing. */
async function conclude(tx: Tx, ids: IdSource, at: Date, asked: DuePayout, outcome: FoundTransfer): Promise<boolean> {
  const payout = await lockPayout(tx, asked)
  if (payout === undefined || payout.tries !== asked.tries || payout.status !== asked.status) return false
  const after = outcomeOf(payout, outcome, at, asked.settlementCycle)
  if (after === undefined) return false
  await updatePayouts(tx, [after.payout])
  if (after.journal === undefined) return false
  const tells = payout.beneficiaryType === 'MERCHANT' && (await moveSettlement(tx, ids, at, after.payout))
  await postNew({ tx, ids, at, wake: () => {} }, [after.journal])
  await reportArrival(tx, ids, at, { ...asked, ...after.payout })
  return tells
}

/** A sub account's share that has arrived is told by mail to whom it named. */
async function reportArrival(tx: Tx, ids: IdSource, at: Date, payout: DuePayout): Promise<void> {
  if (payout.status !== 'COMPLETED' || payout.reportEmails.length === 0) return
  await notify({ tx, ids, at, wake: () => {} }, settlementReports(payout, await selectIncomes(tx, payout), at))
}

/** A payout after an outcome, and what that does to the books; undefined where nothing is known yet. */
export function outcomeOf(
  payout: PayoutRow,
  outcome: FoundTransfer,
  at: Date,
  cycle: string,
): { readonly payout: PayoutRow; readonly journal?: Journal } | undefined {
  switch (outcome.kind) {
    case 'unknown':
    case 'not found':
      return undefined
    case 'succeeded': {
      const { sessionId, finalAt = null } = outcome
      // Where it may still come back, it is asked about once more then.
      if (payout.status === 'COMPLETED')
        return { payout: { ...payout, dueAt: finalAt !== null && finalAt > at ? finalAt : null } }
      const arrived = {
        ...payout,
        status: moved(payout, 'succeed'),
        sessionId,
        failure: null,
        dueAt: finalAt,
        completedAt: at,
      }
      return { payout: arrived, journal: payoutJournal(arrived) }
    }
    case 'failed':
    case 'reversed': {
      const hasArrived = payout.status === 'COMPLETED'
      const failed: PayoutRow = {
        ...payout,
        status: moved(payout, hasArrived ? 'reverse' : 'fail'),
        sessionId: null,
        failure: outcome.kind === 'failed' ? outcome.reason : 'The bank sent it back',
        dueAt: nextCycle(cycle, at),
        completedAt: null,
      }
      return hasArrived ? { payout: failed, journal: payoutReversedJournal(payout) } : { payout: failed }
    }
  }
}

function moved(payout: PayoutRow, trigger: Trigger<typeof payoutMachine>): PayoutRow['status'] {
  const status = next(payoutMachine, payout.status, trigger)
  invariant(status !== undefined, `a payout that is ${payout.status} can ${trigger}`)
  return status
}

/** The merchant's own payout completes its settlement, which is then told; one that comes back opens it again. */
async function moveSettlement(tx: Tx, ids: IdSource, at: Date, payout: PayoutRow): Promise<boolean> {
  const isComplete = payout.status === 'COMPLETED'
  const settlement = await lockSettlement(tx, payout.merchantId, payout.settlementId)
  const status =
    settlement === undefined
      ? undefined
      : next(settlementMachine, settlement.status, isComplete ? 'complete' : 'reverse')
  invariant(settlement !== undefined && status !== undefined, 'a settlement follows its payout')
  const after = {
    ...settlement,
    status,
    completedAt: isComplete ? at : null,
    destinationBankCode: payout.bankCode,
    destinationAccountNumber: payout.accountNumber,
    destinationAccountName: payout.accountName,
  }
  await updateSettlement(tx, after)
  if (!isComplete) return false
  const transactions = await selectSettledTransactions(tx, after, after.transactionsCount, 0)
  const paymentsOf = Map.groupBy(await selectPayments(tx, transactions), ({ transactionId }) => transactionId)
  const records = transactions
    .map((transaction) => ({ transaction, payments: paymentsOf.get(transaction.id) ?? [] }))
    .reverse()
  await emit({ tx, ids, at, wake: () => {} }, [settlementEvent(after, records)])
  return true
}
