import { createServer as createPlainServer, type Server, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { createServer as createSecureServer } from 'node:tls'

/** The messages in a stream of octet-counted frames. */
function framesIn(bytes: Buffer): readonly string[] {
  const found: string[] = []
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(' ', at)
    const length = Number(bytes.subarray(at, space))
    if (space < 0 || space + 1 + length > bytes.length) break
    found.push(bytes.subarray(space + 1, space + 1 + length).toString())
    at = space + 1 + length
  }
  return found
}

export interface SyslogServer {
  /** All messages, in the order in which they came. */
  readonly messages: readonly string[]
  readonly listen: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** A syslog server that keeps what it receives; with a certificate it speaks TLS. */
export async function syslogServer(
  t: TestContext,
  port: number,
  tls?: { readonly cert: Buffer; readonly key: Buffer },
): Promise<SyslogServer> {
  const messages: string[] = []
  const sockets = new Set<Socket>()
  let server: Server | undefined
  const receive = (socket: Socket): void => {
    sockets.add(socket)
    let bytes = Buffer.alloc(0)
    let taken = 0
    socket
      .on('error', () => {})
      .on('data', (part) => {
        bytes = Buffer.concat([bytes, part])
        const frames = framesIn(bytes)
        messages.push(...frames.slice(taken))
        taken = frames.length
      })
  }
  const listen = async (): Promise<void> => {
    const opened = tls === undefined ? createPlainServer(receive) : createSecureServer(tls, receive)
    server = opened
    await new Promise<void>((resolve) => opened.listen(port, '127.0.0.1', resolve))
  }
  const stop = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy()
    await new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve())))
  }
  t.after(stop)
  await listen()
  return { messages, listen, stop }
}
