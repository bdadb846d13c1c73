import { type Clock, secondsAfter } from '../../kernel/clock.ts'
import { type Kobo, percentage, smaller, toNaira } from '../../kernel/money.ts'
import type { BillCategory, Biller, BillerRail, BillProduct, Catalogue } from '../../rails/biller.ts'
import { billErrors } from './errors.ts'

/** How long the billers' catalogue is believed before it is asked for again. */
const KEPT_SECONDS = 300
/** And how long an old one is where they could not be reached. */
const KEPT_ON_SECONDS = 30

/** A product with its biller's and its category's name. */
export interface ListedProduct extends BillProduct {
  readonly category: BillCategory
  readonly biller: Biller
}

interface Shelf {
  readonly categories: readonly BillCategory[]
  readonly products: readonly ListedProduct[]
  readonly until: Date
}

/** What can be paid for, as one process knows it. */
export interface Shop {
  readonly categories: () => Promise<readonly BillCategory[]>
  readonly products: () => Promise<readonly ListedProduct[]>
  /** Refuses what nobody sells. */
  readonly product: (code: string) => Promise<ListedProduct>
}

/** Keeps the catalogue for a while, and longer where the billers cannot be reached to ask for a new one. */
export function openShop(rail: Pick<BillerRail, 'catalogue'>, clock: Clock): Shop {
  let kept: Shelf | undefined
  let asking: Promise<Shelf> | undefined

  async function shelf(): Promise<Shelf> {
    if (kept !== undefined && clock.now() < kept.until) return kept
    asking ??= ask().finally(() => {
      asking = undefined
    })
    return asking
  }

  async function ask(): Promise<Shelf> {
    const answer = await rail.catalogue()
    const at = clock.now()
    if (answer.kind === 'catalogue') kept = { ...listed(answer.catalogue), until: secondsAfter(at, KEPT_SECONDS) }
    else if (kept !== undefined) kept = { ...kept, until: secondsAfter(at, KEPT_ON_SECONDS) }
    else throw billErrors.unavailable()
    return kept
  }

  return {
    categories: async () => (await shelf()).categories,
    products: async () => (await shelf()).products,
    product: async (code) => {
      const found = (await shelf()).products.find((product) => product.code === code)
      if (found === undefined) throw billErrors.unknownProduct(code)
      return found
    },
  }
}

function listed({ categories, billers, products }: Catalogue): Pick<Shelf, 'categories' | 'products'> {
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

/** The amount to vend: the price where there is one, else what the customer names, within the bounds. */
export function amountOf({ price, minAmount, maxAmount }: BillProduct, wanted: Kobo | null): Kobo {
  if (price !== null) {
    if (wanted !== null && wanted !== price) throw billErrors.notThePrice(toNaira(price))
    return price
  }
  if (wanted === null) throw billErrors.amountRequired()
  if (minAmount !== null && wanted < minAmount) throw billErrors.amountTooSmall(toNaira(minAmount))
  if (maxAmount !== null && wanted > maxAmount) throw billErrors.amountTooLarge(toNaira(maxAmount))
  return wanted
}

/** What the merchant earns on an amount. */
export function commissionOn({ commissionBasisPoints, commissionCap }: BillProduct, amount: Kobo): Kobo {
  const full = percentage(amount, BigInt(commissionBasisPoints))
  return commissionCap === null ? full : smaller(full, commissionCap)
}
