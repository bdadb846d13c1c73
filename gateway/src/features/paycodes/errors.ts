import { paycodeRefusals } from '@kobo/contract'
import { refusals } from '../../kernel/errors.ts'

export const paycodeErrors = refusals(paycodeRefusals)
