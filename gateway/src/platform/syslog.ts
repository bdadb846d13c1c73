import { connect as connectPlainly, type Socket } from 'node:net'
import { hostname } from 'node:os'
import process from 'node:process'
import { connect as connectSecurely } from 'node:tls'

export interface SyslogMessage {
  readonly at: Date
  /** The kind of message. Syslog uses at most 32 printable characters of it. */
  readonly id: string
  readonly text: string
}

/** A connection to a syslog server, which is reopened after it broke. */
export interface Syslog {
  /** Sends messages in order; resolves once the operating system has them all. */
  readonly send: (messages: readonly SyslogMessage[]) => Promise<void>
  /** Whether the last connection is still open; if not, its last messages may have been lost. */
  readonly isConnected: () => boolean
  readonly close: () => void
}

/** Facility "log audit" (13), severity "informational" (6). */
const PRIORITY = 13 * 8 + 6
const ID_LENGTH_MAX = 32
const CONNECT_MILLISECONDS_MAX = 5_000
const SEND_MILLISECONDS_MAX = 10_000
const KEEP_ALIVE_MILLISECONDS = 10_000
const PORTS: Readonly<Record<string, number>> = { 'tls:': 6_514, 'tcp:': 601 }

/** Speaks RFC 5424 with octet counting, over TLS (RFC 5425) or TCP (RFC 6587): `tls://siem.internal:6514`. */
export function openSyslog(address: string): Syslog {
  const url = new URL(address)
  let socket: Socket | undefined

  async function connected(): Promise<Socket> {
    if (socket !== undefined && !socket.destroyed && socket.writable) return socket
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const port = Number(url.port) || (PORTS[url.protocol] as number)
    const opened =
      url.protocol === 'tls:' ? connectSecurely({ host, port, servername: host }) : connectPlainly({ host, port })
    opened.on('error', () => opened.destroy())
    await inTime(opened, CONNECT_MILLISECONDS_MAX, (done) =>
      opened.once(url.protocol === 'tls:' ? 'secureConnect' : 'connect', done),
    )
    // The server sends nothing, but reading shows when it has closed the connection.
    opened.setKeepAlive(true, KEEP_ALIVE_MILLISECONDS).resume().unref()
    opened.once('end', () => opened.destroy())
    socket = opened
    return opened
  }

  return {
    send: async (messages) => {
      const present = await connected()
      await inTime(present, SEND_MILLISECONDS_MAX, (done) => present.write(messages.map(frame).join(''), () => done()))
    },
    isConnected: () => socket !== undefined && !socket.destroyed && socket.writable,
    close: () => socket?.destroy(),
  }
}

/** Waits for an event of a socket; destroys the socket if that fails or takes too long. */
function inTime(socket: Socket, milliseconds: number, wait: (done: () => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      clearTimeout(timer)
      socket.destroy()
      reject(error)
    }
    const timer = setTimeout(() => fail(new Error('The syslog server does not respond')), milliseconds)
    const onClose = (): void => fail(new Error('The syslog server closed the connection'))
    socket.once('error', fail).once('close', onClose)
    wait(() => {
      clearTimeout(timer)
      socket.off('error', fail).off('close', onClose)
      if (socket.destroyed) reject(new Error('The syslog server closed the connection'))
      else resolve()
    })
  })
}

function frame({ at, id, text }: SyslogMessage): string {
  const name = id.replace(/[^!-~]/g, '').slice(0, ID_LENGTH_MAX) || '-'
  const message = `<${PRIORITY}>1 ${at.toISOString()} ${hostname()} kobo ${process.pid} ${name} - ${text}`
  return `${Buffer.byteLength(message)} ${message}`
}
