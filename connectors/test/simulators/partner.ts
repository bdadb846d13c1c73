import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { loseRoute } from '../../../gateway/test/harness/lost-route.ts'

/** Ways in which a response is lost although the partner has executed the request. */
export const LOST_RESPONSES = ['lost', 'error', 'page', 'half', 'nothing', 'unreachable'] as const
export type LostResponse = (typeof LOST_RESPONSES)[number]

export interface PartnerRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  /** The body, if it is a JSON object. */
  // biome-ignore lint/suspicious/noExplicitAny: a partner looks into what it was sent, whatever that is
  readonly body: any
}

export interface Partner {
  readonly url: string
  /** All requests received, in order. */
  readonly requests: readonly PartnerRequest[]
  /** Loses the next response at a path, although the request takes effect. */
  readonly loseResponse: (how: LostResponse, path: RegExp) => void
  readonly replaceResponse: (path: RegExp, body: object) => void
}

/** A partner on a real socket. The simulator decides the effects of requests; this file adds the network faults. */
export async function partner(
  t: TestContext,
  carryOut: (request: PartnerRequest) => { readonly status?: number; readonly body: object },
): Promise<Partner> {
  const requests: PartnerRequest[] = []
  let silenced: { readonly how: LostResponse; readonly path: RegExp } | undefined
  let instead: { readonly body: object; readonly path: RegExp } | undefined
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += part
    const url = new URL(request.url ?? '', 'http://partner')
    const one: PartnerRequest = {
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      text,
      body: objectIn(text),
    }
    requests.push(one)
    const done = carryOut(one)
    let reply = JSON.stringify(done.body)
    if (instead?.path.test(one.path)) {
      reply = JSON.stringify(instead.body)
      instead = undefined
    }
    const { how } = silenced?.path.test(one.path) ? silenced : { how: undefined }
    if (how !== undefined) silenced = undefined
    if (how === 'lost') return void response.destroy()
    if (how === 'unreachable') return loseRoute(request.socket.remotePort)
    if (how === 'error') return void response.writeHead(500).end('{}')
    if (how === 'page') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sorry</html>')
    if (how === 'half') return void response.writeHead(200).end(reply.slice(0, -3))
    if (how === 'nothing') return void response.writeHead(200).end()
    response.writeHead(done.status ?? 200, { 'content-type': 'application/json' }).end(reply)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    loseResponse: (how, path) => {
      silenced = { how, path }
    },
    replaceResponse: (path, body) => {
      instead = { path, body }
    },
  }
}

function objectIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
