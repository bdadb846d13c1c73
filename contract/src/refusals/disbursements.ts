import { refusals } from '../refusal.ts'
import { bankRefusals } from './banks.ts'
import { transactionRefusals } from './transactions.ts'
import { walletRefusals } from './wallets.ts'

/** Transfers also state the kind of error in `responseCode`. */
const FAILED = { status: 400, responseCode: 'D01' } as const
const NOT_FOUND = { status: 404, responseCode: 'D02' } as const
const INVALID_ACCOUNT = { status: 400, responseCode: 'D03' } as const

export const disbursementRefusals = refusals({
  unknownCurrency: { ...transactionRefusals.unknownCurrency, ...FAILED },
  tooManyItems: {
    ...FAILED,
    code: 'TOO_MANY_ITEMS',
    text: 'transactionList must not have more than {count} items',
    cause: 'The batch is larger than this gateway’s limit.',
  },
  enquiryUnavailable: {
    ...bankRefusals.unavailable,
    ...FAILED,
    text: 'The account could not be verified because its bank does not respond: try again later',
  },
  notAwaiting: {
    ...FAILED,
    code: 'NOTHING_TO_AUTHORIZE',
    text: 'This payout is {status}: it does not need authorization',
    cause: 'The transfer, batch or refund is not waiting for an authorization code.',
  },
  partOfBatch: {
    ...FAILED,
    code: 'PART_OF_BATCH',
    text: 'This transfer is part of a batch: authorize the batch instead',
    cause: 'The reference belongs to an item of a batch.',
  },
  wrongCode: {
    ...FAILED,
    code: 'WRONG_CODE',
    text: 'authorizationCode is wrong',
    cause: 'The code is not the one in the latest email.',
  },
  expiredCode: {
    ...FAILED,
    code: 'CODE_EXPIRED',
    text: 'authorizationCode has expired: request a new one',
    cause: 'The code was sent more than 10 minutes ago.',
  },
  usedUpCode: {
    ...FAILED,
    code: 'CODE_USED_UP',
    text: 'authorizationCode was tried too often: request a new one',
    cause: 'Five wrong codes were sent.',
  },
  codesLocked: {
    ...FAILED,
    code: 'CODES_LOCKED',
    text: 'Too many wrong authorization codes: payouts cannot be authorized for a while',
    cause:
      'The merchant sent twenty wrong codes in a day, across all payouts, and was notified by email. Authorization works again after a day, or when the operator unlocks it.',
  },
  codeNotSent: {
    ...FAILED,
    code: 'CODE_NOT_SENT',
    text: 'The authorization code could not be sent by email: request a new one',
    cause: 'The mail server did not accept the email with the code.',
  },
  notInTime: {
    ...FAILED,
    code: 'AUTHORIZATION_EXPIRED',
    text: 'This payout was not authorized in time and has expired',
    cause: 'The payout was not authorized within 24 hours. Its money is back in the wallet.',
  },
  sentJustNow: {
    code: 'CODE_SENT_JUST_NOW',
    status: 429,
    text: 'A code was sent less than a minute ago: wait before requesting another',
    cause: 'Codes are sent at most once a minute. The Retry-After header gives the seconds to wait.',
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
    text: 'Invalid account details: unknown bank code {bankCode}',
  },
  malformedAccount: {
    ...INVALID_ACCOUNT,
    code: 'MALFORMED_ACCOUNT_NUMBER',
    text: 'Invalid account details: {field} must be a 10-digit account number',
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
    text: 'Invalid account details: destinationAccountName does not match the account’s name',
    cause: 'The name differs too much from the name the bank holds.',
  },
  unknownWallet: {
    ...walletRefusals.notFound,
    ...INVALID_ACCOUNT,
    text: 'Invalid account details: unknown wallet account number',
  },
  referenceExists: {
    code: 'DUPLICATE_TRANSFER_REFERENCE',
    status: 400,
    responseCode: 'D05',
    text: 'A transfer with this {field} already exists',
    cause: 'The reference was already used.',
  },
  repeatedTransfer: {
    code: 'REPEATED_TRANSFER',
    status: 400,
    responseCode: 'D07',
    text: 'The same amount was sent to the same account less than 2 minutes ago',
    cause: 'The transfer looks like an accidental duplicate.',
  },
})
