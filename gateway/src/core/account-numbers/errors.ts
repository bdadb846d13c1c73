import { accountRefusals } from '@kobo/contract'
import { refusals } from '../../kernel/errors.ts'

/** The errors when no bank provides a number. */
export const accountErrors = refusals(accountRefusals)
