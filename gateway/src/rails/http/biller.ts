import type { Static } from 'typebox'
import type { Catalogue } from '../biller.ts'
import type { PartnerRails } from '../not-sent.ts'
import { type CatalogueResponse, billerOperations as operations } from '../protocol/index.ts'
import type { Adapter } from './adapter.ts'
import { plainReader, reader, readKobo } from './reader.ts'

const amountIn = (response: number | null) => (response === null ? null : readKobo(response))

const readCatalogue = ({ categories, billers, products }: Static<typeof CatalogueResponse>): Catalogue => ({
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

const catalogue = reader(operations['biller/catalogue'], (response) =>
  response.kind === 'catalogue' ? { kind: response.kind, catalogue: readCatalogue(response.catalogue) } : response,
)
const customer = plainReader(operations['biller/validate-customer'])
const vendOutcome = plainReader(operations['biller/vend'])
const foundVend = plainReader(operations['biller/find-vend'])

export const httpBiller = ({ send, find, enquire }: Adapter): PartnerRails['biller'] => ({
  catalogue: () => enquire('biller/catalogue', {}, catalogue),
  validateCustomer: (request) => enquire('biller/validate-customer', request, customer),
  vend: (request) => send('biller/vend', request, vendOutcome),
  findVend: (reference) => find('biller/find-vend', { reference }, foundVend),
})
