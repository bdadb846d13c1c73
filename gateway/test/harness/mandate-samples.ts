import { randomUUID } from 'node:crypto'
import type { Input, Reply } from '@kobo/contract'
import * as contract from '@kobo/contract'
import type { Clock } from '../../src/kernel/clock.ts'
import { spaced } from '../../src/kernel/dates.ts'
import type { Shop } from './gateway.ts'

type NewMandate = Input<typeof contract.createMandate>['body']

const DAY_MILLISECONDS = 86_400_000
/** A moment some days away, in the format of mandates and paycodes. */
export const daysAfter = (at: Date, days: number): string => spaced(new Date(at.getTime() + days * DAY_MILLISECONDS))

/** The merchant and the current time. */
type Dated = Pick<Shop, 'credentials'> & { readonly core: { readonly clock: Clock } }

/** A valid request for a mandate that starts now and lasts a year: Closed and Flexible by default. */
export const aMandate = (shop: Dated, changes: Partial<NewMandate> = {}): NewMandate => ({
  contractCode: shop.credentials.contractCode,
  mandateReference: `mandate-${randomUUID()}`,
  customerName: 'Ada Obi',
  customerEmailAddress: 'ada@example.com',
  customerPhoneNumber: '08031234567',
  customerAddress: '1 Broad Street, Lagos',
  customerAccountNumber: '0123456789',
  customerAccountBankCode: '058',
  mandateDescription: 'Rent',
  mandateStartDate: daysAfter(shop.core.clock.now(), 0),
  mandateEndDate: daysAfter(shop.core.clock.now(), 365),
  ...changes,
})

/** A mandate that the customer has authorized. */
export async function anActiveMandate(
  shop: Shop,
  changes: Partial<NewMandate> = {},
): Promise<Reply<typeof contract.authorizeMandate>> {
  const { mandateCode } = await shop.call(contract.createMandate, { body: aMandate(shop, changes) })
  return shop.call(contract.authorizeMandate, { params: { mandateCode } })
}
