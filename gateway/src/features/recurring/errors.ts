import { recurringRefusals } from '@kobo/contract'
import { refusals } from '../../kernel/errors.ts'

export const recurringErrors = refusals(recurringRefusals)
