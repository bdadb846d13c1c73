import { findBank } from '../../core/bank-list/index.ts'
import type { OutgoingEvent } from '../../core/messages/outbox/index.ts'
import { slashed } from '../../kernel/dates.ts'
import { toNairaText } from '../../kernel/money.ts'
import { showTransaction, type TransactionRecord } from '../transactions/index.ts'
import type { SettlementRow } from './repository.ts'

/** Creates the event that the collected money has arrived, in the wallet or the bank account. */
export function settlementEvent(settlement: SettlementRow, records: readonly TransactionRecord[]): OutgoingEvent {
  return {
    merchantId: settlement.merchantId,
    eventType: 'SETTLEMENT',
    refs: [settlement.settlementReference, ...records.map(({ transaction }) => transaction.transactionReference)],
    eventData: {
      amount: toNairaText(settlement.amount),
      debtRepaid: toNairaText(settlement.debtRepaid),
      reserved: toNairaText(settlement.reserved),
      settlementTime: slashed(settlement.completedAt ?? settlement.settledAt),
      settlementReference: settlement.settlementReference,
      destinationAccountNumber: settlement.destinationAccountNumber,
      destinationBankName: findBank(settlement.destinationBankCode)?.name ?? '',
      destinationAccountName: settlement.destinationAccountName,
      transactionsCount: settlement.transactionsCount,
      transactions: records.map(showSettled),
    },
  }
}

function showSettled(record: TransactionRecord) {
  const shown = showTransaction.status(record)
  return {
    product: shown.product,
    transactionReference: shown.transactionReference,
    paymentReference: shown.paymentReference,
    paidOn: shown.paidOn,
    paymentDescription: shown.paymentDescription,
    accountPayments: shown.accountPayments,
    amountPaid: shown.amountPaid,
    totalPayable: shown.totalPayable,
    accountDetails: shown.accountDetails,
    // A token can charge the card, so no event contains it.
    cardDetails: shown.cardDetails === null ? null : { ...shown.cardDetails, cardToken: null },
    paymentMethod: shown.paymentMethod,
    currency: shown.currency,
    paymentStatus: shown.paymentStatus,
    customer: shown.customer,
  }
}
