import { type Fragment, sql } from '../../platform/sql.ts'
import { ofMerchants } from '../../platform/table.ts'
import { acts, type RowQuestion, ranged, within } from '../money/ledger/index.ts'
import { type OrderRow, orders } from './order.ts'

/** Money in flight is what open orders hold, and what features hold otherwise: each order says what it holds. */
export const orderQuestions: RowQuestion = acts<OrderRow>({
  name: 'order',
  rows: { table: 'rail_order', idsAre: 'moments' },
  read: (tx, ranges) =>
    tx<OrderRow[]>`select ${orders.of('r')} from ${ranged(ranges)} join rail_order r on ${within('r', ranges)}`,
  reference: ({ reference }) => reference,
  standing: ({ state }) => state,
  consequences: ({ account, held, state, concludedAt }) => ({
    // What is watched has arrived, and holds nothing unless it comes back.
    holds: account === null || state === 'CONCLUDED' || concludedAt !== null ? undefined : { account, amount: held },
  }),
  mayChange: ({ state }) => state !== 'CONCLUDED',
})

/** The order of a row of a set that has one with the same id, called `o`: from transfer r ${withOrder(ranges)}. */
export const withOrder = (of: readonly object[]): Fragment =>
  sql`left join rail_order o on ${ofMerchants('o', of)} and o.merchant_id = r.merchant_id and o.id = r.id`

/** What of it belongs to the row. */
export const ofOrder = sql`o.state as order_state, o.partner as order_partner`

/** How the order of a row stands, and who has it; null where it has none. */
export interface WithOrder {
  readonly orderState: OrderRow['state'] | null
  readonly orderPartner: OrderRow['partner']
}

/** Whether something may still come of the order of a row. */
export const isOrderOpen = ({ orderState }: Pick<WithOrder, 'orderState'>): boolean =>
  orderState !== null && orderState !== 'CONCLUDED'

/** What is wrong with a row that waits for a partner though nobody asks the partner any more. */
export const forgotten = (isWaiting: boolean, row: WithOrder): readonly string[] =>
  isWaiting && !isOrderOpen(row) ? ['it waits for an answer, but its order is over'] : []
