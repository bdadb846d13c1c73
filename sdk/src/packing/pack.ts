import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const SDK = fileURLToPath(new URL('../..', import.meta.url))

/** Packs the SDK into a folder as npm would publish it; returns the file's name. Safe to run concurrently. */
export const packSdk = (folder: string): Promise<string> => pack(SDK, 'src/packing/build.ts', folder)

/** Builds a package with its script, and packs it into a folder. */
export async function pack(source: string, script: string, folder: string): Promise<string> {
  const made = mkdtempSync(join(tmpdir(), 'kobo-pack-'))
  try {
    for (const file of ['package.json', 'readme.md']) cpSync(join(source, file), join(made, file))
    await run(process.execPath, [script, made], { cwd: source })
    const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder]
    const { stdout } = await run('npm', args, { cwd: made })
    return stdout.trim().split('\n').at(-1) ?? ''
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}
