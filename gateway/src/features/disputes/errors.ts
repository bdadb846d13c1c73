import { disputeRefusals } from '@kobo/contract'
import { refusals } from '../../kernel/errors.ts'

export const disputeErrors = refusals(disputeRefusals)
