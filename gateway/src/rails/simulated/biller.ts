import { createHash } from 'node:crypto'
import type { Clock } from '../../kernel/clock.ts'
import { kobo, toNaira } from '../../kernel/money.ts'
import type { BillerRail, BillProduct, VendOutcome } from '../biller.ts'
import { queriedEntry, type SimulatedBook, type SimulatedEntry } from './book.ts'
import { CATALOGUE } from './catalogue.ts'
import { fullName, personOf } from './people.ts'

const RAIL = 'biller'

/** The last digits of the customer's number decide the outcome of a purchase. With other digits it succeeds. */
const FAILS = /001$/
const SUCCEEDS_LATER = /002$/
const FAILS_LATER = /003$/
const LATER_MILLISECONDS = 60_000

/** Categories whose customers are identified by their phone number only. */
const PHONE_CATEGORIES = new Set(['AIRTIME', 'DATA_BUNDLE'])
/** Naira per unit (kWh) of power. */
const UNIT_PRICE = 209.5

const REFUSED: VendOutcome = { kind: 'failed', reason: 'The biller refused the payment' }

const products = new Map(CATALOGUE.products.map((product) => [product.code, product]))

/** Opens the sandbox's billers, which know any customer number that contains a digit. */
export function simulatedBiller({ clock, book }: { readonly clock: Clock; readonly book: SimulatedBook }): BillerRail {
  return {
    catalogue: async () => ({ kind: 'catalogue', catalogue: CATALOGUE }),

    validateCustomer: async ({ productCode, customerId }) => {
      const product = products.get(productCode)
      if (product === undefined || !isKnown(customerId))
        return { kind: 'invalid', reason: `${customerId} is no customer of this biller` }
      const customerName = PHONE_CATEGORIES.has(product.categoryCode) ? customerId : fullName(personOf(customerId))
      return { kind: 'valid', customerName }
    },

    vend: async (request) => {
      const { productCode, customerId, amount, reference } = request
      const at = clock.now()
      const facts = { reference, productCode, customerId, amount: String(amount) }
      return outcomeOf(await book.keep(RAIL, reference, facts, at), at)
    },

    findVend: async (reference) => {
      const at = clock.now()
      const entry = await queriedEntry(book, RAIL, reference, at)
      return entry === undefined ? { kind: 'not found' } : outcomeOf(entry, at)
    },
  }
}

const isKnown = (customerId: string): boolean => /\d/.test(customerId)

function outcomeOf({ facts, at }: SimulatedEntry, now: Date): VendOutcome {
  const { reference, productCode, customerId, amount } = facts as Partial<Record<string, string>>
  const product = products.get(productCode ?? '')
  if (product === undefined || customerId === undefined || !isKnown(customerId)) return REFUSED
  if (FAILS.test(customerId)) return REFUSED
  const isLater = now.getTime() - at.getTime() >= LATER_MILLISECONDS
  if (!isLater && (SUCCEEDS_LATER.test(customerId) || FAILS_LATER.test(customerId))) return { kind: 'pending' }
  return FAILS_LATER.test(customerId) ? REFUSED : vended(product, reference ?? '', BigInt(amount ?? 0))
}

/** Returns the delivered values, which are always the same for the same purchase. */
function vended(product: BillProduct, reference: string, amount: bigint): VendOutcome {
  const digits = digitsOf(reference)
  if (product.code.endsWith('-PREPAID')) {
    const token = digits.slice(0, 20).replace(/(\d{4})(?=\d)/g, '$1-')
    const units = (toNaira(kobo(amount)) / UNIT_PRICE).toFixed(2)
    return { kind: 'vended', description: `Purchase successful. Token: ${token}`, metadata: { token, units } }
  }
  if (product.categoryCode === 'EDUCATION') {
    const pin = digits.slice(0, 12)
    const serial = `${product.billerCode}${digits.slice(12, 21)}`
    return { kind: 'vended', description: `Purchase successful. PIN: ${pin}`, metadata: { pin, serial } }
  }
  return { kind: 'vended', description: 'Purchase successful', metadata: {} }
}

const digitsOf = (text: string): string =>
  BigInt(`0x${createHash('sha256').update(text).digest('hex')}`)
    .toString()
    .slice(-24)
