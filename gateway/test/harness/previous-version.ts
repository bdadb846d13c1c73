import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ownFolder } from './clear-up.ts'

/** The previous version, whose nodes may still run next to ours during an upgrade. CONTRIBUTING says when to change it. */
export const PREVIOUS_VERSION = '9f10e97c'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const run = promisify(execFile)

const git = async (...args: readonly string[]): Promise<string> =>
  (await run('git', [...args], { cwd: ROOT })).stdout.trim()

/** Why the previous version cannot run next to this one, if it cannot. */
export async function whyNoPreviousVersion(): Promise<string | undefined> {
  const commit = await git('rev-parse', '--verify', '--quiet', `${PREVIOUS_VERSION}^{commit}`).catch(() => undefined)
  if (commit === undefined) return `this clone has no history with ${PREVIOUS_VERSION} in it; run git fetch --unshallow` // an archive, or a shallow clone
  if (commit === (await git('rev-parse', 'HEAD'))) return `${PREVIOUS_VERSION} is the current commit`
  const before = await git('ls-tree', '--name-only', commit, 'gateway/migrations/')
  const shared = before.split('\n').some((path) => existsSync(join(ROOT, path)))
  return shared ? undefined : `${PREVIOUS_VERSION} has no migrations in common with this version`
}

/** Extracts the previous version from the history, with our dependencies and its own pages; returns the file that starts it. */
export async function extractPreviousVersion(): Promise<string> {
  const folder = ownFolder('before')
  const archive = join(folder, 'archive.tar')
  await run('git', ['archive', `--output=${archive}`, PREVIOUS_VERSION], { cwd: ROOT })
  await run('tar', ['-xf', archive, '-C', folder])
  linkDependencies(folder)
  await run(process.execPath, ['web/build.js'], { cwd: folder })
  return join(folder, 'gateway/src/main.ts')
}

/** Links our packages, and its own workspaces; ours that it does not have yet are omitted. */
export function linkDependencies(folder: string): void {
  const packages = join(folder, 'node_modules')
  mkdirSync(join(packages, '@kobo'), { recursive: true })
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (name !== '@kobo' && name !== '.cache') symlinkSync(join(ROOT, 'node_modules', name), join(packages, name))
  for (const name of readdirSync(join(ROOT, 'node_modules/@kobo')).filter((one) => existsSync(join(folder, one)))) {
    symlinkSync(join(folder, name), join(packages, '@kobo', name))
    if (existsSync(join(ROOT, name, 'node_modules')))
      symlinkSync(join(ROOT, name, 'node_modules'), join(folder, name, 'node_modules'))
  }
}
