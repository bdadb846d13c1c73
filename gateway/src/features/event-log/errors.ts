import { endpointRefusals, eventLogRefusals } from '@kobo/contract'
import { refusals } from '../../kernel/errors.ts'

export const eventLogErrors = refusals({ ...eventLogRefusals, unknownEndpoint: endpointRefusals.unknownEndpoint })
