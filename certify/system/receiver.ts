import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ReceivedEvent } from '../checker/history.ts'
import { inKobo } from './api.ts'

/** How an endpoint responds to a webhook. */
export type Behaviour = (response: ServerResponse) => void

/** A merchant's webhook endpoint, which stores every event that it receives. */
export interface Receiver {
  readonly url: string
  readonly events: ReceivedEvent[]
  /** Changes how it responds; by default with 200. Events are stored in any case. */
  readonly behave: (behaviour?: Behaviour) => void
  readonly stop: () => void
}

export async function startReceiver(secretKey: string): Promise<Receiver> {
  const events: ReceivedEvent[] = []
  let respond: Behaviour = (response) => void response.end()
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts)
    const expected = createHmac('sha512', secretKey).update(body).digest('hex')
    events.push({ ...readEvent(body), isSigned: request.headers['service-signature'] === expected })
    respond(response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    events,
    behave: (behaviour = (response) => void response.end()) => {
      respond = behaviour
    },
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

function readEvent(body: Buffer): Omit<ReceivedEvent, 'isSigned'> {
  const { eventType, eventData } = JSON.parse(body.toString()) as {
    readonly eventType: string
    readonly eventData: Readonly<Record<string, unknown>>
  }
  const { paymentReference, reference, amountPaid, amount } = eventData
  return { eventType, reference: String(paymentReference ?? reference), amount: inKobo(amountPaid ?? amount) }
}
