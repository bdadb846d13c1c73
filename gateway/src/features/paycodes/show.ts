import type { Paycode } from '@kobo/contract'
import type { Static } from 'typebox'
import { spaced } from '../../kernel/dates.ts'
import { toNaira } from '../../kernel/money.ts'
import type { PaycodeRow } from './repository.ts'

/** Shows a paycode. `paycode` is its code, or the part of it that the caller may see. */
export const showPaycode = (row: PaycodeRow, paycode: string): Static<typeof Paycode> => ({
  paycode,
  transactionReference: row.transactionReference,
  paycodeReference: row.paycodeReference,
  beneficiaryName: row.beneficiaryName,
  amount: toNaira(row.amount),
  fee: toNaira(row.fee),
  transactionStatus: row.status,
  expiryDate: spaced(row.expiresAt),
  createdOn: spaced(row.createdAt),
  createdBy: row.createdBy,
  modifiedBy: row.modifiedBy,
  cancelDate: row.status === 'CANCELLED' && row.completedAt !== null ? spaced(row.completedAt) : null,
})
