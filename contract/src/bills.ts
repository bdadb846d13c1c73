import Type, { type TSchema } from 'typebox'
import { Amount, Email, Naira, nullable, optional, Reference, words } from './fields.ts'
import { OTHER_NAMES } from './lenient.ts'
import { PageQuery } from './page.ts'
import { personal } from './personal-data.ts'
import { billRefusals, walletRefusals } from './refusals/index.ts'
import { group, route } from './route.ts'

export const VEND_STATUSES = ['SUCCESS', 'PENDING', 'FAILED'] as const
export type VendStatus = (typeof VEND_STATUSES)[number]
const PRICE_TYPES = ['OPEN', 'FIXED'] as const

const Code = Type.String({ minLength: 1, maxLength: 64 })
const ProductCode = Type.String({ minLength: 1, maxLength: 64, examples: ['MTN-AIRTIME'] })
const CustomerId = Type.String({
  pattern: '^\\P{C}{1,64}$',
  'x-rule': '1 to 64 printable characters',
  description: 'customer’s number at the biller: phone, meter, smart card or account number',
  examples: ['08142223149'],
})

export const BillerCategory = Type.Object({
  code: Type.String({ examples: ['AIRTIME'] }),
  name: Type.String({ examples: ['Airtime'] }),
})

const BILLER = { code: Type.String({ examples: ['MTN'] }), name: Type.String({ examples: ['MTN'] }) }
export const Biller = Type.Object({ ...BILLER, categories: Type.Array(BillerCategory) })

/** A product's fixed price, or the limits of its amount. */
const PRICE = {
  priceType: words(PRICE_TYPES, 'OPEN: the customer chooses the amount; FIXED: the product has a price'),
  price: nullable(Type.Number({ description: 'Naira; null if the customer chooses the amount', examples: [null] })),
  minAmount: nullable(Type.Number({ description: 'Naira', examples: [50] })),
  maxAmount: nullable(Type.Number({ description: 'Naira', examples: [50_000] })),
}

export const BillerProduct = Type.Object({
  code: Type.String({ examples: ['MTN-AIRTIME'] }),
  name: Type.String({ examples: ['MTN Airtime'] }),
  category: BillerCategory,
  biller: Type.Object(BILLER),
  ...PRICE,
  metadata: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    examples: [{ volume: null, duration: null, durationUnit: null }],
  }),
})

const billPage = <S extends TSchema>(item: S) =>
  Type.Object({
    content: Type.Array(item),
    totalElements: Type.Integer(),
    size: Type.Integer(),
    number: Type.Integer(),
    empty: Type.Boolean(),
    nextPage: nullable(Type.Integer({ description: 'null on the last page', examples: [null] })),
  })

export const listBillerCategories = route({
  method: 'GET',
  path: '/api/v1/vas/bills-payment/biller-categories',
  summary: 'List bill categories',
  permission: 'bills',
  person: 'payout.make',
  query: Type.Object(PageQuery),
  reply: billPage(BillerCategory),
  refusals: [billRefusals.unavailable],
})

export const listBillers = route({
  method: 'GET',
  path: '/api/v1/vas/bills-payment/billers',
  summary: 'List billers, optionally of one category',
  permission: 'bills',
  person: 'payout.make',
  query: Type.Object({ ...PageQuery, category_code: Type.Optional(Code) }),
  reply: billPage(Biller),
  refusals: [billRefusals.unavailable],
})

export const listBillerProducts = route({
  method: 'GET',
  path: '/api/v1/vas/bills-payment/biller-products',
  summary: 'List products, optionally of one biller',
  permission: 'bills',
  person: 'payout.make',
  query: Type.Object({ ...PageQuery, biller_code: Type.Optional(Code), category_code: Type.Optional(Code) }),
  reply: billPage(BillerProduct),
  refusals: [billRefusals.unavailable],
})

export const validateBillCustomer = route({
  method: 'POST',
  path: '/api/v1/vas/bills-payment/validate-customer',
  summary: 'Validate a customer before payment',
  description:
    'If `requireValidationRef` is true, the vend request must include `validationReference`. It is valid for 30 minutes, for this product and customer only.',
  permission: 'bills',
  person: 'payout.make',
  body: Type.Object({ productCode: ProductCode, customerId: CustomerId }),
  reply: Type.Object({
    ...PRICE,
    customerName: nullable(personal(Type.String({ examples: ['Ada Obi'] }))),
    vendInstruction: Type.Object({
      requireValidationRef: Type.Boolean({ examples: [false] }),
      validationReference: nullable(Type.String({ examples: [null] })),
    }),
  }),
  refusals: [billRefusals.unknownProduct, billRefusals.unknownCustomer, billRefusals.unavailable],
})

/** A payment to a biller. */
export const Vend = Type.Object({
  vendReference: Type.String({ description: 'reference of the vend request', examples: ['bill-1001'] }),
  transactionReference: Type.String({ examples: ['KFBP2603010930000a3f'] }),
  vendStatus: words(VEND_STATUSES),
  description: Type.String({ examples: ['Purchase successful'] }),
  vendAmount: Naira,
  payableAmount: Type.Number({
    description: 'Naira; amount taken from the wallet: vendAmount minus commission',
    examples: [8730],
  }),
  commission: Type.Number({ description: 'Naira; merchant’s commission', examples: [270] }),
  customerId: personal(Type.String({ examples: ['08142223149'] })),
  productCode: Type.String({ examples: ['MTN-AIRTIME'] }),
  productName: Type.String({ examples: ['MTN Airtime'] }),
  billerCode: Type.String({ examples: ['MTN'] }),
  billerName: Type.String({ examples: ['MTN'] }),
  metadata: personal(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'values the biller delivers: `token` and `units` for electricity, `pin` and `serial` for vouchers',
      examples: [{}],
    }),
  ),
})

export const vendBill = route({
  method: 'POST',
  path: '/api/v1/vas/bills-payment/vend',
  summary: 'Pay a bill from the wallet',
  description:
    'PENDING means that the biller has not confirmed the outcome yet, or that the payment waits for approval: check it with `requery`. The money of a FAILED payment is back in the wallet.',
  permission: 'bills',
  person: 'payout.make',
  fresh: true,
  body: Type.Object({
    productCode: ProductCode,
    customerId: CustomerId,
    amount: optional(Amount),
    reference: Type.String({ ...Reference, examples: ['bill-1001'] }),
    validationReference: optional(Type.String({ maxLength: 128 })),
    emailAddress: optional(personal(Email)),
    phoneNumber: optional(personal(Type.String({ maxLength: 32 }))),
  }),
  otherNames: OTHER_NAMES.vendBill,
  reply: Vend,
  refusals: [
    billRefusals.unknownProduct,
    billRefusals.amountRequired,
    billRefusals.notThePrice,
    billRefusals.amountTooSmall,
    billRefusals.amountTooLarge,
    billRefusals.validationRequired,
    billRefusals.notValidated,
    billRefusals.duplicateReference,
    walletRefusals.insufficientBalance,
    billRefusals.unavailable,
  ],
})

export const requeryBill = route({
  method: 'GET',
  path: '/api/v1/vas/bills-payment/requery',
  summary: 'Get the status of a bill payment',
  description: 'Accepts your reference or Kobo’s transactionReference.',
  permission: 'bills',
  person: 'payer.read',
  query: Type.Object({ reference: { ...Reference, examples: ['bill-1001'] } }),
  otherNames: OTHER_NAMES.requeryBill,
  reply: Vend,
  refusals: [billRefusals.notFound],
})

export const billsPayment = group({
  title: 'Bills payment',
  text: 'Airtime, data, electricity, TV and more, paid from the wallet. Bills payment is off until it is activated for the merchant.',
  routes: { listBillerCategories, listBillers, listBillerProducts, validateBillCustomer, vendBill, requeryBill },
  refusals: billRefusals,
})
