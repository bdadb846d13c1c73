import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { asText, OPERATION_HANDLERS } from '../../../connectors/src/operations.ts'
import { wallClock } from '../../src/kernel/clock.ts'
import { isSigned } from '../../src/rails/http/index.ts'
import type { PartnerRails } from '../../src/rails/not-sent.ts'

export const RAILS_SECRET = 'a-secret-between-gateway-and-adapter'

export const OPERATION_NAMES = Object.keys(OPERATION_HANDLERS)

/**
 * How an adapter may misbehave: another status and text; the effect without a response; or neither. `broken` and
 * `unreachable` are the same as the last two, but with a broken connection, so that no caller waits.
 */
export type Misbehaviour =
  | { readonly status: number; readonly text: string }
  | 'silent'
  | 'deaf'
  | 'broken'
  | 'unreachable'

export interface RailAdapter {
  readonly url: string
  /** The requested operations, in the order of completion. */
  readonly operations: string[]
  /** Decides how an operation with this body misbehaves, if it does. */
  misbehaving: (operation: string, request: Readonly<Record<string, unknown>>) => Misbehaviour | undefined
}

/** An operator's adapter: serves rails over the protocol of docs/reference/rails.md, on a real server. */
export async function railAdapter(t: TestContext, rails: PartnerRails, wall = wallClock): Promise<RailAdapter> {
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    const operation = request.url?.slice(1) ?? ''
    const carryOut = OPERATION_HANDLERS[operation]
    if (request.method !== 'POST' || carryOut === undefined) return response.writeHead(404).end()
    if (!isSigned(RAILS_SECRET, wall, operation, body, request.headers)) return response.writeHead(401).end()
    const input = JSON.parse(body)
    const wrong = adapter.misbehaving(operation, input)
    const isDone = wrong !== 'deaf' && wrong !== 'unreachable'
    const reply = isDone ? await carryOut(rails, input as never) : undefined
    adapter.operations.push(operation)
    if (wrong === 'silent' || wrong === 'deaf') return
    if (wrong === 'broken' || wrong === 'unreachable') return request.socket.destroy()
    const text = asText(reply ?? {})
    return response.writeHead(wrong?.status ?? 200, { 'content-type': 'application/json' }).end(wrong?.text ?? text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const adapter: RailAdapter = { url: `http://127.0.0.1:${port}`, operations: [], misbehaving: () => undefined }
  return adapter
}
