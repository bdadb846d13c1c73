import { billRefusals } from '@kobo/contract'
import { refusals } from '../../kernel/errors.ts'

export const billErrors = refusals(billRefusals)
