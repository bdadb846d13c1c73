import { refusals } from '../refusal.ts'
import { bankRefusals } from './banks.ts'

/** How a change of settings is refused that is well formed. */
export const settingRefusals = refusals({
  notAllowed: {
    code: 'SETTING_NOT_ALLOWED',
    status: 400,
    text: '{setting} {reason}',
    cause: 'The value of a setting is well formed, but not allowed here.',
    example: 'webhookUrl must be an https address in live: events would travel in clear',
  },
  unknownBank: {
    ...bankRefusals.unknownBank,
    status: 400,
    text: 'settlementAccount.bankCode {bankCode} is no known bank',
  },
  operatorsAlone: {
    code: 'OPERATORS_SETTING',
    status: 403,
    text: '{setting} is changed by the operator alone',
    cause: 'The setting is a term of the contract, or a right that the operator grants.',
  },
  codesStayOn: {
    code: 'CODES_STAY_ON',
    status: 403,
    text: 'otpEnabled can be switched off by the operator alone',
    cause: 'Whoever has the keys must not be able to do without the code that is mailed.',
  },
  locksOut: {
    code: 'WOULD_LOCK_OUT',
    status: 400,
    text: 'ipWhitelist must hold the address of the caller, {address}',
    cause: 'With the new whitelist the caller could not undo it.',
  },
})
