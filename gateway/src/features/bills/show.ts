import { type Biller, type BillerProduct, PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX, type Vend } from '@kobo/contract'
import type { Static } from 'typebox'
import { type Kobo, toNaira } from '../../kernel/money.ts'
import type { BillProduct } from '../../rails/biller.ts'
import type { ListedProduct } from './catalogue.ts'
import { payableAmount } from './journals.ts'
import type { VendRow } from './repository.ts'

export const showVend = (vend: VendRow): Static<typeof Vend> => ({
  vendReference: vend.reference,
  transactionReference: vend.transactionReference,
  vendStatus: vend.status,
  description: vend.description,
  vendAmount: toNaira(vend.vendAmount),
  payableAmount: toNaira(payableAmount(vend)),
  commission: toNaira(vend.commission),
  customerId: vend.customerId,
  productCode: vend.productCode,
  productName: vend.productName,
  billerCode: vend.billerCode,
  billerName: vend.billerName,
  metadata: vend.metadata,
})

const orNull = (amount: Kobo | null): number | null => (amount === null ? null : toNaira(amount))

export const showPrice = ({ price, minAmount, maxAmount }: BillProduct) => ({
  priceType: price === null ? ('OPEN' as const) : ('FIXED' as const),
  price: orNull(price),
  minAmount: orNull(minAmount),
  maxAmount: orNull(maxAmount),
})

export const showProduct = (product: ListedProduct): Static<typeof BillerProduct> => ({
  code: product.code,
  name: product.name,
  category: product.category,
  biller: product.biller,
  ...showPrice(product),
  metadata: product.metadata,
})

/** Returns the billers of some products, each with its categories. */
export function showBillers(products: readonly ListedProduct[]): Static<typeof Biller>[] {
  const byBiller = Map.groupBy(products, ({ biller }) => biller.code)
  return [...byBiller.values()].flatMap(([first, ...more]) =>
    first === undefined
      ? []
      : {
          ...first.biller,
          categories: [...new Map([first, ...more].map(({ category }) => [category.code, category])).values()],
        },
  )
}

/** Returns a page of results in the wrapper that Monnify's API uses for lists of bills. */
export function showPage<Item>(
  all: readonly Item[],
  { page = 0, size = PAGE_SIZE_DEFAULT }: { page?: number | undefined; size?: number | undefined },
) {
  const limit = Math.min(size, PAGE_SIZE_MAX)
  const content = all.slice(page * limit, (page + 1) * limit)
  return {
    content,
    totalElements: all.length,
    size: limit,
    number: page,
    empty: content.length === 0,
    nextPage: (page + 1) * limit < all.length ? page + 1 : null,
  }
}
