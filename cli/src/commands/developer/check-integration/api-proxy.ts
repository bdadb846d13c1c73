import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { initTransaction } from '@kobo/contract'
import { UsageError } from '../../../command.ts'

/** A request of the shop to the gateway's API. */
export interface ApiRequest {
  readonly method: string
  readonly url: URL
  readonly body: string
}

type Json = Readonly<Record<string, unknown>>

/** Changes to the JSON of a request or of a `responseBody`. */
interface Changes {
  readonly request?: (body: Json) => Json
  readonly response?: (body: Json) => Json
}

/** The fault that the proxy injects into a request. */
export type ApiFault =
  | { readonly kind: 'unavailable' }
  /** The gateway processes the request, but the connection breaks before the response. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'late'; readonly milliseconds: number }
  | ({ readonly kind: 'changed' } & Changes)

/** A proxy between the shop and the gateway that records the shop's requests and injects faults. */
export interface ApiProxy {
  readonly url: string
  /** The requests since the last `reset`. */
  readonly seen: () => readonly ApiRequest[]
  /** The requests since the last `markPayment`. */
  readonly seenSincePayment: () => readonly ApiRequest[]
  readonly markPayment: () => void
  /** Forgets all requests and sets the faults of the following ones. */
  readonly reset: (faultOf?: (request: ApiRequest) => ApiFault | undefined) => void
  readonly close: () => Promise<void>
}

export const isInit = ({ method, url }: ApiRequest): boolean =>
  method === initTransaction.method && url.pathname === initTransaction.path

/** Whether a request asks for the status of payments. */
export const isQuery = ({ method, url }: ApiRequest): boolean =>
  method === 'GET' && /^\/api\/v\d\/(merchant\/)?transactions\//.test(url.pathname)

/** A field of a request's JSON body. */
export function fieldOf({ body }: ApiRequest, name: string): unknown {
  try {
    return JSON.parse(body)?.[name]
  } catch {
    return undefined
  }
}

const BODY_BYTES_MAX = 1_000_000
const NOT_FORWARDED = /^(host|connection|content-length|transfer-encoding|accept-encoding|content-encoding|keep-alive)$/

const UNAVAILABLE = JSON.stringify({
  requestSuccessful: false,
  responseMessage: 'Service unavailable, please retry',
  responseCode: '99',
})

/** Opens a proxy to a gateway on a port of this machine; port 0 means any free port. */
export async function openApiProxy(gatewayUrl: string, port: number): Promise<ApiProxy> {
  let seen: ApiRequest[] = []
  let beforePayment = 0
  let faultOf: (request: ApiRequest) => ApiFault | undefined = () => undefined
  const serve = async (incoming: IncomingMessage, reply: ServerResponse): Promise<void> => {
    const request = {
      method: incoming.method ?? 'GET',
      url: new URL(incoming.url ?? '/', gatewayUrl),
      body: await textOf(incoming),
    }
    seen.push(request)
    await forward(request, incoming, reply, faultOf(request))
  }
  const server = createServer((incoming, reply) => {
    serve(incoming, reply).catch(() => incoming.socket.destroy())
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    throw new UsageError(`Port ${port} is in use. Choose another with --port, and use it in your shop too.`)
  })
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    seen: () => seen,
    seenSincePayment: () => seen.slice(beforePayment),
    markPayment: () => {
      beforePayment = seen.length
    },
    reset: (next = () => undefined) => {
      seen = []
      beforePayment = 0
      faultOf = next
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > BODY_BYTES_MAX) throw new Error('The request is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

async function forward(
  { method, url, body }: ApiRequest,
  incoming: IncomingMessage,
  reply: ServerResponse,
  fault: ApiFault | undefined,
): Promise<void> {
  if (fault?.kind === 'unavailable') {
    reply.writeHead(503, { 'content-type': 'application/json' }).end(UNAVAILABLE)
    return
  }
  const changes = fault?.kind === 'changed' ? fault : undefined
  const headers = Object.entries(incoming.headers).flatMap(([name, value]) =>
    NOT_FORWARDED.test(name) || value === undefined ? [] : [[name, String(value)] as [string, string]],
  )
  const response = await fetch(url, {
    method,
    headers,
    redirect: 'manual',
    ...(body === '' ? {} : { body: changed(body, changes?.request) }),
  })
  const text = await response.text()
  if (fault?.kind === 'late') await pause(fault.milliseconds)
  if (fault?.kind === 'lost') {
    incoming.socket.destroy()
    return
  }
  const shown = Object.fromEntries([...response.headers].filter(([name]) => !NOT_FORWARDED.test(name)))
  reply.writeHead(response.status, shown).end(changedReply(text, changes?.response))
}

const changed = (body: string, change: ((body: Json) => Json) | undefined): string =>
  change === undefined ? body : JSON.stringify(change(JSON.parse(body)))

/** Changes the `responseBody` of a successful response, or each record if it is a page. */
function changedReply(text: string, change: ((body: Json) => Json) | undefined): string {
  if (change === undefined) return text
  const envelope = JSON.parse(text)
  if (envelope.requestSuccessful !== true) return text
  const { content } = envelope.responseBody
  const responseBody = Array.isArray(content)
    ? { ...envelope.responseBody, content: content.map(change) }
    : change(envelope.responseBody)
  return JSON.stringify({ ...envelope, responseBody })
}
