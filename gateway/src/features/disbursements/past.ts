import type { Merchant } from '../../core/merchants/index.ts'
import { findBank } from '../../core/money/bank-list/index.ts'
import { priceOn } from '../../core/money/pricing/index.ts'
import { unroutedOrders } from '../../core/orders/index.ts'
import type { Past } from '../../core/past/index.ts'
import { type Kobo, kobo } from '../../kernel/money.ts'
import type { Tx } from '../../platform/db.ts'
import { heldAct } from './accept.ts'
import { actOf } from './conclude.ts'
import { failedEvent, successEvent } from './events.ts'
import { releasedJournal, sentJournal } from './journals.ts'
import { transferOrder } from './orders.ts'
import { insertTransfers, type TransferRow } from './repository.ts'
import { beginTransfer, type TransferFacts } from './service.ts'

/** A transfer that was made in the past, and is under way; undefined where the wallet had too little. */
export function transferBeganInPast(past: Past, merchant: Merchant, facts: TransferFacts): TransferRow | undefined {
  const { ids, at } = past.now()
  const transfer = beginTransfer(ids, merchant, facts, { kind: 'none' }, at)
  return past.spend(heldAct(transfer)) ? transfer : undefined
}

/** How it ended: it arrived, or it did not and its money came back. */
export function transferEndedInPast(past: Past, transfer: TransferRow, failure: string | undefined): TransferRow {
  const { ids, at } = past.now()
  const ended: TransferRow = {
    ...transfer,
    status: failure === undefined ? 'SUCCESS' : 'FAILED',
    sessionId:
      failure === undefined ? ids.sessionId(findBank(transfer.destinationBankCode)?.nipBankCode ?? '000000') : null,
    failureReason: failure ?? null,
    completedAt: at,
  }
  past.conclude(transferOrder(unroutedOrders, transfer, 'caller'))
  past.tell(failure === undefined ? successEvent(ended) : failedEvent(ended))
  if (failure === undefined) past.book(sentJournal(ended, null))
  else past.spend(actOf(ended, releasedJournal(ended)))
  return ended
}

/** The amount whose transfer takes exactly a sum, with its fee; undefined where there is none: fees leap from step to step. */
export function transferableOf({ prices }: Merchant, sum: Kobo, at: Date): Kobo | undefined {
  const fees = [sum, kobo(sum - priceOn(prices, 'transfer', sum, at))].flatMap((amount) =>
    amount > 0n ? priceOn(prices, 'transfer', amount, at) : [],
  )
  return fees
    .map((fee) => kobo(sum - fee))
    .find((amount) => amount > 0n && amount + priceOn(prices, 'transfer', amount, at) === sum)
}

export const writePastTransfers = (tx: Tx, rows: readonly TransferRow[]): void => insertTransfers(tx, rows)
