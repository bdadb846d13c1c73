import type { SubAccount as SubAccountRecord } from '@kobo/contract'
import type { Static } from 'typebox'
import { findBank } from '../../core/bank-list/index.ts'
import type { SubAccount } from '../../core/merchants/index.ts'
import { toPercentage } from '../../kernel/percentage.ts'

export const showSubAccount = (subAccount: SubAccount): Static<typeof SubAccountRecord> => ({
  subAccountCode: subAccount.code,
  accountNumber: subAccount.accountNumber,
  accountName: subAccount.accountName,
  currencyCode: subAccount.currencyCode,
  email: subAccount.email,
  bankCode: subAccount.bankCode,
  bankName: findBank(subAccount.bankCode)?.name ?? '',
  defaultSplitPercentage: toPercentage(subAccount.defaultSplit),
  settlementProfileCode: subAccount.settlementProfileCode,
  settlementReportEmails: [...subAccount.settlementReportEmails],
})
