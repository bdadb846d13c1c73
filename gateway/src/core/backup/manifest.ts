import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Environment } from '../../platform/config.ts'

const MANIFEST = 'manifest.json'
/** Raised when a program could no longer read what an earlier one has written. */
const FORMAT = 1

/** What a backup says of itself: what it holds, and how to tell that it is whole. */
export interface Manifest {
  readonly format: number
  readonly madeAt: string
  readonly environment: Environment
  /** The major version of the server that it was made of. */
  readonly serverMajor: number
  readonly tables: number
  /** The end of the audit's chain at that moment: it must be in the chain after a restore. */
  readonly auditLinks: string
  readonly auditHead: string
  /** SHA-256 of each file beside the manifest. */
  readonly files: Readonly<Record<string, string>>
}

/** Works out the hashes of what pg_dump has written, and writes the manifest beside it. Answers how many bytes there are. */
export async function writeManifest(folder: string, facts: Omit<Manifest, 'format' | 'files'>): Promise<number> {
  const names = (await readdir(folder)).sort()
  const files: Record<string, string> = {}
  let bytes = 0
  for (const name of names) {
    files[name] = await hashOf(join(folder, name))
    bytes += (await stat(join(folder, name))).size
  }
  const manifest: Manifest = { format: FORMAT, ...facts, files }
  await writeFile(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
  return bytes
}

/** What a folder says of itself; refuses one that is no backup, or of a later program. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new Error(`${folder} is no backup: it has no ${MANIFEST}.`)
    throw error
  })
  const manifest = JSON.parse(text) as Manifest
  if (manifest.format !== FORMAT)
    throw new Error(`${folder} was made by another version of Kobo, which can restore it.`)
  return manifest
}

/** Throws where a file of a backup is missing, or not as it was written. */
export async function checkFiles(
  folder: string,
  { files }: Manifest,
  onFile: (done: number, all: number) => void,
): Promise<void> {
  const all = Object.entries(files)
  for (const [index, [name, hash]] of all.entries()) {
    const found = await hashOf(join(folder, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') throw new Error(`${name} is missing in ${folder}. Nothing was restored.`)
      throw error
    })
    if (found !== hash) throw new Error(`${name} in ${folder} is not as it was written. Nothing was restored.`)
    onFile(index + 1, all.length)
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
