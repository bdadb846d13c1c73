import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { asText, BEHIND } from '../../../rails/src/behind.ts'
import { wallClock } from '../../src/kernel/clock.ts'
import { isSigned } from '../../src/rails/http/index.ts'
import type { PartnerRails } from '../../src/rails/not-sent.ts'

export const RAILS_SECRET = 'a-secret-between-gateway-and-adapter'

export const OPERATION_NAMES = Object.keys(BEHIND)

/**
 * How an adapter may misbehave: it answers with another status and text; it does what it was asked for and never answers;
 * or it does not even do it. `broken` and `unreachable` are the same two with a connection that breaks, so that nobody waits.
 */
export type Misbehaviour =
  | { readonly status: number; readonly text: string }
  | 'silent'
  | 'deaf'
  | 'broken'
  | 'unreachable'

export interface RailAdapter {
  readonly url: string
  /** The operations that were asked for, in the order in which they were done with. */
  readonly asked: string[]
  /** Decides, for each operation and what was told with it, whether it fares as it should. */
  misbehaving: (operation: string, told: Readonly<Record<string, unknown>>) => Misbehaviour | undefined
}

/** An operator's adapter: puts rails behind the protocol of docs/rails.md, on a real server. */
export async function railAdapter(t: TestContext, rails: PartnerRails, wall = wallClock): Promise<RailAdapter> {
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    const operation = request.url?.slice(1) ?? ''
    const carryOut = BEHIND[operation]
    if (request.method !== 'POST' || carryOut === undefined) return response.writeHead(404).end()
    if (!isSigned(RAILS_SECRET, wall, operation, body, request.headers)) return response.writeHead(401).end()
    const told = JSON.parse(body)
    const wrong = adapter.misbehaving(operation, told)
    const isDone = wrong !== 'deaf' && wrong !== 'unreachable'
    const answer = isDone ? await carryOut(rails, told as never) : undefined
    adapter.asked.push(operation)
    if (wrong === 'silent' || wrong === 'deaf') return
    if (wrong === 'broken' || wrong === 'unreachable') return request.socket.destroy()
    const text = asText(answer ?? {})
    return response.writeHead(wrong?.status ?? 200, { 'content-type': 'application/json' }).end(wrong?.text ?? text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const adapter: RailAdapter = { url: `http://127.0.0.1:${port}`, asked: [], misbehaving: () => undefined }
  return adapter
}
