import { orderRefusals } from '@kobo/contract'
import { refusals } from '../../kernel/errors.ts'

/** Errors of decisions about orders. */
export const orderErrors = refusals(orderRefusals)
