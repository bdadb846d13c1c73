import { settlementRefusals } from '@kobo/contract'
import { refusals } from '../../kernel/errors.ts'

export const settlementErrors = refusals(settlementRefusals)
