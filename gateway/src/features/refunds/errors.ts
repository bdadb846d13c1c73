import { refundRefusals } from '@kobo/contract'
import { refusals } from '../../kernel/errors.ts'

export const refundErrors = refusals(refundRefusals)
