import { checkoutRefusals } from '@kobo/contract'
import { refusals } from '../../kernel/errors.ts'

export const checkoutErrors = refusals(checkoutRefusals)
