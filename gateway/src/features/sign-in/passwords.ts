import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { httpErrors } from '../../platform/http.ts'

/** As OWASP wants argon2id: what an attacker needs for each guess, and we for each sign-in. */
const MEMORY_KIB = 19 * 1_024
const PASSES = 2
const PARALLELISM = 1
const SALT_BYTES = 16
const HASH_BYTES = 32
/** A hash takes a thread and 19 MiB: who comes when so many are under way waits, and beyond that is sent away. */
const HASHES_AT_ONCE_MAX = 2
const HASHES_WAITING_MAX = 40

/** Makes and checks hashes of passwords, a few at a time. */
export interface Passwords {
  readonly hash: (password: string) => Promise<string>
  /** Whether a password is the one of a hash. Without a hash it takes as long, and is not. */
  readonly fits: (password: string, hash: string | undefined) => Promise<boolean>
}

interface Settings {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

const PRESENT: Settings = { memory: MEMORY_KIB, passes: PASSES, parallelism: PARALLELISM }

export function openPasswords(): Passwords {
  const inTurn = turns()
  const derive = (password: string, salt: Buffer, settings: Settings): Promise<Buffer> =>
    inTurn(
      () =>
        new Promise((resolve, reject) => {
          // However it was typed: one letter has several spellings in Unicode.
          const message = Buffer.from(password.normalize('NFKC'))
          argon2('argon2id', { message, nonce: salt, tagLength: HASH_BYTES, ...settings }, (error, key) =>
            error === null ? resolve(key) : reject(error),
          )
        }),
    )
  const hash = async (password: string): Promise<string> => {
    const salt = randomBytes(SALT_BYTES)
    return textOf(PRESENT, salt, await derive(password, salt, PRESENT))
  }
  return {
    hash,
    fits: async (password, text) => {
      if (text === undefined) {
        await derive(password, randomBytes(SALT_BYTES), PRESENT)
        return false
      }
      const { settings, salt, key } = read(text)
      return timingSafeEqual(await derive(password, salt, settings), key)
    },
  }
}

/** Lets a few through at a time. */
function turns(): <T>(work: () => Promise<T>) => Promise<T> {
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

/** The usual text form, in which the settings stand: they can be raised later. */
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
