import { accountRefusals } from '@kobo/contract'
import { refusals } from '../../kernel/errors.ts'

/** Returned if no bank provides an account number. */
export const accountErrors = refusals(accountRefusals)
