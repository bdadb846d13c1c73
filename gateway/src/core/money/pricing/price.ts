import type { PricedService } from '@kobo/contract'
import { invariant } from '../../../kernel/errors.ts'
import { type Kobo, ZERO } from '../../../kernel/money.ts'
import { type FeeBearer, type FeeTerms, shareAndFlat } from './fee.ts'

/** All that has a price, and what may be said of it. */
export const SERVICES = {
  collection: { byAmount: true, perContract: true },
  'cash-collection': { byAmount: true, perContract: true },
  transfer: { byAmount: true, perContract: false },
  refund: { byAmount: true, perContract: false },
  paycode: { byAmount: true, perContract: false },
  'verification/bvn-details': { byAmount: false, perContract: false },
  'verification/bvn-account': { byAmount: false, perContract: false },
  'verification/nin-details': { byAmount: false, perContract: false },
  /** What a customer pays to authorise a mandate. */
  'mandate-token': { byAmount: false, perContract: false },
} as const satisfies Readonly<Record<PricedService, { readonly byAmount: boolean; readonly perContract: boolean }>>

export type Service = keyof typeof SERVICES
type ServiceWith<Property extends 'byAmount' | 'perContract', Value extends boolean> = {
  [S in Service]: (typeof SERVICES)[S][Property] extends Value ? S : never
}[Service]

/** What amounts up to some amount cost: a percentage and a flat part, together never above the cap. */
export interface PriceStep {
  /** The largest amount that it is for; null in the last step. */
  readonly upTo: Kobo | null
  readonly basisPoints: number
  readonly flat: Kobo
  readonly cap: Kobo | null
}

/** A price from a time on. */
export interface Price {
  readonly id: bigint
  /** Null where it is everybody's. */
  readonly merchantId: bigint | null
  /** Set where it is one contract's. */
  readonly contractCode: string | null
  readonly service: Service
  /** By amount, the smallest first. Null where from then on the price of the next wider circle counts again. */
  readonly steps: readonly PriceStep[] | null
  readonly validFrom: Date
  readonly madeAt: Date
  readonly madeBy: string
}

/** The prices that a merchant goes by: its own and its contracts', and everybody's; each newest first. */
export interface Prices {
  readonly own: readonly Price[]
  readonly standard: readonly Price[]
}

/** What something costs at a time, whatever the amount. */
export const priceOf = (prices: Prices, service: ServiceWith<'byAmount', false>, at: Date): Kobo =>
  costOf(ZERO, stepFor(prices, service, ZERO, at))

/** What something costs at a time, by its amount. */
export const priceOn = (
  prices: Prices,
  service: ServiceWith<'perContract', false> & ServiceWith<'byAmount', true>,
  amount: Kobo,
  at: Date,
): Kobo => costOf(amount, stepFor(prices, service, amount, at))

/** On what terms a contract collects an amount at a time: a payment keeps them from its opening. */
export function collectionTerms(
  prices: Prices,
  service: ServiceWith<'perContract', true>,
  contract: { readonly code: string; readonly feeBearer: FeeBearer },
  amount: Kobo,
  at: Date,
): FeeTerms {
  const { basisPoints, flat, cap } = stepFor(prices, service, amount, at, contract.code)
  return { feeBasisPoints: basisPoints, feeFlat: flat, feeCap: cap, feeBearer: contract.feeBearer }
}

const costOf = (amount: Kobo, { basisPoints, flat, cap }: PriceStep): Kobo =>
  shareAndFlat(amount, basisPoints, flat, cap)

/** The step of the price that counts: the contract's where it has one, else the merchant's, else everybody's. */
function stepFor(
  { own, standard }: Prices,
  service: Service,
  amount: Kobo,
  at: Date,
  contractCode: string | null = null,
): PriceStep {
  const ofContract = contractCode === null ? null : inEffect(own, service, at, contractCode)
  const steps = ofContract ?? inEffect(own, service, at, null) ?? inEffect(standard, service, at, null)
  invariant(steps !== null, 'everything has a price for everybody')
  const step = steps.find(({ upTo }) => upTo === null || amount <= upTo)
  invariant(step !== undefined, 'every amount has a price')
  return step
}

function inEffect(
  prices: readonly Price[],
  service: Service,
  at: Date,
  contractCode: string | null,
): readonly PriceStep[] | null {
  const price = prices.find(
    (one) => one.service === service && one.contractCode === contractCode && one.validFrom <= at,
  )
  return price?.steps ?? null
}

const STEPS_MAX = 20
const BASIS_POINTS_MAX = 10_000

/** Why a price cannot be, with the name of the field; undefined where it can. */
export function priceFault(service: Service, steps: readonly PriceStep[]): string | undefined {
  if (steps.length === 0 || steps.length > STEPS_MAX) return `step must be given 1 to ${STEPS_MAX} times`
  if (steps.some(({ basisPoints }) => !(Number.isInteger(basisPoints) && isWithin(basisPoints))))
    return 'percent must be 0 to 100, with at most two decimals'
  if (
    !SERVICES[service].byAmount &&
    steps.some(({ upTo, basisPoints, cap }) => (upTo ?? cap) !== null || basisPoints > 0)
  )
    return `flat alone can be the price of ${service}, which has no amount: not up-to, percent or cap`
  if (service === 'mandate-token' && steps.some(({ flat }) => flat === 0n))
    return 'flat must be above zero: the customer pays it to authorise a mandate'
  const limits = steps.slice(0, -1).map(({ upTo }) => upTo)
  if (steps.at(-1)?.upTo !== null) return 'up-to must be left out of the last step, so that every amount has a price'
  if (limits.some((limit, index) => limit === null || limit <= (limits[index - 1] ?? ZERO)))
    return 'up-to must rise from step to step, and only the last has none'
  return undefined
}

const isWithin = (basisPoints: number): boolean => basisPoints >= 0 && basisPoints <= BASIS_POINTS_MAX
