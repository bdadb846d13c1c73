import { refusals } from '../refusal.ts'
import { bankRefusals } from './banks.ts'
import { transactionRefusals } from './transactions.ts'
import { walletRefusals } from './wallets.ts'

/** Transfers name the kind of refusal in `responseCode` too. */
const FAILED = { status: 400, responseCode: 'D01' } as const
const NOT_FOUND = { status: 404, responseCode: 'D02' } as const
const INVALID_ACCOUNT = { status: 400, responseCode: 'D03' } as const

export const disbursementRefusals = refusals({
  unknownCurrency: { ...transactionRefusals.unknownCurrency, ...FAILED },
  tooManyItems: {
    ...FAILED,
    code: 'TOO_MANY_ITEMS',
    text: 'transactionList must not have more than {count} items',
    cause: 'The batch has more items than this gateway takes at once.',
  },
  enquiryUnavailable: {
    ...bankRefusals.unavailable,
    ...FAILED,
    text: 'The account could not be verified: its bank does not answer',
  },
  notAwaiting: {
    ...FAILED,
    code: 'NOTHING_TO_AUTHORIZE',
    text: 'Nothing is to be authorized: the transfer is {status}',
    cause: 'The transfer or batch does not wait for a code.',
  },
  partOfBatch: {
    ...FAILED,
    code: 'PART_OF_BATCH',
    text: 'This transfer is part of a batch, which is authorized as a whole',
    cause: 'The reference is that of an item of a batch.',
  },
  wrongCode: {
    ...FAILED,
    code: 'WRONG_CODE',
    text: 'The authorization code is not valid',
    cause: 'The code is not the one that was mailed last.',
  },
  expiredCode: {
    ...FAILED,
    code: 'CODE_EXPIRED',
    text: 'The authorization code has expired: ask for a new one',
    cause: 'The code was mailed more than 10 minutes ago.',
  },
  usedUpCode: {
    ...FAILED,
    code: 'CODE_USED_UP',
    text: 'The authorization code was tried too often: ask for a new one',
    cause: 'Five wrong codes were sent.',
  },
  codesLocked: {
    ...FAILED,
    code: 'CODES_LOCKED',
    text: 'Too many wrong authorization codes were sent: transfers cannot be authorized for a while',
    cause:
      'Twenty wrong codes were sent within a day, over all transfers, and the merchant was told by mail. Codes count again a day later, or when the operator unlocks them.',
  },
  codeNotSent: {
    ...FAILED,
    code: 'CODE_NOT_SENT',
    text: 'The authorization code could not be sent by e-mail',
    cause: 'The mail with the code could not be handed over. Ask for it again.',
  },
  notInTime: {
    ...FAILED,
    code: 'AUTHORIZATION_EXPIRED',
    text: 'The time to authorize this transfer is over',
    cause: 'It was not authorised within 24 hours, and its money is back in the wallet.',
  },
  sentJustNow: {
    code: 'CODE_SENT_JUST_NOW',
    status: 429,
    text: 'A code was sent less than a minute ago',
    cause: 'A code is mailed at most once a minute. The header Retry-After says how many seconds to wait.',
  },
  unknownTransfer: {
    ...NOT_FOUND,
    code: 'UNKNOWN_TRANSFER',
    text: 'Could not find specified transfer',
    cause: 'The merchant has no transfer with this reference.',
  },
  unknownBatch: {
    ...NOT_FOUND,
    code: 'UNKNOWN_BATCH',
    text: 'Could not find specified batch',
    cause: 'The merchant has no batch with this reference.',
  },
  unknownBank: {
    ...bankRefusals.unknownBank,
    ...INVALID_ACCOUNT,
    text: 'Invalid account details: there is no bank {bankCode}',
  },
  malformedAccount: {
    ...INVALID_ACCOUNT,
    code: 'MALFORMED_ACCOUNT_NUMBER',
    text: 'Invalid account details: {field} must be an account number of 10 digits',
    cause: 'The account number does not have 10 digits.',
  },
  unknownAccount: {
    ...bankRefusals.unknownAccount,
    ...INVALID_ACCOUNT,
    text: 'Invalid account details: the bank has no such account',
  },
  anotherName: {
    ...INVALID_ACCOUNT,
    code: 'ANOTHER_NAME',
    text: 'Invalid account details: destinationAccountName is not the name of the account',
    cause: 'The name differs too much from the one that the bank holds.',
  },
  unknownWallet: {
    ...walletRefusals.notFound,
    ...INVALID_ACCOUNT,
    text: 'Invalid account details: you have no such wallet',
  },
  referenceExists: {
    code: 'DUPLICATE_TRANSFER_REFERENCE',
    status: 400,
    responseCode: 'D05',
    text: 'A transfer with this {field} exists',
    cause: 'The reference was used before.',
  },
  madeJustNow: {
    code: 'REPEATED_TRANSFER',
    status: 400,
    responseCode: 'D07',
    text: 'The same amount was sent to the same account less than 2 minutes ago',
    cause: 'The transfer looks like one that was sent by mistake a second time.',
  },
})
