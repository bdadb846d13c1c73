import { hostedOrder } from '../../lib/orders.js'

/** Creates an order and returns the URL of its hosted checkout. */
export const POST = async () => Response.json(await hostedOrder())
