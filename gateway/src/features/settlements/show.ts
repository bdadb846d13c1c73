import type { Beneficiary, SettlementDetail, SettlementRecord } from '@kobo/contract'
import type { Static } from 'typebox'
import { findBank } from '../../core/bank-list/index.ts'
import type { Destination, Merchant } from '../../core/merchants/index.ts'
import { income, type Part } from '../../core/money/splits.ts'
import { slashed } from '../../kernel/dates.ts'
import { subtract, toNaira, ZERO } from '../../kernel/money.ts'
import { showTransaction } from '../transactions/index.ts'
import { partsOf } from './plan.ts'
import type { SettlementRow } from './repository.ts'
import type { Detail } from './service.ts'

/** A settlement as lists show it. */
export const showSettlement = (settlement: SettlementRow): Static<typeof SettlementRecord> => ({
  settlementReference: settlement.settlementReference,
  settlementDate: slashed(settlement.settledAt),
  settlementAmount: toNaira(settlement.amount),
  transactionsCount: settlement.transactionsCount,
  currency: settlement.currencyCode,
  settlementStatus: settlement.status,
  ...showDestination(destinationOf(settlement)),
})

/** How a transaction was settled: the merchant's share first, then those of sub accounts. */
export function showDetail(detail: Detail, merchant: Merchant): Static<typeof SettlementDetail> {
  const { record, settlement, payouts, subAccounts } = detail
  const { transaction, payments } = record
  const parts = partsOf(transaction, payments)
  const payoutOf = new Map(payouts.map((payout) => [payout.beneficiaryCode, payout]))
  const destinations = new Map(subAccounts.map((subAccount) => [subAccount.code, subAccount]))
  return {
    transactionReference: transaction.transactionReference,
    settlementReference: settlement.settlementReference,
    settlementDate: slashed(settlement.settledAt),
    settlementAmount: toNaira(subtract(transaction.amountPaid, transaction.fee)),
    currency: settlement.currencyCode,
    transaction: showTransaction.status(record),
    beneficiaries: [
      showBeneficiary(settlement, 'MERCHANT', merchant.code, parts.merchant, settlement, destinationOf(settlement)),
      ...parts.subAccounts.map((part) => {
        const code = part.subAccountCode
        // If the fee took the whole share, there is no payout and nothing left to do.
        const paidOut = payoutOf.get(code) ?? { status: 'COMPLETED' as const, completedAt: settlement.settledAt }
        const destination = payoutOf.get(code) ?? destinations.get(code)
        return showBeneficiary(settlement, 'SUB_ACCOUNT', code, part, paidOut, destination)
      }),
    ],
  }
}

const showBeneficiary = (
  { settlementReference }: SettlementRow,
  beneficiaryType: 'MERCHANT' | 'SUB_ACCOUNT',
  beneficiaryCode: string,
  part: Part,
  { status, completedAt }: { readonly status: string; readonly completedAt: Date | null },
  destination: Destination | undefined,
): Static<typeof Beneficiary> => ({
  beneficiaryType,
  beneficiaryCode,
  beneficiaryIncome: toNaira(income(part)),
  incurredFee: toNaira(part.fee),
  settlementStatus: status === 'COMPLETED' ? 'COMPLETED' : 'PENDING',
  settlementInformation: {
    settledDate: completedAt === null ? null : slashed(completedAt),
    settlementReference,
    settlementAmount: toNaira(income(part)),
    settlementFee: toNaira(ZERO),
    ...showDestination(destination),
  },
})

const destinationOf = (settlement: SettlementRow): Destination => ({
  bankCode: settlement.destinationBankCode,
  accountNumber: settlement.destinationAccountNumber,
  accountName: settlement.destinationAccountName,
})

const showDestination = (destination: Destination | undefined) => ({
  destinationAccountNumber: destination?.accountNumber ?? '',
  destinationAccountName: destination?.accountName ?? '',
  destinationBankName: findBank(destination?.bankCode ?? '')?.name ?? '',
  destinationBankCode: destination?.bankCode ?? '',
})
