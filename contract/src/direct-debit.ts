import Type from 'typebox'
import {
  AccountNumber,
  Amount,
  BankCode,
  ContractCode,
  DateTime,
  Email,
  IncomeSplitConfig,
  MailLanguage,
  Moment,
  nullable,
  optional,
  RedirectUrl,
  Reference,
  words,
} from './fields.ts'
import { PAGE_SIZE_DEFAULT, page } from './page.ts'
import { NO_PERMISSION } from './permissions.ts'
import { personal } from './personal-data.ts'
import { withStatus } from './refusal.ts'
import { directDebitRefusals, noAccount, splitTerms } from './refusals/index.ts'
import { group, route } from './route.ts'

export const MANDATE_STATUSES = [
  'INITIATED',
  'PENDING_AUTHORIZATION',
  'ACTIVE',
  'SUSPENDED',
  'CANCELLED',
  'EXPIRED',
  'AUTHORIZATION_EXPIRED',
  'FAILED',
] as const
export type MandateStatus = (typeof MANDATE_STATUSES)[number]
export const MandateStatus = words(MANDATE_STATUSES)

export const DEBIT_STATUSES = ['PENDING', 'PAID', 'FAILED'] as const
export type DebitStatus = (typeof DEBIT_STATUSES)[number]

const MANDATE_CODE = { examples: ['MTDD|01JNA1B2C3D4E5F6G7H8J9KMNP'] }
/** A required, non-empty string. */
const given = (example: string) => Type.String({ minLength: 1, maxLength: 255, examples: [example] })
const shown = (example: string) => Type.String({ examples: [example] })

/** The examples share one scenario: Ada pays her rent by direct debit. */
const RENT = {
  mandateReference: 'rent-1001',
  customerName: 'Ada Obi',
  customerPhoneNumber: '08031234567',
  customerAddress: '1 Broad Street, Lagos',
  customerAccountNumber: '0123456789',
  customerAccountBankCode: '058',
  mandateDescription: 'Rent of the shop',
  narration: 'Rent of March',
} as const
const CustomerAccountNumber = { ...AccountNumber, examples: [RENT.customerAccountNumber] }
const CustomerAccountBankCode = { ...BankCode, examples: [RENT.customerAccountBankCode] }

/** A customer's permission to debit an account. */
export const Mandate = Type.Object({
  mandateCode: Type.String(MANDATE_CODE),
  externalMandateReference: Type.String({
    description: 'merchant’s mandateReference',
    examples: [RENT.mandateReference],
  }),
  mandateReference: shown(RENT.mandateReference),
  startDate: Type.String({ examples: ['2026-03-01T09:30:00.000+0000'] }),
  endDate: Type.String({ examples: ['2027-03-01T09:30:00.000+0000'] }),
  mandateStatus: MandateStatus,
  mandateAmount: Type.Number({
    description: 'Naira; maximum total of all debits; 0 for no limit',
    examples: [60000],
  }),
  contractCode: shown('102030405060'),
  autoRenew: Type.Boolean(),
  customerPhoneNumber: personal(shown(RENT.customerPhoneNumber)),
  customerEmailAddress: personal(shown('ada@example.com')),
  customerAddress: personal(shown(RENT.customerAddress)),
  customerName: personal(shown(RENT.customerName)),
  customerAccountName: personal(shown(RENT.customerName)),
  customerAccountNumber: personal(shown(RENT.customerAccountNumber)),
  customerAccountBankCode: shown(RENT.customerAccountBankCode),
  mandateDescription: shown(RENT.mandateDescription),
  debitAmount: nullable(Type.Number({ description: 'Naira', examples: [5000] })),
  authorizationMessage: nullable(
    Type.String({ description: 'instruction for the customer to authorize the mandate; null if none is needed' }),
  ),
  authorizationLink: nullable(
    Type.String({
      description: 'page on which the customer can authorize the mandate, if there is one',
      examples: ['http://localhost:8080/direct-debit/authorize/AUh7…'],
    }),
  ),
  schemeCode: Type.String({ examples: ['NDD'] }),
  responseMessage: nullable(shown('Active mandate')),
})

/** One debit of a mandate. */
export const Debit = Type.Object({
  transactionStatus: words(DEBIT_STATUSES),
  responseMessage: nullable(shown('The debit has been accepted for processing')),
  transactionReference: Type.String(),
  paymentReference: Type.String(),
  debitAmount: Type.Number({ description: 'Naira', examples: [5000] }),
  narration: personal(shown(RENT.narration)),
  mandateCode: Type.String(MANDATE_CODE),
})

const MandateAcknowledgement = {
  responseMessage: shown('The mandate has been created.'),
  mandateReference: shown(RENT.mandateReference),
  mandateCode: Type.String(MANDATE_CODE),
  mandateStatus: MandateStatus,
}

export const createMandate = route({
  method: 'POST',
  path: '/api/v1/direct-debit/mandate/create',
  summary: 'Create a mandate',
  description:
    'The customer gets an email with instructions: pay a token of 50 naira from the mandated account, or agree on the page at `authorizationLink`, within 7 days. ' +
    'In Monnify’s terms, a mandate is Open with `autoRenew` and Closed without, Fixed with `debitAmount` and Flexible without. Dates are in Lagos time.',
  permission: 'directDebit',
  person: 'collect.make',
  body: Type.Object({
    contractCode: ContractCode,
    mandateReference: { ...Reference, examples: [RENT.mandateReference] },
    autoRenew: optional(Type.Boolean()),
    customerName: given(RENT.customerName),
    customerEmailAddress: Email,
    customerPhoneNumber: given(RENT.customerPhoneNumber),
    customerAddress: given(RENT.customerAddress),
    customerAccountNumber: CustomerAccountNumber,
    customerAccountBankCode: CustomerAccountBankCode,
    customerAccountName: optional(given(RENT.customerName)),
    mandateDescription: given(RENT.mandateDescription),
    mandateStartDate: { ...DateTime, 'x-day-begins': true, examples: ['2026-03-01 00:00:00'] },
    mandateEndDate: { ...DateTime, examples: ['2027-03-01 10:30:00'] },
    mandateAmount: optional(Amount),
    debitAmount: optional(Amount),
    customerCancellation: optional(Type.Boolean()),
    redirectUrl: optional(RedirectUrl),
    language: MailLanguage,
  }),
  reply: Type.Object({ ...MandateAcknowledgement, redirectUrl: Type.Optional(Type.String()) }),
  refusals: [
    directDebitRefusals.duplicateMandate,
    directDebitRefusals.unknownContract,
    directDebitRefusals.notEnabled,
    directDebitRefusals.unknownBank,
    directDebitRefusals.startInThePast,
    directDebitRefusals.endNotAfterStart,
    directDebitRefusals.endInThePast,
    directDebitRefusals.amountTooSmall,
    directDebitRefusals.debitAboveMandate,
    ...noAccount,
  ],
})

export const MANDATE_REFERENCES_MAX = 100

export const getMandates = route({
  method: 'GET',
  path: '/api/v1/direct-debit/mandate/',
  summary: 'Get mandates by reference',
  description: 'Separate several references with commas. Unknown references are skipped.',
  permission: 'directDebit',
  person: 'payer.read',
  query: Type.Object({
    mandateReferences: Type.String({ minLength: 1, maxLength: 16_384, examples: ['rent-1001,rent-1002'] }),
  }),
  reply: Type.Array(Mandate),
  refusals: [directDebitRefusals.tooManyReferences],
})

export const listMandates = route({
  method: 'GET',
  path: '/api/v1/direct-debit/mandates',
  summary: 'List mandates by creation date, newest first',
  permission: 'directDebit',
  person: 'payer.read',
  query: Type.Object({
    startDate: Type.Optional(Moment),
    endDate: Type.Optional(Moment),
    page: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000, default: 0 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: PAGE_SIZE_DEFAULT })),
    customerEmail: Type.Optional(personal(Type.String({ maxLength: 255 }))),
    mandateStatus: Type.Optional(MandateStatus),
  }),
  reply: page(Mandate),
  refusals: [directDebitRefusals.datesApart, directDebitRefusals.datesReversed],
})

export const debitMandate = route({
  method: 'POST',
  path: '/api/v1/direct-debit/mandate/debit',
  summary: 'Debit a mandate',
  description:
    'The response confirms that the debit was accepted. The outcome follows as an event and in `debit-status`.',
  permission: 'directDebit',
  person: 'collect.make',
  body: Type.Object({
    paymentReference: Reference,
    mandateCode: { ...Reference, ...MANDATE_CODE },
    debitAmount: { ...Amount, examples: [5000] },
    narration: given(RENT.narration),
    customerEmail: Email,
    incomeSplitConfig: optional(IncomeSplitConfig),
  }),
  reply: Debit,
  refusals: [
    directDebitRefusals.unknownMandate,
    directDebitRefusals.unknownContract,
    directDebitRefusals.duplicatePayment,
    directDebitRefusals.amountTooSmall,
    directDebitRefusals.notActive,
    directDebitRefusals.cancellationRequested,
    directDebitRefusals.notStarted,
    directDebitRefusals.ended,
    directDebitRefusals.notTheFixedAmount,
    directDebitRefusals.aboveWhatIsLeft,
    directDebitRefusals.notEnabled,
    ...withStatus(400, splitTerms),
  ],
})

export const getDebitStatus = route({
  method: 'GET',
  path: '/api/v1/direct-debit/mandate/debit-status',
  summary: 'Get the status of a debit',
  permission: 'directDebit',
  person: 'payer.read',
  query: Type.Object({ paymentReference: Reference }),
  reply: Debit,
  refusals: [directDebitRefusals.unknownDebit],
})

export const cancelMandate = route({
  method: 'PATCH',
  path: '/api/v1/direct-debit/mandate/cancel-mandate/:mandateCode',
  summary: 'Cancel a mandate',
  description: 'The response shows the status before the cancellation; the change follows with an event.',
  permission: 'directDebit',
  person: 'collect.make',
  params: Type.Object({ mandateCode: { ...Reference, ...MANDATE_CODE } }),
  reply: Type.Object(MandateAcknowledgement),
  refusals: [
    directDebitRefusals.unknownMandate,
    directDebitRefusals.notCancellable,
    directDebitRefusals.cancellationRequested,
  ],
})

export const authorizeMandate = route({
  method: 'POST',
  path: '/sandbox/mandates/:mandateCode/authorize',
  summary: 'Authorize a mandate as the customer',
  environment: 'sandbox',
  permission: NO_PERMISSION.sandbox,
  person: 'sandbox.use',
  params: Type.Object({ mandateCode: { ...Reference, ...MANDATE_CODE } }),
  reply: Mandate,
  refusals: [directDebitRefusals.unknownMandate, directDebitRefusals.notAuthorizable],
})

export const directDebit = group({
  title: 'Direct debit',
  text: 'Debit a customer’s bank account, within the dates and amounts that the customer authorized.',
  routes: { createMandate, getMandates, listMandates, debitMandate, getDebitStatus, cancelMandate },
  refusals: directDebitRefusals,
})
