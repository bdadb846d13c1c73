import { paymentLinkRefusals } from '@kobo/contract'
import { refusals } from '../../kernel/errors.ts'

export const paymentLinkErrors = refusals(paymentLinkRefusals)
