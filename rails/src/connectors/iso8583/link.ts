import { connect, type Socket } from 'node:net'
import type { Clock } from '@kobo/gateway/kernel/clock.ts'
import { compact } from '@kobo/gateway/kernel/dates.ts'
import type { Log } from '@kobo/gateway/platform/log.ts'
import { decode, framed, type Message, unframed } from './codec.ts'

/** What came of a message: an answer, silence after it was sent, or that it was not. */
export type Heard =
  | { readonly kind: 'answered'; readonly message: Message }
  | { readonly kind: 'silence' }
  | { readonly kind: 'not sent' }

export interface Link {
  /** Sends a message and waits so long for the answer to it; one that comes later is nobody's. */
  readonly request: (message: Message, milliseconds: number) => Promise<Heard>
  readonly isSignedOn: () => boolean
  readonly close: () => void
}

interface Options {
  readonly host: string
  readonly port: number
  readonly echoMilliseconds: number
  readonly wall: Clock
  readonly log: Log
}

const RECONNECT_MILLISECONDS = 2_000
const NETWORK_ANSWER_MILLISECONDS = 10_000
const UNDER_WAY_MAX = 4_096
const STANS = 1_000_000
const SIGN_ON = '001'
const ECHO = '301'

/** The type of the answer to a message: 0200 is answered by 0210, 0420 and 0421 by 0430. */
const answerTo = (type: string): string => `${type.slice(0, 2)}${Number(type[2]) + 1}0`

/** What an answer has in common with its question. */
const keyOf = (type: string, message: Message): string => [type, message[11], message[7], message[37] ?? ''].join('|')

/** A line to an acquirer's switch: signed on when it is up, asked for an echo now and then, made again when it breaks. */
export function openLink({ host, port, echoMilliseconds, wall, log }: Options): Link {
  const waiting = new Map<string, (message: Message | undefined) => void>()
  /** The line that is being made, or is there; `socket` once something can be said on it. */
  let current: Socket | undefined
  let socket: Socket | undefined
  let isSignedOn = false
  let isClosed = false
  let stan = 0
  let again: NodeJS.Timeout | undefined

  const network = (code: string): Message => {
    stan = (stan + 1) % STANS
    return { 0: '0800', 7: compact(wall.now()).slice(4), 11: String(stan).padStart(6, '0'), 70: code }
  }

  function send(message: Message, milliseconds: number): Promise<Heard> {
    const line = socket
    if (line === undefined || waiting.size >= UNDER_WAY_MAX) return Promise.resolve({ kind: 'not sent' })
    const key = keyOf(answerTo(message[0] ?? ''), message)
    return new Promise((resolve) => {
      const finish = (answer: Message | undefined): void => {
        clearTimeout(timer)
        waiting.delete(key)
        resolve(answer === undefined ? { kind: 'silence' } : { kind: 'answered', message: answer })
      }
      const timer = setTimeout(finish, milliseconds, undefined).unref()
      waiting.set(key, finish)
      line.write(framed(message))
    })
  }

  /** Hears a message of the switch: an answer that somebody waits for, or an echo that it asks for. */
  function hear(text: Buffer): void {
    const message = decode(text)
    if (message?.[0] === '0800') return void socket?.write(framed({ ...message, 0: '0810', 39: '00' }))
    const heard = message === undefined ? undefined : waiting.get(keyOf(message[0] ?? '', message))
    if (heard !== undefined) heard(message)
    else log.warn({ type: message?.[0], stan: message?.[11] }, 'the switch said something that nobody waits for')
  }

  async function signOn(line: Socket): Promise<void> {
    const heard = await send(network(SIGN_ON), NETWORK_ANSWER_MILLISECONDS)
    if (heard.kind !== 'answered' || heard.message[39] !== '00') return void line.destroy()
    isSignedOn = true
    log.info('signed on at the switch')
  }

  async function echo(): Promise<void> {
    if (!isSignedOn) return
    const heard = await send(network(ECHO), NETWORK_ANSWER_MILLISECONDS)
    if (heard.kind === 'silence') socket?.destroy()
  }

  function open(): void {
    let received: Buffer = Buffer.alloc(0)
    const line = connect({ host, port })
    current = line
    line.on('connect', () => {
      socket = line
      void signOn(line)
    })
    line.on('data', (part: Buffer) => {
      const taken = unframed(Buffer.concat([received, part]))
      if (taken === undefined) return void line.destroy()
      received = taken.rest
      for (const text of taken.texts) hear(text)
    })
    line.on('error', (error: NodeJS.ErrnoException) =>
      log.warn({ reason: error.code }, 'the line to the switch has failed'),
    )
    line.on('close', () => {
      if (socket === line) socket = undefined
      isSignedOn = false
      for (const finish of [...waiting.values()]) finish(undefined)
      if (!isClosed) again = setTimeout(open, RECONNECT_MILLISECONDS).unref()
    })
  }

  const echoing = setInterval(() => void echo(), echoMilliseconds).unref()
  open()
  return {
    request: async (message, milliseconds) => (isSignedOn ? send(message, milliseconds) : { kind: 'not sent' }),
    isSignedOn: () => isSignedOn,
    close: () => {
      isClosed = true
      clearInterval(echoing)
      clearTimeout(again)
      current?.destroy()
    },
  }
}
