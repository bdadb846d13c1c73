import type { Static } from 'typebox'
import { accountOperations } from './account.ts'
import { billerOperations } from './biller.ts'
import { cardOperations } from './card.ts'
import { debitOperations } from './debit.ts'
import type { Operation } from './fields.ts'
import { identityOperations } from './identity.ts'
import { returnOperations } from './returns.ts'
import { transferOperations } from './transfer.ts'

export { accountOperations, Opened } from './account.ts'
export { billerOperations, CatalogueResponse } from './biller.ts'
export { cardOperations } from './card.ts'
export { debitOperations } from './debit.ts'
export { CAPABILITIES, type Capability, type Operation } from './fields.ts'
export { identityOperations } from './identity.ts'
export { can, isCapability, MANIFEST, Manifest, type Trial } from './manifest.ts'
export {
  CreditNotification,
  DisputeNotification,
  NameEnquiryRequest,
  NOTIFICATIONS,
  OutcomeNotification,
} from './notifications.ts'
export { returnOperations } from './returns.ts'
export {
  AGE_SECONDS_MAX,
  type Headers,
  isSignedResponse,
  type Keys,
  keyId,
  openNonces,
  PROTOCOL,
  PROTOCOL_HEADER,
  readSignedRequest,
  type SignedRequest,
  signRequest,
  signResponse,
} from './signature.ts'
export { Succeeded, transferOperations } from './transfer.ts'

const EVERY_OPERATION = {
  ...accountOperations,
  ...transferOperations,
  ...returnOperations,
  ...cardOperations,
  ...debitOperations,
  ...identityOperations,
  ...billerOperations,
}

/** Every operation of an adapter. The gateway, connectors, conformance test and OpenAPI document use this list. */
export const OPERATIONS: Readonly<Record<string, Operation>> = EVERY_OPERATION

export type OperationName = keyof typeof EVERY_OPERATION
export type RequestOf<Name extends OperationName> = Static<(typeof EVERY_OPERATION)[Name]['request']>
export type ResponseTo<Name extends OperationName> = Static<(typeof EVERY_OPERATION)[Name]['response']>
