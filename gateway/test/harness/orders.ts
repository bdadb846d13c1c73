import assert from 'node:assert/strict'
import { ORDER_PURPOSES, type OrderPurpose, type OrderWork } from '../../src/core/orders/index.ts'

/** The given kinds of orders, for a process whose database has no others. */
export const onlyOrders = (
  some: Readonly<Partial<Record<OrderPurpose, OrderWork>>>,
): Readonly<Record<OrderPurpose, OrderWork>> =>
  Object.fromEntries(
    ORDER_PURPOSES.map((purpose) => [
      purpose,
      some[purpose] ?? {
        purpose,
        prepare: () => assert.fail(`there is an order for a ${purpose}`),
        decided: () => assert.fail(`an order for a ${purpose} was decided`),
      },
    ]),
  ) as Record<OrderPurpose, OrderWork>
