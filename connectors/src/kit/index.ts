export { type Arrival, creditOf, isBasic, isNamed, notifyAndWait } from './callback.ts'
export { CODES_SETTING, type Codes, type Meaning, meaningOf, NIP_CODES, withCodes } from './codes.ts'
export {
  amountOf,
  connector,
  GIVEN_UP,
  manifestOf,
  notSent,
  type Operations,
  UNKNOWN,
  whyNotOptions,
} from './connector.ts'
export { BANKS_SETTING, type Institutions, institutions } from './institutions.ts'
export { at, type Json, readJson, textAt } from './json.ts'
export { NO_SEQUENCE, nipId, type Order, wireText } from './order.ts'
export {
  furtherUrl,
  openLine,
  PARTNER_SETTINGS,
  type PartnerLine,
  type PartnerRequest,
  type PartnerResponse,
} from './partner.ts'
export { cacheToken, type Token, type Tokens } from './token.ts'
export { narrationOf, outcomeOf, TRIAL_SETTING, type TransferResponse, trialTransfer } from './transfer.ts'
