import { approvalRefusals } from '@kobo/contract'
import { refusals } from '../../kernel/errors.ts'

export const approvalErrors = refusals(approvalRefusals)
