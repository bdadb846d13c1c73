import { orderRefusals } from '@kobo/contract'
import { refusals } from '../../kernel/errors.ts'

/** How what people say of orders is refused. */
export const orderErrors = refusals(orderRefusals)
