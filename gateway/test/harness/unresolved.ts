import type { OrderPurpose } from '../../src/core/orders/index.ts'
import type { Shop } from './gateway.ts'
import { until } from './wait.ts'

/** Days of silence at once: a person is called for the only order of a purpose that is open. Answers its reference. */
export async function silence({ db }: Pick<Shop, 'db'>, purpose: OrderPurpose): Promise<string> {
  let reference = ''
  await until(`a ${purpose} is open and with nobody`, async () => {
    const [row] = await db<{ reference: string }[]>`
      update rail_order set state = 'UNRESOLVED', due_at = null
       where purpose = ${purpose} and state in ('SENT', 'WATCHED') and leased_until is null
      returning reference`
    reference = row?.reference ?? ''
    return row !== undefined
  })
  return reference
}
