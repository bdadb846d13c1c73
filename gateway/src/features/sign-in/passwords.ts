import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { httpErrors } from '../../platform/http/server.ts'

/** OWASP's parameters for argon2id: the cost of each attempt for an attacker, and of each sign-in for us. */
const MEMORY_KIB = 19 * 1_024
const PASSES = 2
const PARALLELISM = 1
const SALT_BYTES = 16
const HASH_BYTES = 32
/** A hash takes a thread and 19 MiB. At most this many run at once; the others wait, up to a limit. */
const HASHES_AT_ONCE_MAX = 2
const KNOWN_WAITING_MAX = 40
const OF_NETWORK_WAITING_MAX = 10
const STRANGERS_WAITING_MAX = 200

/** Computes and checks password hashes, a few at a time. */
export interface Passwords {
  readonly hash: (password: string, waiter: Waiter) => Promise<string>
  /** Whether a password matches a hash. Without a hash, it returns false after the same time. */
  readonly matches: (password: string, hash: string | undefined, waiter: Waiter) => Promise<boolean>
}

/** A caller waiting for a hash. Users with a known browser, a session or a link go first; other networks take turns. */
export interface Waiter {
  readonly network: string
  readonly isKnown: boolean
}

interface Settings {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

const CURRENT: Settings = { memory: MEMORY_KIB, passes: PASSES, parallelism: PARALLELISM }

export function openPasswords(): Passwords {
  const inTurn = limitConcurrency()
  const derive = (password: string, salt: Buffer, settings: Settings, waiter: Waiter): Promise<Buffer> =>
    inTurn(
      waiter,
      () =>
        new Promise((resolve, reject) => {
          // Normalised, because Unicode has several encodings of the same letter.
          const message = Buffer.from(password.normalize('NFKC'))
          argon2('argon2id', { message, nonce: salt, tagLength: HASH_BYTES, ...settings }, (error, key) =>
            error === null ? resolve(key) : reject(error),
          )
        }),
    )
  const hash = async (password: string, waiter: Waiter): Promise<string> => {
    const salt = randomBytes(SALT_BYTES)
    return textOf(CURRENT, salt, await derive(password, salt, CURRENT, waiter))
  }
  return {
    hash,
    matches: async (password, text, waiter) => {
      if (text === undefined) {
        await derive(password, randomBytes(SALT_BYTES), CURRENT, waiter)
        return false
      }
      const { settings, salt, key } = read(text)
      return timingSafeEqual(await derive(password, salt, settings, waiter), key)
    },
  }
}

/** Limits how many hashes run at once. Networks take turns, so that one network cannot keep the others waiting. */
function limitConcurrency(): <T>(waiter: Waiter, work: () => Promise<T>) => Promise<T> {
  let running = 0
  let strangers = 0
  const known: (() => void)[] = []
  const networks = new Map<string, (() => void)[]>()

  function enqueue({ network, isKnown }: Waiter, start: () => void): void {
    if (isKnown) {
      if (known.length >= KNOWN_WAITING_MAX) throw httpErrors.busy()
      known.push(start)
      return
    }
    const waiting = networks.get(network) ?? []
    if (waiting.length >= OF_NETWORK_WAITING_MAX || strangers >= STRANGERS_WAITING_MAX) throw httpErrors.busy()
    networks.set(network, waiting)
    waiting.push(start)
    strangers++
  }

  function dequeue(): (() => void) | undefined {
    const first = known.shift()
    const [next] = networks
    if (first !== undefined || next === undefined) return first
    const [network, waiting] = next
    const start = waiting.shift()
    strangers--
    networks.delete(network)
    if (waiting.length > 0) networks.set(network, waiting) // moves behind the other networks
    return start
  }

  return async (waiter, work) => {
    if (running < HASHES_AT_ONCE_MAX) running++
    else await new Promise<void>((resolve) => enqueue(waiter, resolve))
    try {
      return await work()
    } finally {
      // The next caller takes the free place.
      const start = dequeue()
      if (start === undefined) running--
      else start()
    }
  }
}

/** Writes a hash in its usual text form. It includes the parameters, so that they can be raised later. */
const textOf = ({ memory, passes, parallelism }: Settings, salt: Buffer, key: Buffer): string =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${salt.toString('base64')}$${key.toString('base64')}`

function read(text: string): { readonly settings: Settings; readonly salt: Buffer; readonly key: Buffer } {
  const [, , , numbers = '', salt = '', key = ''] = text.split('$')
  const [memory = 0, passes = 0, parallelism = 0] = [...numbers.matchAll(/\d+/g)].map(Number)
  return {
    settings: { memory, passes, parallelism },
    salt: Buffer.from(salt, 'base64'),
    key: Buffer.from(key, 'base64'),
  }
}
