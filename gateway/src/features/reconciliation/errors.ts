import { reconciliationRefusals } from '@kobo/contract'
import { refusals } from '../../kernel/errors.ts'

export const reconciliationErrors = refusals(reconciliationRefusals)
