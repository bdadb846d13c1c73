import Type from 'typebox'
import {
  ByReference,
  KoboNumber,
  NOT_FOUND,
  NOT_SENT,
  operation,
  orNull,
  Placed,
  Reference,
  response,
  Text,
  UNAVAILABLE,
  UNKNOWN,
} from './fields.ts'

const Named = Type.Object({ code: Text, name: Text })
const AmountOrNone = orNull(KoboNumber)
/** Below 50 %, so that something is left to pay after any rounding. */
const COMMISSION_BASIS_POINTS_MAX = 4_999

const Product = Type.Object({
  code: Text,
  name: Text,
  categoryCode: Text,
  billerCode: Text,
  price: AmountOrNone,
  minAmount: AmountOrNone,
  maxAmount: AmountOrNone,
  needsValidation: Type.Boolean(),
  commissionBasisPoints: Type.Integer({ minimum: 0, maximum: COMMISSION_BASIS_POINTS_MAX }),
  commissionCap: AmountOrNone,
  metadata: Type.Record(Type.String(), Type.Unknown()),
})

export const CatalogueResponse = Type.Object({
  categories: Type.Array(Named),
  billers: Type.Array(Named),
  products: Type.Array(Product),
})

const VEND_OUTCOMES = [
  response('vended', { description: Text, metadata: Type.Record(Type.String(), Text) }),
  response('failed', { reason: Text }),
  response('pending', {}),
  UNKNOWN,
] as const

export const billerOperations = {
  'biller/catalogue': operation({
    capability: 'billers',
    summary: 'Lists all products',
    request: Type.Object({}),
    response: Type.Union([response('catalogue', { catalogue: CatalogueResponse }), UNAVAILABLE]),
  }),
  'biller/validate-customer': operation({
    capability: 'billers',
    summary: 'Validates a customer with a biller',
    request: Type.Object({ reference: Reference, productCode: Text, customerId: Text }),
    response: Type.Union([
      response('valid', { customerName: orNull(Text) }),
      response('invalid', { reason: Text }),
      UNAVAILABLE,
    ]),
  }),
  'biller/vend': operation({
    capability: 'billers',
    summary: 'Pays for a product',
    request: Type.Object({
      reference: Reference,
      ...Placed,
      productCode: Text,
      customerId: Text,
      amount: KoboNumber,
      validationReference: orNull(Reference),
      emailAddress: orNull(Text),
      phoneNumber: orNull(Text),
    }),
    response: Type.Union([...VEND_OUTCOMES, NOT_SENT]),
    foundBy: 'biller/find-vend',
  }),
  'biller/find-vend': operation({
    capability: 'billers',
    summary: 'Returns the outcome of a vend',
    request: ByReference,
    response: Type.Union([...VEND_OUTCOMES, NOT_FOUND]),
  }),
}
