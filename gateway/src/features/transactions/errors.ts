import { transactionRefusals } from '@kobo/contract'
import { refusals } from '../../kernel/errors.ts'

export const transactionErrors = refusals(transactionRefusals)
