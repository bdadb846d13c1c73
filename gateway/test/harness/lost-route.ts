import { subscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'

const sockets = new Set<Socket>()

subscribe('undici:client:connected', (message) => {
  const { socket } = message as { readonly socket: Socket }
  sockets.add(socket)
  socket.once('close', () => sockets.delete(socket))
})

/**
 * Fails this process's established HTTP client connections that use a port on either end, as Linux does after its last
 * retransmission if routers have reported that the host is unreachable.
 */
export function loseRoute(port: number | undefined): void {
  const error = Object.assign(new Error('read EHOSTUNREACH'), { code: 'EHOSTUNREACH', syscall: 'read' })
  for (const socket of sockets) if (socket.remotePort === port || socket.localPort === port) socket.destroy(error)
}
