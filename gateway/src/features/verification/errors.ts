import { verificationRefusals } from '@kobo/contract'
import { refusals } from '../../kernel/errors.ts'

export const verificationErrors = refusals(verificationRefusals)
