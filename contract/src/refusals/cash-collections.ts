import { refusals } from '../refusal.ts'
import { transactionRefusals } from './transactions.ts'

export const cashCollectionRefusals = refusals({
  duplicateReference: { ...transactionRefusals.duplicateReference, status: 400 },
})
