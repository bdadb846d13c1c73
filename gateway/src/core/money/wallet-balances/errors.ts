import { walletRefusals } from '@kobo/contract'
import { refusal } from '../../../kernel/errors.ts'

/** The error for a wallet with too little money. */
export const insufficientBalance = refusal(walletRefusals.insufficientBalance)
