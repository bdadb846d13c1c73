import { accountRefusals } from '@kobo/contract'
import { refusals } from '../../../kernel/errors.ts'

/** How whatever opens an account refuses where no bank gives a number for it. */
export const accountErrors = refusals(accountRefusals)
