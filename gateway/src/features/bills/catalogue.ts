import { type Clock, secondsAfter } from '../../kernel/clock.ts'
import { type Kobo, percentage, smaller, toNaira } from '../../kernel/money.ts'
import type { BillerRail, BillProduct, Catalogue } from '../../rails/biller.ts'
import { billErrors } from './errors.ts'

/** How long the billers' catalogue is believed before it is asked for again. */
const KEPT_SECONDS = 300

/** A product with its biller's and its category's name. */
export interface ListedProduct extends BillProduct {
  readonly category: { readonly code: string; readonly name: string }
  readonly biller: { readonly code: string; readonly name: string }
}

/** What can be paid for, as one process knows it. */
export interface Shelf {
  readonly catalogue: () => Promise<Catalogue>
  readonly products: () => Promise<readonly ListedProduct[]>
  /** Refuses what nobody sells. */
  readonly product: (code: string) => Promise<ListedProduct>
}

/** Keeps the catalogue for a while, and longer where the billers cannot be reached to ask for a new one. */
export function openShelf(rail: BillerRail, clock: Clock): Shelf {
  let kept: { readonly catalogue: Catalogue; readonly until: Date } | undefined

  async function catalogue(): Promise<Catalogue> {
    const at = clock.now()
    if (kept !== undefined && at < kept.until) return kept.catalogue
    const answer = await rail.catalogue()
    if (answer.kind === 'catalogue') kept = { catalogue: answer.catalogue, until: secondsAfter(at, KEPT_SECONDS) }
    if (kept === undefined) throw billErrors.unavailable()
    return kept.catalogue
  }

  const products = async (): Promise<readonly ListedProduct[]> => listed(await catalogue())
  return {
    catalogue,
    products,
    product: async (code) => {
      const found = (await products()).find((product) => product.code === code)
      if (found === undefined) throw billErrors.unknownProduct(code)
      return found
    },
  }
}

function listed({ categories, billers, products }: Catalogue): readonly ListedProduct[] {
  const categoryOf = new Map(categories.map((category) => [category.code, category]))
  const billerOf = new Map(billers.map((biller) => [biller.code, biller]))
  return products.map((product) => ({
    ...product,
    category: categoryOf.get(product.categoryCode) ?? { code: product.categoryCode, name: product.categoryCode },
    biller: billerOf.get(product.billerCode) ?? { code: product.billerCode, name: product.billerCode },
  }))
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
