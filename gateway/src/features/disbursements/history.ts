import { findBank } from '../../core/bank-list/index.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import { unroutedOrders } from '../../core/orders/index.ts'
import { priceOn } from '../../core/pricing/index.ts'
import type { Past } from '../../core/sandbox-history/index.ts'
import { type Kobo, kobo } from '../../kernel/money.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import { heldAct } from './accept.ts'
import { actOf } from './conclude.ts'
import { failedEvent, successEvent } from './events.ts'
import { releasedJournal, sentJournal } from './journals.ts'
import { transferOrder } from './orders.ts'
import { insertTransfers, type TransferRow } from './repository.ts'
import { beginTransfer, type TransferFacts } from './service.ts'

/** Starts a transfer in the sandbox history; undefined if the wallet balance was too low. */
export function startTransferInHistory(past: Past, merchant: Merchant, facts: TransferFacts): TransferRow | undefined {
  const { ids, at } = past.now()
  const transfer = beginTransfer(ids, merchant, facts, { kind: 'none' }, at)
  return past.spend(heldAct(transfer)) ? transfer : undefined
}

/** Ends a transfer in the sandbox history: it succeeded, or it failed and its money was released. */
export function endTransferInHistory(past: Past, transfer: TransferRow, failure: string | undefined): TransferRow {
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
  past.notify(failure === undefined ? successEvent(ended) : failedEvent(ended))
  if (failure === undefined) past.book(sentJournal(ended, null))
  else past.spend(actOf(ended, releasedJournal(ended)))
  return ended
}

/** Returns the amount that, with its fee, makes exactly `sum`. There may be none, because fees rise in steps. */
export function transferableOf({ prices }: Merchant, sum: Kobo, at: Date): Kobo | undefined {
  const fees = [sum, kobo(sum - priceOn(prices, 'transfer', sum, at))].flatMap((amount) =>
    amount > 0n ? priceOn(prices, 'transfer', amount, at) : [],
  )
  return fees
    .map((fee) => kobo(sum - fee))
    .find((amount) => amount > 0n && amount + priceOn(prices, 'transfer', amount, at) === sum)
}

export const writeHistoryTransfers = (tx: Tx, rows: readonly TransferRow[]): void => insertTransfers(tx, rows)
