import { walletRefusals } from '@kobo/contract'
import { refusal } from '../../../kernel/errors.ts'

export const insufficientBalance = refusal(walletRefusals.insufficientBalance)
