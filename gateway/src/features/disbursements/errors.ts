import { refusal } from '../../kernel/errors.ts'

const FAILED = { code: 'D01' }
const NOT_FOUND = { code: 'D02' }
const INVALID_ACCOUNT = { code: 'D03' }

export const disbursementErrors = {
  unknownCurrency: refusal(400, () => 'Unknown currency code supplied', FAILED),
  tooManyItems: refusal(400, (max: number) => `transactionList must not have more than ${max} items`, FAILED),
  enquiryUnavailable: refusal(400, () => 'The account could not be verified: its bank does not answer', FAILED),
  notAwaiting: refusal(400, (status: string) => `Nothing is to be authorized: the transfer is ${status}`, FAILED),
  partOfBatch: refusal(400, () => 'This transfer is part of a batch, which is authorized as a whole', FAILED),
  wrongCode: refusal(400, () => 'The authorization code is not valid', FAILED),
  expiredCode: refusal(400, () => 'The authorization code has expired: ask for a new one', FAILED),
  usedUpCode: refusal(400, () => 'The authorization code was tried too often: ask for a new one', FAILED),
  codeNotSent: refusal(400, () => 'The authorization code could not be sent by e-mail', FAILED),
  notInTime: refusal(400, () => 'The time to authorize this transfer is over', FAILED),
  sentJustNow: (seconds: number) =>
    refusal(429, () => 'A code was sent less than a minute ago', { headers: { 'retry-after': String(seconds) } })(),
  unknownTransfer: refusal(404, () => 'Could not find specified transfer', NOT_FOUND),
  unknownBatch: refusal(404, () => 'Could not find specified batch', NOT_FOUND),
  unknownBank: refusal(400, (code: string) => `Invalid account details: there is no bank ${code}`, INVALID_ACCOUNT),
  malformedAccount: refusal(
    400,
    (field: string) => `Invalid account details: ${field} must be an account number of 10 digits`,
    INVALID_ACCOUNT,
  ),
  unknownAccount: refusal(400, () => 'Invalid account details: the bank has no such account', INVALID_ACCOUNT),
  anotherName: refusal(
    400,
    () => 'Invalid account details: destinationAccountName is not the name of the account',
    INVALID_ACCOUNT,
  ),
  unknownWallet: refusal(400, () => 'Invalid account details: you have no such wallet', INVALID_ACCOUNT),
  referenceExists: refusal(400, (field: string) => `A transfer with this ${field} exists`, { code: 'D05' }),
  madeJustNow: refusal(400, () => 'The same amount was sent to the same account less than 2 minutes ago', {
    code: 'D07',
  }),
  /** What is wrong with one item, where that refuses the whole batch. */
  badItem: (index: number, { message, code }: { readonly message: string; readonly code: string }) =>
    refusal(400, () => `transactionList[${index}]: ${message}`, { code })(),
}
