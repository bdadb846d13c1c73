import { endpointRefusals } from '@kobo/contract'
import { refusals } from '../../kernel/errors.ts'

export const endpointErrors = refusals(endpointRefusals)
