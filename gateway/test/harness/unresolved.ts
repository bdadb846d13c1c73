import type { OrderPurpose } from '../../src/core/orders/index.ts'
import type { Shop } from './gateway.ts'
import { until } from './until.ts'

/** Sends the only open order of a purpose to manual review, as after days without an outcome. Returns its reference. */
export async function makeUnresolved({ db }: Pick<Shop, 'db'>, purpose: OrderPurpose): Promise<string> {
  let reference = ''
  await until(`a ${purpose} is open and not leased`, async () => {
    const [row] = await db<{ reference: string }[]>`
      update rail_order set state = 'UNRESOLVED', due_at = null
       where purpose = ${purpose} and state in ('SENT', 'WATCHED') and leased_until is null
      returning reference`
    reference = row?.reference ?? ''
    return row !== undefined
  })
  return reference
}
