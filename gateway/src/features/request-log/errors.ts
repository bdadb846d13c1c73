import { requestLogRefusals } from '@kobo/contract'
import { refusals } from '../../kernel/errors.ts'

export const requestLogErrors = refusals(requestLogRefusals)
