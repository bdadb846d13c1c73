import { StatementError } from '../../core/bank-statements/index.ts'
import { RAILS } from '../../core/money/ledger/index.ts'
import { type PriceStep, priceFault, shareAndFlat } from '../../core/pricing/index.ts'
import { audit, NO_MERCHANT } from '../../core/security/audit.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { lagosMoment } from '../../kernel/dates.ts'
import { add, type Kobo, kobo, percentage, ZERO } from '../../kernel/money.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { By } from './decide.ts'
import {
  type Charged,
  insertPrice,
  type PartnerPrice,
  selectCharged,
  selectEntryGroups,
  selectPrices,
} from './price-repository.ts'

/** The methods that partners have prices for. */
export const METHODS: readonly string[] = [
  ...RAILS.filter((rail) => rail !== 'own' && rail !== 'funding'),
  'refunds',
  'returns',
]

export interface NewPartnerPrice {
  readonly partner: string
  readonly method: string
  readonly steps: readonly PriceStep[]
  readonly vatBasisPoints: number
  readonly validFrom: Date | undefined
}

/** Stores a partner's price for a method, from now or a given time. */
export function putPartnerPrice(unit: UnitOfWork, requested: NewPartnerPrice, by: By): PartnerPrice {
  const fault = priceFault('collection', requested.steps)
  if (fault !== undefined) throw new StatementError(`${fault}.`)
  const price: PartnerPrice = {
    ...requested,
    id: unit.ids.id(),
    validFrom: requested.validFrom ?? unit.at,
    madeAt: unit.at,
    madeBy: by.name ?? by.actor,
  }
  insertPrice(unit.tx, price)
  const { partner, method, steps, vatBasisPoints, validFrom } = price
  const shown = steps.map(({ upTo, basisPoints, flat, cap }) => ({
    upTo: upTo && String(upTo),
    basisPoints,
    flat: String(flat),
    cap: cap && String(cap),
  }))
  audit(unit, {
    ...by,
    merchantId: NO_MERCHANT,
    act: 'partner-price.set',
    reference: partner,
    details: { method, steps: shown, vatBasisPoints, validFrom },
  })
  return price
}

/** Returns the cost of a payment by a partner's prices, including tax; undefined if there is no price. */
export function costOf(
  prices: readonly PartnerPrice[],
  {
    partner,
    method,
    amount,
    day,
  }: { readonly partner: string; readonly method: string; readonly amount: Kobo; readonly day: number },
): Kobo | undefined {
  const at = lagosMoment(day + 1, 0)
  const price = prices.find((one) => one.partner === partner && one.method === method && one.validFrom < at)
  const paid = kobo(amount < 0n ? -amount : amount)
  const step = price?.steps.find(({ upTo }) => upTo === null || paid <= upTo)
  if (price === undefined || step === undefined) return undefined
  const fee = shareAndFlat(paid, step.basisPoints, step.flat, step.cap)
  return add(fee, percentage(fee, BigInt(price.vatBasisPoints)))
}

/** A fee that a partner charged, and the fee according to its prices. */
export interface WrongFee extends Charged {
  readonly expected: Kobo
}

/** Yields the payments whose fee differs from the partner's prices, a day at a time. */
export async function* wrongFees(
  db: Db,
  partner: string,
  from: number,
  to: number,
): AsyncGenerator<readonly WrongFee[]> {
  const prices = await selectPrices(db, partner)
  for (let day = from; day <= to; day++)
    yield (await selectCharged(db, partner, day)).flatMap((one) => {
      const expected = costOf(prices, one)
      return expected === undefined || expected === one.charged ? [] : { ...one, expected }
    })
}

/** Income and cost of a method at a partner. */
export interface Margin {
  readonly partner: string
  readonly method: string
  readonly payments: number
  readonly volume: Kobo
  /** Fees paid by merchants. */
  readonly income: Kobo
  /** The partner's charges: those it reported, and those that operators found on its statements. */
  readonly cost: Kobo
  /** The partner's charges according to its prices; null if there are none. */
  readonly expected: Kobo | null
}

/** Returns income and cost of each method at each partner over some days, from the ledger entries collected so far. */
export async function marginOf(db: Db, partner: string | null, from: number, to: number): Promise<readonly Margin[]> {
  const prices = await selectPrices(db, partner)
  const margins = new Map<string, Margin>()
  for (const one of await selectEntryGroups(db, partner, from, to)) {
    const key = `${one.partner} ${one.method}`
    const before = margins.get(key) ?? {
      partner: one.partner,
      method: one.method,
      payments: 0,
      volume: ZERO,
      income: ZERO,
      cost: ZERO,
      expected: null,
    }
    const all = kobo(one.amount * one.count)
    if (one.kind === 'COST') margins.set(key, { ...before, cost: kobo(before.cost - all) })
    else {
      const price = costOf(prices, one)
      margins.set(key, {
        ...before,
        payments: before.payments + Number(one.count),
        volume: kobo(before.volume + (all < 0n ? -all : all)),
        income: add(before.income, one.income),
        expected: price === undefined ? before.expected : kobo((before.expected ?? 0n) + price * one.count),
      })
    }
  }
  return [...margins.values()].sort((a, b) => (`${a.partner} ${a.method}` < `${b.partner} ${b.method}` ? -1 : 1))
}
