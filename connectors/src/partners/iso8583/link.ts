import type { Clock } from '@kobo/gateway/kernel/clock.ts'
import { compact } from '@kobo/gateway/kernel/dates.ts'
import type { Log } from '@kobo/gateway/platform/observability/log.ts'
import { decode, type Message } from './codec.ts'
import { openLine } from './line.ts'

/** The outcome of a message: a response, no response, or not sent. */
export type Received =
  | { readonly kind: 'responded'; readonly message: Message }
  | { readonly kind: 'silence' }
  | { readonly kind: 'not sent' }

export interface Link {
  /** Sends a message and waits for its response. A response after the timeout is ignored. */
  readonly request: (message: Message, milliseconds: number) => Promise<Received>
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

const NETWORK_RESPONSE_MILLISECONDS = 10_000
const UNDER_WAY_MAX = 4_096
const STANS = 1_000_000
const SIGN_ON = '001'
const ECHO = '301'

/** Returns the type of the response to a type: 0210 for 0200, 0430 for 0420 and 0421. */
const responseTypeOf = (type: string): string => `${type.slice(0, 2)}${Number(type[2]) + 1}0`

/** Returns a key of the type and of the fields that a response repeats from its request. */
const keyOf = (type: string, message: Message): string => [type, message[11], message[7], message[37] ?? ''].join('|')

/** A session with an acquirer's switch: signs on, sends echoes, reconnects. */
export function openLink({ host, port, echoMilliseconds, wall, log }: Options): Link {
  const waiting = new Map<string, (message: Message | undefined) => void>()
  let isSignedOn = false
  let stan = 0
  const line = openLine({
    ...{ host, port, log },
    onConnect: () => void signOn(),
    onMessage: handleMessage,
    onBreak: () => {
      isSignedOn = false
      for (const finish of [...waiting.values()]) finish(undefined)
    },
  })
  const echoing = setInterval(() => void echo(), echoMilliseconds).unref()

  const network = (code: string): Message => {
    stan = (stan + 1) % STANS
    return { 0: '0800', 7: compact(wall.now()).slice(4), 11: String(stan).padStart(6, '0'), 70: code }
  }

  async function send(message: Message, milliseconds: number): Promise<Received> {
    if (waiting.size >= UNDER_WAY_MAX) return { kind: 'not sent' }
    const key = keyOf(responseTypeOf(message[0] ?? ''), message)
    return new Promise((resolve) => {
      const finish = (response: Message | undefined): void => {
        clearTimeout(timer)
        waiting.delete(key)
        resolve(response === undefined ? { kind: 'silence' } : { kind: 'responded', message: response })
      }
      const timer = setTimeout(finish, milliseconds, undefined).unref()
      waiting.set(key, finish)
      if (line.send(message)) return
      clearTimeout(timer)
      waiting.delete(key)
      resolve({ kind: 'not sent' })
    })
  }

  /** Handles a received message: the response to a pending request, or an echo request. */
  function handleMessage(text: Buffer): void {
    const message = decode(text)
    if (message?.[0] === '0800') return void line.send({ ...message, 0: '0810', 39: '00' })
    const waiter = message === undefined ? undefined : waiting.get(keyOf(message[0] ?? '', message))
    if (waiter !== undefined) waiter(message)
    else log.warn({ type: message?.[0], stan: message?.[11] }, 'unexpected message from the switch')
  }

  async function signOn(): Promise<void> {
    const response = await send(network(SIGN_ON), NETWORK_RESPONSE_MILLISECONDS)
    if (response.kind !== 'responded' || response.message[39] !== '00') return line.drop()
    isSignedOn = true
    log.info('signed on at the switch')
  }

  async function echo(): Promise<void> {
    if (isSignedOn && (await send(network(ECHO), NETWORK_RESPONSE_MILLISECONDS)).kind === 'silence') line.drop()
  }

  return {
    request: async (message, milliseconds) => (isSignedOn ? send(message, milliseconds) : { kind: 'not sent' }),
    isSignedOn: () => isSignedOn,
    close: () => {
      clearInterval(echoing)
      line.close()
    },
  }
}
