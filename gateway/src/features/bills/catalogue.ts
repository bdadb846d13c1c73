import { type Clock, secondsAfter } from '../../kernel/clock.ts'
import { type Kobo, percentage, smaller, toNaira } from '../../kernel/money.ts'
import type { BillCategory, Biller, BillerRail, BillProduct, Catalogue } from '../../rails/biller.ts'
import { billErrors } from './errors.ts'

/** How long the billers' catalogue is cached. */
const CACHE_SECONDS = 300
/** How long to wait before the next attempt to load the catalogue if the billers cannot be reached. */
const STALE_SECONDS = 30

/** A product with the names of its biller and its category. */
export interface ListedProduct extends BillProduct {
  readonly category: BillCategory
  readonly biller: Biller
}

interface CachedCatalogue {
  readonly categories: readonly BillCategory[]
  readonly products: readonly ListedProduct[]
  readonly until: Date
}

/** The catalogue that this process has cached. */
export interface ProductCatalogue {
  readonly categories: () => Promise<readonly BillCategory[]>
  readonly products: () => Promise<readonly ListedProduct[]>
  /** Rejects unknown products. */
  readonly product: (code: string) => Promise<ListedProduct>
}

/** Opens the cache of the catalogue. An expired catalogue stays in use while the billers cannot be reached. */
export function openCatalogue(rail: Pick<BillerRail, 'catalogue'>, clock: Clock): ProductCatalogue {
  let cached: CachedCatalogue | undefined
  let loading: Promise<CachedCatalogue> | undefined

  async function current(): Promise<CachedCatalogue> {
    if (cached !== undefined && clock.now() < cached.until) return cached
    loading ??= load().finally(() => {
      loading = undefined
    })
    return loading
  }

  async function load(): Promise<CachedCatalogue> {
    const response = await rail.catalogue()
    const at = clock.now()
    if (response.kind === 'catalogue')
      cached = { ...listed(response.catalogue), until: secondsAfter(at, CACHE_SECONDS) }
    else if (cached !== undefined) cached = { ...cached, until: secondsAfter(at, STALE_SECONDS) }
    else throw billErrors.unavailable()
    return cached
  }

  return {
    categories: async () => (await current()).categories,
    products: async () => (await current()).products,
    product: async (code) => {
      const found = (await current()).products.find((product) => product.code === code)
      if (found === undefined) throw billErrors.unknownProduct(code)
      return found
    },
  }
}

function listed({ categories, billers, products }: Catalogue): Pick<CachedCatalogue, 'categories' | 'products'> {
  const categoryOf = new Map(categories.map((category) => [category.code, category]))
  const billerOf = new Map(billers.map((biller) => [biller.code, biller]))
  return {
    categories,
    products: products.map((product) => ({
      ...product,
      category: categoryOf.get(product.categoryCode) ?? { code: product.categoryCode, name: product.categoryCode },
      biller: billerOf.get(product.billerCode) ?? { code: product.billerCode, name: product.billerCode },
    })),
  }
}

/** Returns the amount to vend: the fixed price, or the requested amount within the limits. */
export function amountOf({ price, minAmount, maxAmount }: BillProduct, requested: Kobo | null): Kobo {
  if (price !== null) {
    if (requested !== null && requested !== price) throw billErrors.notThePrice(toNaira(price))
    return price
  }
  if (requested === null) throw billErrors.amountRequired()
  if (minAmount !== null && requested < minAmount) throw billErrors.amountTooSmall(toNaira(minAmount))
  if (maxAmount !== null && requested > maxAmount) throw billErrors.amountTooLarge(toNaira(maxAmount))
  return requested
}

/** Returns the merchant's commission on an amount. */
export function commissionOn({ commissionBasisPoints, commissionCap }: BillProduct, amount: Kobo): Kobo {
  const full = percentage(amount, BigInt(commissionBasisPoints))
  return commissionCap === null ? full : smaller(full, commissionCap)
}
