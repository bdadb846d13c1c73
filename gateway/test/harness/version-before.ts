import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ownFolder } from './clear-up.ts'

/**
 * The version before: whose nodes may still run, or be started again, while ours start. CONTRIBUTING says when to move it on.
 */
export const VERSION_BEFORE = '10e78bc'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const run = promisify(execFile)

/** Whether this checkout has the history that the version before is in; an archive or a shallow clone has not. */
export const hasVersionBefore = (): Promise<boolean> =>
  run('git', ['cat-file', '-e', `${VERSION_BEFORE}^{commit}`], { cwd: ROOT }).then(
    () => true,
    () => false,
  )

/** Takes the version before out of the history, with our dependencies and its own pages; answers the file that starts it. */
export async function takeVersionBefore(): Promise<string> {
  const folder = ownFolder('before')
  const archive = join(folder, 'archive.tar')
  await run('git', ['archive', `--output=${archive}`, VERSION_BEFORE], { cwd: ROOT })
  await run('tar', ['-xf', archive, '-C', folder])
  linkDependencies(folder)
  await run(process.execPath, ['web/build.js'], { cwd: folder })
  return join(folder, 'gateway/src/main.ts')
}

/** Packages are ours; only its own workspaces must be its own. */
function linkDependencies(folder: string): void {
  const packages = join(folder, 'node_modules')
  mkdirSync(join(packages, '@kobo'), { recursive: true })
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (name !== '@kobo' && name !== '.cache') symlinkSync(join(ROOT, 'node_modules', name), join(packages, name))
  for (const name of readdirSync(join(ROOT, 'node_modules/@kobo'))) {
    symlinkSync(join(folder, name), join(packages, '@kobo', name))
    if (readdirSync(join(ROOT, name)).includes('node_modules'))
      symlinkSync(join(ROOT, name, 'node_modules'), join(folder, name, 'node_modules'))
  }
}
