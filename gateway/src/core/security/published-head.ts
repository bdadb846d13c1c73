import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../kernel/clock.ts'
import { equalSecrets, keyedHash } from '../../platform/crypto.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { type ChainHead, isInChain, readHead } from './audit-chain.ts'
import type { Keyring } from './keyring.ts'

/**
 * The audit chain's newest link, stored outside the database. It is signed with a key that only the master key reveals,
 * so not even the database's owner can remove the last records unnoticed.
 */
export interface PublishedHead extends ChainHead {
  readonly file: string
  /** Whether it is signed with our key. */
  readonly isOurs: boolean
}

const keyOf = (keyring: Pick<Keyring, 'derive'>): Buffer => keyring.derive('audit heads')
const signatureOf = (key: Buffer, number: string, hash: string): string => keyedHash(key, `${number}:${hash}`)

const NAME_LENGTH = 12
/** Returns the file's path. It depends on the database, because several databases may share a data folder. */
const fileOf = (key: Buffer, folder: string): string =>
  join(folder, `audit-head-${keyedHash(key, 'file name').replace(/\W/g, '').slice(0, NAME_LENGTH)}`)

const LINE = /^(\d{1,18}):([0-9a-f]{64}):(\S+)$/

/** Reads the published head from a data folder, if there is one. */
export async function readPublished(
  keyring: Pick<Keyring, 'derive'>,
  folder: string,
): Promise<PublishedHead | undefined> {
  const key = keyOf(keyring)
  const file = fileOf(key, folder)
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  const [, number = '0', hash = '', signature = ''] = LINE.exec(text.trim()) ?? []
  const isOurs = equalSecrets(signatureOf(key, number, hash), signature)
  return { file, isOurs, number: BigInt(number), hash: Buffer.from(hash, 'hex') }
}

interface Deps {
  readonly core: { readonly db: Db; readonly keyring: Keyring; readonly wall: Clock }
  readonly folder: string
  readonly log: Log
}

/** How often the head is logged, and how often each problem with it is logged again. */
const LOGGED_EVERY_MILLISECONDS = 3_600_000

/**
 * Creates the function that publishes the head: in the data folder, and every hour in the log. A published head that
 * the chain no longer contains is never replaced, because it is evidence.
 */
export function headPublisher({ core: { db, keyring, wall }, folder, log }: Deps): () => Promise<void> {
  const key = keyOf(keyring)
  let last = 0n
  const loggedAt = { head: 0, differs: 0, notStored: 0 }
  const hourly = (what: keyof typeof loggedAt, write: () => void): void => {
    if (wall.now().getTime() - loggedAt[what] < LOGGED_EVERY_MILLISECONDS) return
    loggedAt[what] = wall.now().getTime()
    write()
  }
  return async () => {
    const head = await readHead(db)
    if (head.number === 0n || head.number === last) return
    const [number, hash] = [String(head.number), head.hash.toString('hex')]
    const signature = signatureOf(key, number, hash)
    try {
      const before = await readPublished(keyring, folder)
      if (before !== undefined && !(before.isOurs && (await isInChain(db, before)))) {
        hourly('differs', () =>
          log.error({ file: before.file }, 'audit log differs from its published head; run kobo audit verify'),
        )
        return
      }
      await replaceFile(fileOf(key, folder), folder, `${number}:${hash}:${signature}\n`)
    } catch (error) {
      hourly('notStored', () =>
        log.warn({ error, folder, head: `${number}:${hash}`, signature }, 'audit head not stored in the data folder'),
      )
    }
    last = head.number
    hourly('head', () => log.info({ head: `${number}:${hash}`, signature }, 'audit head'))
  }
}

async function replaceFile(file: string, folder: string, text: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(`${file}.part`, text, { mode: 0o600 })
  await rename(`${file}.part`, file)
}
