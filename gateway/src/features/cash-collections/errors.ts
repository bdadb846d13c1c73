import { cashCollectionRefusals } from '@kobo/contract'
import { refusals } from '../../kernel/errors.ts'

export const cashCollectionErrors = refusals(cashCollectionRefusals)
