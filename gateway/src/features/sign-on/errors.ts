import { signOnRefusals } from '@kobo/contract'
import { refusals } from '../../kernel/errors.ts'

export const signOnErrors = refusals(signOnRefusals)
