import Type, { type Static } from 'typebox'
import type { BillerRail, Catalogue } from '../biller.ts'
import { type Adapter, answer, KoboNumber, plainReader, reader, readKobo, Text } from './adapter.ts'

const Named = Type.Object({ code: Text, name: Text })
const AmountOrNone = Type.Union([KoboNumber, Type.Null()])
/** Below half, so that something is left to be paid for whatever is rounded. */
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

const CatalogueTold = Type.Object({
  categories: Type.Array(Named),
  billers: Type.Array(Named),
  products: Type.Array(Product),
})

const amountIn = (told: number | null) => (told === null ? null : readKobo(told))

const readCatalogue = ({ categories, billers, products }: Static<typeof CatalogueTold>): Catalogue => ({
  categories,
  billers,
  products: products.map((product) => ({
    ...product,
    price: amountIn(product.price),
    minAmount: amountIn(product.minAmount),
    maxAmount: amountIn(product.maxAmount),
    commissionCap: amountIn(product.commissionCap),
  })),
})

const catalogue = reader(
  Type.Union([answer('catalogue', { catalogue: CatalogueTold }), answer('unavailable', {})]),
  (told) => (told.kind === 'catalogue' ? { kind: told.kind, catalogue: readCatalogue(told.catalogue) } : told),
)

const customer = plainReader(
  Type.Union([
    answer('valid', { customerName: Type.Union([Text, Type.Null()]) }),
    answer('invalid', { reason: Text }),
    answer('unavailable', {}),
  ]),
)

const VEND_OUTCOMES = [
  answer('vended', { description: Text, metadata: Type.Record(Type.String(), Text) }),
  answer('failed', { reason: Text }),
  answer('pending', {}),
  answer('unknown', {}),
] as const
const vendOutcome = plainReader(Type.Union([...VEND_OUTCOMES]))
const foundVend = plainReader(Type.Union([...VEND_OUTCOMES, answer('not found', {})]))

export const httpBiller = ({ order, enquire }: Adapter): BillerRail => ({
  catalogue: () => enquire('biller/catalogue', {}, catalogue),
  validateCustomer: (request) => enquire('biller/validate-customer', request, customer),
  vend: (request) => order('biller/vend', request, vendOutcome),
  findVend: (reference) => order('biller/find-vend', { reference }, foundVend),
})
