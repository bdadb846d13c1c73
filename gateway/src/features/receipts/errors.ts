import { checkoutRefusals } from '@kobo/contract'
import { refusals } from '../../kernel/errors.ts'

export const receiptErrors = refusals(checkoutRefusals)
