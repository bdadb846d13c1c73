import Type, { type TProperties } from 'typebox'
import { Amount, Moment, Naira, optional, Reference, Text, words } from './fields.ts'
import { OTHER_NAMES } from './lenient.ts'
import { PageNumberQuery, page } from './page.ts'
import type { Refusal } from './refusal.ts'
import { disbursementRefusals, walletRefusals } from './refusals/index.ts'
import { group, route } from './route.ts'
import {
  AccountName,
  AnyAccountNumber,
  AnyBankCode,
  BATCH_ITEMS_MAX,
  BatchReference,
  BatchResult,
  BatchSummary,
  Currency,
  destination,
  Narration,
  SenderInfo,
  TransferRecord,
  TransferReference,
  TransferResult,
  WalletNumber,
} from './transfer-records.ts'

/** Shared by all transfer routes: the permission, and the `responseCode` of field errors. */
const TRANSFERS = { permission: 'transfers', fieldErrorCode: 'D01' } as const
const PATH = '/api/v2/disbursements'
/** The version 1 paths of these routes. */
const OLD_PATH = '/api/v1/disbursements'

const {
  unknownCurrency,
  unknownBank,
  malformedAccount,
  unknownAccount,
  enquiryUnavailable,
  unknownWallet,
  referenceExists,
  notAwaiting,
  notInTime,
  codeNotSent,
  partOfBatch,
} = disbursementRefusals
const { insufficientBalance } = walletRefusals

/** The same error, for an item that rejects its whole batch: the text names the item. */
const ofItem = (refusal: Refusal): Refusal => ({ ...refusal, text: `transactionList[{index}]: ${refusal.text}` })

export const initiateTransfer = route({
  ...TRANSFERS,
  method: 'POST',
  path: `${PATH}/single`,
  person: 'payout.make',
  deprecatedPaths: [`${OLD_PATH}/single`],
  summary: 'Send money to a bank account',
  description:
    '`destinationAccountName` is compared with the name at the bank: small differences are accepted, larger ones are accepted and flagged, and other names are rejected (D03). ' +
    'With OTP on, the response is PENDING_AUTHORIZATION and a code is sent by email. With OTP off, it is SUCCESS or FAILED, or PENDING if the bank has not confirmed the outcome yet.',
  body: Type.Object({
    amount: Amount,
    reference: TransferReference,
    narration: Narration,
    destinationBankCode: AnyBankCode,
    destinationAccountNumber: AnyAccountNumber,
    // Merchants with the setting `transfersWithoutName` may leave it out: the name at the bank is used instead.
    destinationAccountName: Type.Unsafe<string | undefined>({ ...AccountName, 'x-waived-by': 'transfersWithoutName' }),
    currency: Currency,
    sourceAccountNumber: WalletNumber,
    async: optional(Type.Boolean({ description: 'whether to return PENDING at once and complete the transfer later' })),
    senderInfo: optional(
      Type.Object({
        ...SenderInfo.properties,
        sourceAccountBvn: optional(Type.String({ pattern: '^\\d{11}$', 'x-rule': '11 digits' })),
      }),
    ),
  }),
  otherNames: OTHER_NAMES.initiateTransfer,
  reply: TransferResult,
  refusals: [
    unknownCurrency,
    unknownBank,
    malformedAccount,
    unknownAccount,
    enquiryUnavailable,
    disbursementRefusals.anotherName,
    unknownWallet,
    insufficientBalance,
    referenceExists,
    disbursementRefusals.repeatedTransfer,
  ],
})

export const initiateBatch = route({
  ...TRANSFERS,
  method: 'POST',
  path: `${PATH}/batch`,
  person: 'payout.make',
  deprecatedPaths: [`${OLD_PATH}/batch`],
  summary: 'Send money to many bank accounts',
  description:
    'Invalid items either fail while the rest is sent (CONTINUE), or reject the whole batch (BREAK). A batch above the balance is always rejected as a whole.',
  body: Type.Object({
    title: { ...Text, examples: ['Salaries'] },
    batchReference: BatchReference,
    narration: { ...Text, examples: ['Salary for March'] },
    sourceAccountNumber: WalletNumber,
    onValidationFailure: optional(words(['CONTINUE', 'BREAK'], 'defaults to CONTINUE')),
    notificationInterval: optional(
      Type.Integer({
        minimum: 0,
        maximum: 100,
        description: 'send a progress email each time this percentage of the batch is done',
      }),
    ),
    transactionList: Type.Array(
      Type.Object(
        {
          amount: Amount,
          reference: { ...Reference, examples: ['salary-1001'] },
          narration: optional({
            ...Narration,
            examples: ['Salary for March'],
            description: 'defaults to the batch’s narration',
          }),
          destinationBankCode: AnyBankCode,
          destinationAccountNumber: AnyAccountNumber,
          destinationAccountName: optional({ ...AccountName, description: 'defaults to the name at the bank' }),
          currency: optional(Currency),
        },
        { 'x-other-names': OTHER_NAMES.batchItem },
      ),
      { minItems: 1, maxItems: BATCH_ITEMS_MAX },
    ),
  }),
  takesBatch: true,
  otherNames: OTHER_NAMES.initiateBatch,
  reply: BatchResult,
  refusals: [
    disbursementRefusals.tooManyItems,
    unknownWallet,
    insufficientBalance,
    referenceExists,
    ...[unknownCurrency, unknownBank, malformedAccount, referenceExists].map(ofItem),
  ],
})

const authorization = {
  ...TRANSFERS,
  scope: 'payout.make',
  method: 'POST',
  refusals: [
    notAwaiting,
    notInTime,
    disbursementRefusals.wrongCode,
    disbursementRefusals.expiredCode,
    disbursementRefusals.usedUpCode,
    disbursementRefusals.codesLocked,
    codeNotSent,
    partOfBatch,
    disbursementRefusals.unknownTransfer,
    disbursementRefusals.unknownBatch,
  ],
} as const

const AuthorizationCode = Type.String({ minLength: 1, maxLength: 32, examples: ['123456'] })

export const authorizeTransfer = route({
  ...authorization,
  path: `${PATH}/single/validate-otp`,
  deprecatedPaths: [`${OLD_PATH}/single/validate-otp`],
  summary: 'Authorize a transfer with the code from the email',
  description: 'Repeating the call with the same code returns the current state.',
  body: Type.Object({ reference: TransferReference, authorizationCode: AuthorizationCode }),
  reply: TransferResult,
})

export const authorizeBatch = route({
  ...authorization,
  path: `${PATH}/batch/validate-otp`,
  deprecatedPaths: [`${OLD_PATH}/batch/validate-otp`],
  summary: 'Authorize a batch with the code from the email',
  body: Type.Object({ reference: BatchReference, authorizationCode: AuthorizationCode }),
  reply: BatchResult,
})

const resend = {
  ...TRANSFERS,
  scope: 'payout.make',
  method: 'POST',
  description: 'The new code replaces the last one. Limited to one per minute (429).',
  reply: Type.Object({ message: Type.String({ examples: ['The authorization code has been sent by email'] }) }),
  refusals: [
    notAwaiting,
    notInTime,
    codeNotSent,
    partOfBatch,
    disbursementRefusals.sentJustNow,
    disbursementRefusals.codesLocked,
    disbursementRefusals.unknownTransfer,
    disbursementRefusals.unknownBatch,
  ],
} as const

export const resendTransferCode = route({
  ...resend,
  path: `${PATH}/single/resend-otp`,
  deprecatedPaths: [`${OLD_PATH}/single/resend-otp`],
  summary: 'Resend the authorization code of a transfer',
  body: Type.Object({ reference: TransferReference }),
  otherNames: OTHER_NAMES.resendTransferCode,
})

export const resendBatchCode = route({
  ...resend,
  path: `${PATH}/batch/resend-otp`,
  deprecatedPaths: [`${OLD_PATH}/batch/resend-otp`],
  summary: 'Resend the authorization code of a batch',
  body: Type.Object({ batchReference: BatchReference }),
  otherNames: OTHER_NAMES.resendBatchCode,
})

const get = <const Q extends TProperties>(query: Q) =>
  ({ ...TRANSFERS, method: 'GET', query: Type.Object(query) }) as const

export const getTransfer = route({
  ...get({ reference: TransferReference }),
  path: `${PATH}/single/summary`,
  person: 'payout.read',
  deprecatedPaths: [`${OLD_PATH}/single/summary`],
  summary: 'Get the status of a transfer',
  description: 'Items of batches are included.',
  reply: TransferRecord,
  refusals: [disbursementRefusals.unknownTransfer],
})

export const listTransfers = route({
  ...get(PageNumberQuery),
  path: `${PATH}/single/transactions`,
  person: 'payout.read',
  deprecatedPaths: [`${OLD_PATH}/single/transactions`],
  summary: 'List single transfers, newest first',
  reply: page(TransferRecord),
})

export const listBatches = route({
  ...get({ ...PageNumberQuery, sourceAccountNumber: Type.Optional(WalletNumber) }),
  path: `${PATH}/bulk/transactions`,
  person: 'payout.read',
  aliases: [`${PATH}/bulk`],
  deprecatedPaths: [`${OLD_PATH}/bulk/transactions`],
  summary: 'List batches, newest first',
  reply: page(BatchResult),
})

export const listBatchTransfers = route({
  ...get(PageNumberQuery),
  path: `${PATH}/bulk/:batchReference/transactions`,
  person: 'payout.read',
  deprecatedPaths: [`${OLD_PATH}/bulk/:batchReference/transactions`],
  summary: 'List the items of a batch',
  params: Type.Object({ batchReference: BatchReference }),
  reply: page(TransferRecord),
  refusals: [disbursementRefusals.unknownBatch],
})

export const getBatch = route({
  ...get({ reference: BatchReference }),
  path: `${PATH}/batch/summary`,
  person: 'payout.read',
  deprecatedPaths: [`${OLD_PATH}/batch/summary`],
  summary: 'Get the status of a batch',
  reply: BatchSummary,
  refusals: [disbursementRefusals.unknownBatch],
})

/** An amount in a filter; may be zero. */
const AmountBound = Type.String({
  pattern: '^\\d{1,13}(\\.\\d{1,2})?$',
  'x-rule': 'an amount in naira with at most 13 digits and 2 decimals',
  examples: ['9000'],
})

export const searchTransfers = route({
  ...get({
    sourceAccountNumber: WalletNumber,
    ...PageNumberQuery,
    startDate: Type.Optional(Moment),
    endDate: Type.Optional(Moment),
    amountFrom: Type.Optional(AmountBound),
    amountTo: Type.Optional(AmountBound),
  }),
  path: `${PATH}/search-transactions`,
  person: 'payout.read',
  deprecatedPaths: [`${OLD_PATH}/search-transactions`],
  summary: 'Search transfers of a wallet, newest first',
  description: 'Bounds are inclusive. Items of batches are included.',
  reply: page(TransferRecord),
  refusals: [unknownWallet],
})

export const getWalletBalance = route({
  ...get({ accountNumber: WalletNumber }),
  otherNames: OTHER_NAMES.getWalletBalance,
  path: `${PATH}/wallet-balance`,
  person: 'balances.read',
  deprecatedPaths: [`${OLD_PATH}/wallet-balance`],
  summary: 'Get a wallet’s balance',
  description: '`availableBalance` falls when a transfer is accepted, `ledgerBalance` when the money has left.',
  reply: Type.Object({ availableBalance: Naira, ledgerBalance: Naira }),
  refusals: [unknownWallet],
})

export const validateAccount = route({
  ...get({ accountNumber: AnyAccountNumber, bankCode: AnyBankCode }),
  path: `${OLD_PATH}/account/validate`,
  person: 'payout.make',
  summary: 'Look up the holder of a bank account',
  reply: Type.Object({
    accountNumber: destination.destinationAccountNumber,
    accountName: destination.destinationAccountName,
    bankCode: destination.destinationBankCode,
    currencyCode: Type.String(),
  }),
  refusals: [unknownBank, malformedAccount, unknownAccount, enquiryUnavailable],
})

export const transfers = group({
  title: 'Transfers',
  text: 'Send money from a wallet to bank accounts, one at a time or in batches. Errors have the response codes D01 to D07.',
  routes: {
    validateAccount,
    initiateTransfer,
    authorizeTransfer,
    resendTransferCode,
    getTransfer,
    listTransfers,
    initiateBatch,
    authorizeBatch,
    resendBatchCode,
    getBatch,
    listBatchTransfers,
    listBatches,
    searchTransfers,
    getWalletBalance,
  },
  refusals: disbursementRefusals,
})
