import { keyRefusals } from '@kobo/contract'
import { refusals } from '../../kernel/errors.ts'

export const keyErrors = refusals(keyRefusals)
