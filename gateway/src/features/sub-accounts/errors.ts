import { subAccountRefusals } from '@kobo/contract'
import { refusals } from '../../kernel/errors.ts'

export const subAccountErrors = refusals(subAccountRefusals)
