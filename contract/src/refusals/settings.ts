import { refusals } from '../refusal.ts'
import { bankRefusals } from './banks.ts'

/** Errors of well-formed settings that are not allowed. */
export const settingRefusals = refusals({
  notAllowed: {
    code: 'SETTING_NOT_ALLOWED',
    status: 400,
    text: '{setting} {reason}',
    cause: 'The value is well-formed, but not allowed here. The message says why.',
    example: 'webhookUrl must be an https URL in live mode, because events must be encrypted in transit',
  },
  unknownBank: {
    ...bankRefusals.unknownBank,
    status: 400,
    text: 'settlementAccount.bankCode {bankCode} is not a known bank',
  },
  operatorOnly: {
    code: 'OPERATORS_SETTING',
    status: 403,
    text: '{setting} can only be changed by the operator',
    cause: 'The setting is a contract term, or a permission that the operator grants.',
  },
  codesStayOn: {
    code: 'CODES_STAY_ON',
    status: 403,
    text: 'otpEnabled can only be switched off by the operator',
    cause: 'API keys alone must not be enough to remove the emailed code.',
  },
  locksOut: {
    code: 'WOULD_LOCK_OUT',
    status: 400,
    text: 'ipWhitelist must include your own address, {address}',
    cause: 'The new whitelist would lock the caller out.',
  },
})
