import process from 'node:process'
import { nextEvents } from '@kobo/sdk/events'
import { deliverIfPaid } from '../../lib/orders.js'

/** Receives webhooks. */
export const POST = (request) =>
  nextEvents({ secretKey: process.env.KOBO_SECRET_KEY }, async (event) => {
    if (event.eventType === 'SUCCESSFUL_TRANSACTION') await deliverIfPaid(event.eventData.paymentReference)
  })(request)
