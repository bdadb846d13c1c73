import { inlineOrder } from '../../lib/orders.js'

/** Creates an order for the inline checkout. */
export const POST = () => Response.json(inlineOrder())
