import { type Kobo, toNairaText } from '../../kernel/money.ts'
import {
  insertPrice,
  type Price,
  priceFault,
  SERVICES,
  selectOwnPrices,
  selectStandardPrices,
} from '../pricing/index.ts'
import { type AuditRecord, audit, NO_MERCHANT } from '../security/audit.ts'
import type { UnitOfWork } from '../unit-of-work.ts'
import type { MerchantDirectory } from './directory.ts'

/** A new price; effective now if no time is given. */
export interface NewPrice extends Pick<Price, 'merchantId' | 'contractCode' | 'service' | 'steps' | 'madeBy'> {
  readonly validFrom: Date | undefined
}

/** Why a price cannot be set, with the field's name. */
export class PriceError extends Error {}

/** The most upcoming prices. It is limited, because all prices are kept in memory. */
const UPCOMING_MAX = 100

/** Sets a price from a given time, on every node. Existing payments keep their price. */
export const setPrice = (directory: MerchantDirectory, requested: NewPrice): Promise<Price> =>
  directory.change(requested.merchantId ?? 'all', (unit) => applyPrice(unit, requested, { actor: 'command line' }))

/** Sets a price in the caller's unit of work, which is a change of one merchant or of all. */
export async function applyPrice(
  unit: UnitOfWork,
  requested: NewPrice,
  { details, ...who }: Pick<AuditRecord, 'actor' | 'name' | 'address' | 'details'>,
): Promise<Price> {
  const price = { ...requested, id: unit.ids.id(), validFrom: requested.validFrom ?? unit.at, madeAt: unit.at }
  const known = await checkPrice(unit, price)
  insertPrice(unit.tx, price)
  const { contractCode, service, validFrom } = price
  const [before] = known
    .filter((one) => one.contractCode === contractCode && one.service === service && one.validFrom <= validFrom)
    .toSorted((a, b) => b.validFrom.getTime() - a.validFrom.getTime())
  audit(unit, {
    merchantId: price.merchantId ?? NO_MERCHANT,
    act: 'price.set',
    ...who,
    reference: service,
    details: {
      ...{ contractCode, validFrom, priceId: String(price.id) },
      ...{ before: shown(before?.steps ?? null), after: shown(price.steps) },
      ...details,
    },
  })
  return price
}

const nairaOrNone = (amount: Kobo | null): string | null => (amount === null ? null : toNairaText(amount))

/** Returns price steps as the audit log shows them; null if there are none. */
const shown = (steps: Price['steps']) =>
  steps?.map(({ upTo, basisPoints, flat, cap }) => ({
    upTo: nairaOrNone(upTo),
    basisPoints,
    flat: toNairaText(flat),
    cap: nairaOrNone(cap),
  })) ?? null

/** Rejects an invalid price. Returns the merchant's, or the standard, prices that are current or upcoming. */
export async function checkPrice(
  { tx, at }: Pick<UnitOfWork, 'tx' | 'at'>,
  price: Omit<Price, 'id' | 'madeAt' | 'madeBy'>,
): Promise<readonly Price[]> {
  const { merchantId, contractCode, service, steps, validFrom } = price
  if (validFrom < at) throw new PriceError('from must not be in the past: existing payments keep their prices')
  if (contractCode !== null && !SERVICES[service].perContract)
    throw new PriceError(`contract: ${service} has a price for each merchant, not for each contract`)
  if (steps === null && merchantId === null)
    throw new PriceError('steps: the standard price cannot be removed, only changed')
  const fault = steps === null ? undefined : priceFault(service, steps)
  if (fault !== undefined) throw new PriceError(fault)
  const known = await (merchantId === null ? selectStandardPrices(tx, at) : selectOwnPrices(tx, merchantId, at))
  if (known.filter((one) => one.validFrom > at).length >= UPCOMING_MAX)
    throw new PriceError(`from: at most ${UPCOMING_MAX} upcoming prices are allowed`)
  return known
}
