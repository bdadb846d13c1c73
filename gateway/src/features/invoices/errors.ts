import { invoiceRefusals } from '@kobo/contract'
import { refusals } from '../../kernel/errors.ts'

export const invoiceErrors = refusals(invoiceRefusals)
