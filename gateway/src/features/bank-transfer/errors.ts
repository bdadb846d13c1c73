import { bankTransferRefusals } from '@kobo/contract'
import { refusals } from '../../kernel/errors.ts'

export const bankTransferErrors = refusals(bankTransferRefusals)
