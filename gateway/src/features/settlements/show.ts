import type { Beneficiary, SettlementDetail, SettlementRecord } from '@kobo/contract'
import type { Static } from 'typebox'
import { findBank } from '../../core/bank-list/index.ts'
import type { Destination, Merchant } from '../../core/merchants/index.ts'
import { income } from '../../core/money/splits.ts'
import { slashed } from '../../kernel/dates.ts'
import { type Kobo, sum, toNaira, ZERO } from '../../kernel/money.ts'
import { showTransaction } from '../transactions/index.ts'
import { partsOf } from './plan.ts'
import type { SettlementRow } from './repository.ts'
import type { Detail } from './service.ts'
import { NOTHING_WITHHELD, paidOut, type Withheld, type Withholding } from './withholding.ts'

export const showSettlement = (settlement: SettlementRow): Static<typeof SettlementRecord> => ({
  settlementReference: settlement.settlementReference,
  settlementDate: slashed(settlement.settledAt),
  settlementAmount: toNaira(settlement.amount),
  ...showWithheld(settlement),
  transactionsCount: settlement.transactionsCount,
  currency: settlement.currencyCode,
  settlementStatus: settlement.status,
  ...showDestination(destinationOf(settlement)),
})

/** Shows how a transaction was settled: the merchant's share first, then those of sub accounts. */
export function showDetail(detail: Detail, merchant: Merchant): Static<typeof SettlementDetail> {
  const { record, settlement, payouts, subAccounts, withholdings } = detail
  const { transaction, payments } = record
  const parts = partsOf(transaction, payments)
  const payoutOf = new Map(payouts.map((payout) => [payout.beneficiaryCode, payout]))
  const destinations = new Map(subAccounts.map((subAccount) => [subAccount.code, subAccount]))
  const all = [withholdings.merchant, ...withholdings.subAccounts.values()]
  return {
    transactionReference: transaction.transactionReference,
    settlementReference: settlement.settlementReference,
    settlementDate: slashed(settlement.settledAt),
    settlementAmount: toNaira(sum(all.map(paidOut))),
    ...showWithheld({
      debtRepaid: sum(all.map(({ debtRepaid }) => debtRepaid)),
      reserved: sum(all.map(({ reserved }) => reserved)),
    }),
    currency: settlement.currencyCode,
    transaction: showTransaction.status(record),
    beneficiaries: [
      showBeneficiary(
        settlement,
        { type: 'MERCHANT', code: merchant.code, fee: parts.merchant.fee, ...withholdings.merchant },
        settlement,
        destinationOf(settlement),
      ),
      ...parts.subAccounts.map((part) => {
        const { subAccountCode: code, fee } = part
        // Fee, debts and reserve may take the whole share: then there is no payout and nothing left to do.
        const payout = payoutOf.get(code) ?? { status: 'COMPLETED' as const, completedAt: settlement.settledAt }
        const destination = payoutOf.get(code) ?? destinations.get(code)
        const withholding = withholdings.subAccounts.get(code) ?? { income: income(part), ...NOTHING_WITHHELD }
        return showBeneficiary(settlement, { type: 'SUB_ACCOUNT', code, fee, ...withholding }, payout, destination)
      }),
    ],
  }
}

interface ShownBeneficiary extends Withholding {
  readonly type: 'MERCHANT' | 'SUB_ACCOUNT'
  readonly code: string
  readonly fee: Kobo
}

const showBeneficiary = (
  { settlementReference }: SettlementRow,
  beneficiary: ShownBeneficiary,
  { status, completedAt }: { readonly status: string; readonly completedAt: Date | null },
  destination: Destination | undefined,
): Static<typeof Beneficiary> => ({
  beneficiaryType: beneficiary.type,
  beneficiaryCode: beneficiary.code,
  beneficiaryIncome: toNaira(beneficiary.income),
  incurredFee: toNaira(beneficiary.fee),
  settlementStatus: status === 'COMPLETED' ? 'COMPLETED' : 'PENDING',
  settlementInformation: {
    settledDate: completedAt === null ? null : slashed(completedAt),
    settlementReference,
    settlementAmount: toNaira(paidOut(beneficiary)),
    settlementFee: toNaira(ZERO),
    ...showWithheld(beneficiary),
    ...showDestination(destination),
  },
})

const showWithheld = ({ debtRepaid, reserved }: Withheld) => ({
  debtRepaid: toNaira(debtRepaid),
  reserved: toNaira(reserved),
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
