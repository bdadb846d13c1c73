import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { httpErrors } from '../../platform/http/server.ts'

/** OWASP's parameters for argon2id: the cost of each attempt for an attacker, and of each sign-in for us. */
const MEMORY_KIB = 19 * 1_024
const PASSES = 2
const PARALLELISM = 1
const SALT_BYTES = 16
const HASH_BYTES = 32
/** A hash takes a thread and 19 MiB: more than this many at once wait, and a longer queue is rejected. */
const HASHES_AT_ONCE_MAX = 2
const HASHES_WAITING_MAX = 40

/** Computes and checks password hashes, a few at a time. */
export interface Passwords {
  readonly hash: (password: string) => Promise<string>
  /** Whether a password matches a hash. Without a hash it takes as long and returns false. */
  readonly matches: (password: string, hash: string | undefined) => Promise<boolean>
}

interface Settings {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

const CURRENT: Settings = { memory: MEMORY_KIB, passes: PASSES, parallelism: PARALLELISM }

export function openPasswords(): Passwords {
  const inTurn = limitConcurrency()
  const derive = (password: string, salt: Buffer, settings: Settings): Promise<Buffer> =>
    inTurn(
      () =>
        new Promise((resolve, reject) => {
          // Unicode has several encodings of one letter.
          const message = Buffer.from(password.normalize('NFKC'))
          argon2('argon2id', { message, nonce: salt, tagLength: HASH_BYTES, ...settings }, (error, key) =>
            error === null ? resolve(key) : reject(error),
          )
        }),
    )
  const hash = async (password: string): Promise<string> => {
    const salt = randomBytes(SALT_BYTES)
    return textOf(CURRENT, salt, await derive(password, salt, CURRENT))
  }
  return {
    hash,
    matches: async (password, text) => {
      if (text === undefined) {
        await derive(password, randomBytes(SALT_BYTES), CURRENT)
        return false
      }
      const { settings, salt, key } = read(text)
      return timingSafeEqual(await derive(password, salt, settings), key)
    },
  }
}

/** Limits how many run at once. */
function limitConcurrency(): <T>(work: () => Promise<T>) => Promise<T> {
  let underWay = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (underWay >= HASHES_AT_ONCE_MAX) {
      if (waiting.length >= HASHES_WAITING_MAX) throw httpErrors.busy()
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
    underWay++
    try {
      return await work()
    } finally {
      underWay--
      waiting.shift()?.()
    }
  }
}

/** The usual text form, which includes the parameters, so that they can be raised later. */
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
