import { type Fragment, sql } from '../../platform/postgres/sql.ts'
import { ofMerchants } from '../../platform/postgres/table.ts'
import { acts, type RowCheck, ranged, within } from '../money/ledger/index.ts'
import { type OrderRow, orders } from './order.ts'

/** Money in flight equals the money that open orders and features hold; each order states how much it holds. */
export const orderCheck: RowCheck = acts<OrderRow>({
  name: 'order',
  rows: { table: 'rail_order', idFormat: 'standard' },
  read: (tx, ranges) =>
    tx<OrderRow[]>`select ${orders.of('r')} from ${ranged(ranges)} join rail_order r on ${within('r', ranges)}`,
  reference: ({ reference }) => reference,
  state: ({ state }) => state,
  consequences: ({ account, held, state, concludedAt }) => ({
    // The money of a watched order has arrived; the order holds money again only if it comes back.
    holds: account === null || state === 'CONCLUDED' || concludedAt !== null ? undefined : { account, amount: held },
  }),
  mayChange: ({ state }) => state !== 'CONCLUDED',
})

/** Joins to each row `r` the order `o` that has the same id: `from transfer r ${withOrder(ranges)}`. */
export const withOrder = (of: readonly object[]): Fragment =>
  sql`left join rail_order o on ${ofMerchants('o', of)} and o.merchant_id = r.merchant_id and o.id = r.id`

/** The columns of `o` that a row's check needs. */
export const ofOrder = sql`o.state as order_state, o.partner as order_partner`

/** The state and partner of a row's order; null if it has none. */
export interface WithOrder {
  readonly orderState: OrderRow['state'] | null
  readonly orderPartner: OrderRow['partner']
}

/** Whether a row's order can still change. */
export const isOrderOpen = ({ orderState }: Pick<WithOrder, 'orderState'>): boolean =>
  orderState !== null && orderState !== 'CONCLUDED'

/** Reports a row that waits for a partner although its order is completed. */
export const forgotten = (isWaiting: boolean, row: WithOrder): readonly string[] =>
  isWaiting && !isOrderOpen(row) ? ['it waits for an outcome, but its order is completed'] : []
