import type { checkReceipt, Reply } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import type { ReceiptKeys } from '../../core/security/receipt-keys.ts'
import { sum, toNaira, ZERO } from '../../kernel/money.ts'
import { selectDisputesOf } from '../disputes/index.ts'
import { selectRefundedSums } from '../refunds/index.ts'
import { transactionReads } from '../transactions/index.ts'
import { receiptErrors } from './errors.ts'
import { readReceipt } from './statement.ts'

export interface ReceiptDeps {
  readonly core: Core
  readonly receiptKeys: ReceiptKeys
}

/** Returns the current state of a payment, for the holder of its receipt. */
export async function receiptStatus(
  { core: { db, clock }, receiptKeys }: ReceiptDeps,
  receipt: string,
): Promise<Reply<typeof checkReceipt>> {
  const transactionReference = await readReceipt(receiptKeys, receipt)
  if (transactionReference === undefined) throw receiptErrors.receiptNotSigned()
  const merchantId = await transactionReads.merchantOf(db, transactionReference)
  const [transaction] =
    merchantId === undefined ? [] : await transactionReads.byReferences(db, [{ merchantId, transactionReference }])
  if (transaction === undefined) throw receiptErrors.notFound()
  const [refunds, disputes] = await Promise.all([
    selectRefundedSums(db, transaction.merchantId, [transaction.id]),
    selectDisputesOf(db, transaction),
  ])
  const reversed = disputes.filter(({ status }) => status === 'LOST' || status === 'ACCEPTED')
  return {
    transactionReference,
    currencyCode: transaction.currencyCode,
    amountPaid: toNaira(transaction.amountPaid),
    amountRefunded: toNaira(refunds[0]?.amount ?? ZERO),
    amountReversed: toNaira(sum(reversed.map(({ amount }) => amount))),
    now: clock.now().getTime(),
  }
}
