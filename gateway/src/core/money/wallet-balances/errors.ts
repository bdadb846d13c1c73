import { walletRefusals } from '@kobo/contract'
import { refusal } from '../../../kernel/errors.ts'

/** How whatever is paid from a wallet refuses where the wallet holds too little. */
export const insufficientBalance = refusal(walletRefusals.insufficientBalance)
