import { orders } from '../../../lib/orders.js'

export async function GET(_request, { params }) {
  const order = orders.get((await params).reference)
  return order === undefined ? Response.json({ error: 'Unknown order' }, { status: 404 }) : Response.json(order)
}
