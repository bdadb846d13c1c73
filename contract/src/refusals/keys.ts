import { refusals } from '../refusal.ts'

/** Errors of restricted API keys. */
export const keyRefusals = refusals({
  scopeTooHigh: {
    code: 'SCOPE_TOO_HIGH',
    status: 403,
    text: 'Your role does not have {scope}, so you cannot give it to a key: leave it out, or ask an owner',
    cause: 'The user’s role lacks a permission that the new key would have.',
  },
  tooManyKeys: {
    code: 'TOO_MANY_KEYS',
    status: 422,
    text: 'You already have {count} restricted keys: revoke one that you no longer use',
    cause: 'The merchant has as many valid restricted keys as are allowed.',
  },
  unknownKey: {
    code: 'UNKNOWN_KEY',
    status: 404,
    text: 'There is no such key, or it was revoked',
    cause: 'The merchant has no valid restricted key with this ID.',
  },
})
