import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { canonicalJson } from '../../kernel/canonical-json.ts'
import type { Environment } from '../../platform/config/config.ts'
import { equalSecrets, KEY_LENGTH, keyedHash } from '../../platform/crypto.ts'
import { unwrapped, wrap } from '../security/data-keys.ts'
import type { MasterKey } from '../security/key-device.ts'

const MANIFEST = 'manifest.json'
/** Increase it when this program can no longer read older backups. */
const FORMAT = 2

/** A backup's contents and checksums. */
export interface Manifest {
  readonly format: number
  readonly madeAt: string
  readonly environment: Environment
  readonly serverMajor: number
  readonly tables: number
  /** The end of the audit log's hash chain when the backup was made; the restored chain must contain it. */
  readonly auditLinks: string
  readonly auditHead: string
  /** SHA-256 of each file next to the manifest. */
  readonly files: Readonly<Record<string, string>>
  /** This backup's own key, wrapped by the master key. */
  readonly key: string
  /** The HMAC of all fields above, made with that key. */
  readonly signature: string
}

/** No data key has the id 0. */
const SIGNING_KEY_ID = 0

const signatureOf = (key: Buffer, facts: Omit<Manifest, 'signature'>): string => keyedHash(key, canonicalJson(facts))

/** Hashes the files of pg_dump and writes the signed manifest. Returns the total size. */
export async function writeManifest(
  folder: string,
  masterKey: MasterKey,
  facts: Omit<Manifest, 'format' | 'files' | 'key' | 'signature'>,
): Promise<number> {
  const names = (await readdir(folder)).sort()
  const files: Record<string, string> = {}
  let bytes = 0
  for (const name of names) {
    files[name] = await hashOf(join(folder, name))
    bytes += (await stat(join(folder, name))).size
  }
  const key = randomBytes(KEY_LENGTH)
  const wrapped = await wrap(masterKey, SIGNING_KEY_ID, key)
  const unsigned = { format: FORMAT, ...facts, files, key: wrapped.toString('base64') }
  const manifest: Manifest = { ...unsigned, signature: signatureOf(key, unsigned) }
  await writeFile(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
  return bytes
}

/**
 * Reads a folder's manifest. Throws if the folder is not a backup, has another version, or is not signed with this
 * master key.
 */
export async function readManifest(folder: string, masterKey: MasterKey): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new Error(`${folder} is not a backup: it has no ${MANIFEST}.`)
    throw error
  })
  const manifest = JSON.parse(text) as Manifest
  if (manifest.format !== FORMAT)
    throw new Error(`${folder} was created by another version of Kobo. Restore it with that version.`)
  const { signature, ...facts } = manifest
  const key = await unwrapped(masterKey, Buffer.from(String(facts.key), 'base64'), SIGNING_KEY_ID)
  if (key === undefined || !equalSecrets(signatureOf(key, facts), String(signature)))
    throw new Error(
      `The signature in ${join(folder, MANIFEST)} is wrong: the file was changed, or the backup was made with another ` +
        'KOBO_MASTER_KEY. Nothing was restored.',
    )
  return manifest
}

/** Throws if a file of a backup is missing or was changed. */
export async function checkFiles(
  folder: string,
  { files }: Manifest,
  onFile: (done: number, all: number) => void,
): Promise<void> {
  const all = Object.entries(files)
  for (const [index, [name, hash]] of all.entries()) {
    const found = await hashOf(join(folder, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') throw new Error(`${name} is missing from ${folder}. Nothing was restored.`)
      throw error
    })
    if (found !== hash) throw new Error(`${name} in ${folder} has changed since the backup. Nothing was restored.`)
    onFile(index + 1, all.length)
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
