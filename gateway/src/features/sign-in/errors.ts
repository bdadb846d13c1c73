import { signInRefusals } from '@kobo/contract'
import { refusals } from '../../kernel/errors.ts'

export const signInErrors = refusals(signInRefusals)
