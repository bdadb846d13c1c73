import { walletRefusals } from '@kobo/contract'
import { refusals } from '../../kernel/errors.ts'

export const walletErrors = refusals(walletRefusals)
