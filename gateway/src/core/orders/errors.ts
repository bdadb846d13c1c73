import { orderRefusals } from '@kobo/contract'
import { refusals } from '../../kernel/errors.ts'

export const orderErrors = refusals(orderRefusals)
