import { connect, type Socket } from 'node:net'
import type { Log } from '@kobo/gateway/platform/observability/log.ts'
import { framed, type Message, unframed } from './codec.ts'

const RECONNECT_MILLISECONDS = 2_000

export interface Line {
  /** Sends a message; returns false if there is no connection. */
  readonly send: (message: Message) => boolean
  /** Drops the connection; it is reopened. */
  readonly drop: () => void
  readonly close: () => void
}

interface Options {
  readonly host: string
  readonly port: number
  readonly log: Log
  readonly onConnect: () => void
  readonly onMessage: (text: Buffer) => void
  readonly onBreak: () => void
}

/** A connection to a switch that reconnects. */
export function openLine({ host, port, log, onConnect, onMessage, onBreak }: Options): Line {
  /** The newest connection, which may still be opening. `socket` is the same connection once it can send. */
  let current: Socket | undefined
  let socket: Socket | undefined
  let isClosed = false
  let again: NodeJS.Timeout | undefined

  function open(): void {
    let received: Buffer = Buffer.alloc(0)
    const line = connect({ host, port })
    current = line
    line.on('connect', () => {
      socket = line
      onConnect()
    })
    line.on('data', (part: Buffer) => {
      const taken = unframed(Buffer.concat([received, part]))
      if (taken === undefined) return void line.destroy()
      received = taken.rest
      for (const text of taken.texts) onMessage(text)
    })
    line.on('error', (error: NodeJS.ErrnoException) => log.warn({ reason: error.code }, 'switch connection failed'))
    line.on('close', () => {
      socket = undefined
      onBreak()
      if (!isClosed) again = setTimeout(open, RECONNECT_MILLISECONDS).unref()
    })
  }

  open()
  return {
    send: (message) => {
      if (socket === undefined) return false
      socket.write(framed(message))
      return true
    },
    drop: () => void current?.destroy(),
    close: () => {
      isClosed = true
      clearTimeout(again)
      current?.destroy()
    },
  }
}
