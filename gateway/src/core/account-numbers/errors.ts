import { accountRefusals } from '@kobo/contract'
import { refusals } from '../../kernel/errors.ts'

/** The errors that are returned if no account number can be opened. */
export const accountErrors = refusals(accountRefusals)
