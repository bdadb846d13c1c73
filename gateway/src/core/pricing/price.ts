import type { PricedService } from '@kobo/contract'
import { invariant } from '../../kernel/errors.ts'
import { type Kobo, ZERO } from '../../kernel/money.ts'
import { type FeeBearer, type FeeStep, type FeeTerms, shareAndFlat } from './fee.ts'

/** All services that have a price. */
export const SERVICES = {
  collection: { byAmount: true, perContract: true },
  'cash-collection': { byAmount: true, perContract: true },
  transfer: { byAmount: true, perContract: false },
  refund: { byAmount: true, perContract: false },
  paycode: { byAmount: true, perContract: false },
  'verification/bvn-details': { byAmount: false, perContract: false },
  'verification/bvn-account': { byAmount: false, perContract: false },
  'verification/nin-details': { byAmount: false, perContract: false },
  /** The customer's price for authorizing a mandate. */
  'mandate-token': { byAmount: false, perContract: false },
} as const satisfies Readonly<Record<PricedService, { readonly byAmount: boolean; readonly perContract: boolean }>>

export type Service = keyof typeof SERVICES
type ServiceWith<Property extends 'byAmount' | 'perContract', Value extends boolean> = {
  [S in Service]: (typeof SERVICES)[S][Property] extends Value ? S : never
}[Service]

/** The price for amounts up to a limit: a percentage plus a flat part, at most the cap. */
export interface PriceStep {
  /** The largest amount that the step applies to; null in the last step. */
  readonly upTo: Kobo | null
  readonly basisPoints: number
  readonly flat: Kobo
  readonly cap: Kobo | null
}

/** A price and when it takes effect. */
export interface Price {
  readonly id: bigint
  /** The merchant with this price; null for the standard price. */
  readonly merchantId: bigint | null
  /** The contract with this price; null if the price is for all contracts. */
  readonly contractCode: string | null
  readonly service: Service
  /** By amount, smallest first. Null removes this price, so the next more general one applies. */
  readonly steps: readonly PriceStep[] | null
  readonly validFrom: Date
  readonly madeAt: Date
  readonly madeBy: string
}

/** A merchant's prices: its own, its contracts', and the standard ones; newest first. */
export interface Prices {
  readonly own: readonly Price[]
  readonly standard: readonly Price[]
}

/** Returns the price, at a time, of a service whose price does not depend on an amount. */
export const priceOf = (prices: Prices, service: ServiceWith<'byAmount', false>, at: Date): Kobo =>
  costOf(ZERO, stepFor(prices, service, ZERO, at))

/** Returns the price, at a time, of a service for an amount. */
export const priceOn = (
  prices: Prices,
  service: ServiceWith<'perContract', false> & ServiceWith<'byAmount', true>,
  amount: Kobo,
  at: Date,
): Kobo => costOf(amount, stepFor(prices, service, amount, at))

/** Returns a contract's collection terms for an amount at a time. A payment keeps the terms of its creation. */
export function collectionTerms(
  prices: Prices,
  service: ServiceWith<'perContract', true>,
  contract: { readonly code: string; readonly feeBearer: FeeBearer },
  amount: Kobo,
  at: Date,
): FeeTerms {
  const steps = stepsOf(prices, service, at, contract.code)
  const { basisPoints, flat, cap } = stepAt(steps, amount)
  return {
    feeBasisPoints: basisPoints,
    feeFlat: flat,
    feeCap: cap,
    feeBearer: contract.feeBearer,
    // The fee depends on the amount paid, which may be on another step, so all steps are stored.
    feeSteps: steps.length > 1 ? steps.map(storedStep) : null,
  }
}

const whole = (amount: Kobo | null): number | null => (amount === null ? null : Number(amount))

export const storedStep = ({ upTo, basisPoints, flat, cap }: PriceStep): FeeStep => ({
  upTo: whole(upTo),
  basisPoints,
  flat: Number(flat),
  cap: whole(cap),
})

const costOf = (amount: Kobo, { basisPoints, flat, cap }: PriceStep): Kobo =>
  shareAndFlat(amount, basisPoints, flat, cap)

const stepFor = (prices: Prices, service: Service, amount: Kobo, at: Date): PriceStep =>
  stepAt(stepsOf(prices, service, at, null), amount)

/** Returns the price steps that apply: the contract's, else the merchant's, else the standard ones. */
function stepsOf(
  { own, standard }: Prices,
  service: Service,
  at: Date,
  contractCode: string | null,
): readonly PriceStep[] {
  const ofContract = contractCode === null ? null : inEffect(own, service, at, contractCode)
  const steps = ofContract ?? inEffect(own, service, at, null) ?? inEffect(standard, service, at, null)
  invariant(steps !== null, 'every service has a standard price')
  return steps
}

function stepAt(steps: readonly PriceStep[], amount: Kobo): PriceStep {
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

/** Why a price is invalid, with the field's name; undefined if it is valid. */
export function priceFault(service: Service, steps: readonly PriceStep[]): string | undefined {
  if (steps.length === 0 || steps.length > STEPS_MAX) return `step must be given 1 to ${STEPS_MAX} times`
  if (steps.some(({ basisPoints }) => !(Number.isInteger(basisPoints) && isWithin(basisPoints))))
    return 'percent must be 0 to 100, with at most two decimals'
  if (
    !SERVICES[service].byAmount &&
    steps.some(({ upTo, basisPoints, cap }) => (upTo ?? cap) !== null || basisPoints > 0)
  )
    return `${service} has no amount, so its price can only be flat: leave out up-to, percent and cap`
  if (service === 'mandate-token' && steps.some(({ flat }) => flat === 0n))
    return 'flat must be above zero: the customer pays it to authorize a mandate'
  const limits = steps.slice(0, -1).map(({ upTo }) => upTo)
  if (steps.at(-1)?.upTo !== null) return 'up-to must be left out of the last step, so that every amount has a price'
  if (limits.some((limit, index) => limit === null || limit <= (limits[index - 1] ?? ZERO)))
    return 'up-to must rise from step to step, and only the last has none'
  return undefined
}

const isWithin = (basisPoints: number): boolean => basisPoints >= 0 && basisPoints <= BASIS_POINTS_MAX
