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
export { billerOperations, CatalogueTold } from './biller.ts'
export { cardOperations } from './card.ts'
export { debitOperations } from './debit.ts'
export { CAPABILITIES, type Capability, KoboNumber, type Operation } from './fields.ts'
export { identityOperations } from './identity.ts'
export { can, isCapability, MANIFEST, Manifest, type Trial } from './manifest.ts'
export { returnOperations } from './returns.ts'
export {
  AGE_SECONDS_MAX,
  type Asked,
  type Headers,
  isAnswer,
  type Keys,
  keyId,
  type Nonces,
  openNonces,
  PROTOCOL,
  PROTOCOL_HEADER,
  readQuestion,
  signAnswer,
  signQuestion,
} from './signature.ts'
export { CreditTold, DisputeTold, EnquiryTold, OutcomeTold, TOLD } from './told.ts'
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

/** Everything that an adapter can be asked for. Gateway, connectors, trial and OpenAPI document read it. */
export const OPERATIONS: Readonly<Record<string, Operation>> = EVERY_OPERATION

export type OperationName = keyof typeof EVERY_OPERATION
/** What an operation is asked with, once it has been checked. */
export type AskedBy<Name extends OperationName> = Static<(typeof EVERY_OPERATION)[Name]['asks']>
export type AnswerTo<Name extends OperationName> = Static<(typeof EVERY_OPERATION)[Name]['answers']>
