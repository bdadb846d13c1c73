import { type AddressInfo, connect, createServer } from 'node:net'
import type { TestContext } from 'node:test'

/** A URL that exists before the servers behind it; several take turns, one connection each. */
export async function proxyFor(t: TestContext) {
  let ports: readonly number[] = []
  let turn = 0
  const server = createServer((socket) => {
    const port = ports[turn++ % ports.length]
    if (port === undefined) return socket.destroy()
    const behind = connect(port, '127.0.0.1')
    for (const [one, other] of [
      [socket, behind],
      [behind, socket],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy())
    return socket.pipe(behind).pipe(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    forwardTo: (...to: readonly number[]) => {
      ports = to
    },
  }
}
