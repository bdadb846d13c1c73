import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)

/** Checks out a commit into a folder with its dependencies; returns the file that starts its gateway. */
export async function takeCommit(commit: string, folder: string): Promise<URL> {
  const archive = join(folder, 'archive.tar')
  await run('git', ['archive', `--output=${archive}`, commit], { cwd: ROOT })
  await run('tar', ['-xf', archive, '-C', folder])
  if (sameDependencies(folder)) linkDependencies(folder)
  else await run('npm', ['ci', '--loglevel=error', '--no-progress'], { cwd: folder })
  await run(process.execPath, ['web/build.js'], { cwd: folder })
  return new URL(`file://${join(folder, 'bench/src/gateway.ts')}`)
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string }>>
}

/** Whether the other commit's dependencies are installed here in the same versions. Its workspaces do not count. */
function sameDependencies(folder: string): boolean {
  const versions = (root: string): Lock['packages'] =>
    (JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock).packages
  const ours = versions(ROOT)
  return Object.entries(versions(folder)).every(
    ([path, { version }]) =>
      !path.includes('node_modules/') || path.includes('@kobo/') || ours[path]?.version === version,
  )
}

/** Links our dependencies into the other commit's folder. It keeps its own workspaces. */
function linkDependencies(folder: string): void {
  const packages = join(folder, 'node_modules')
  mkdirSync(join(packages, '@kobo'), { recursive: true })
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (name !== '@kobo' && name !== '.cache') symlinkSync(join(ROOT, 'node_modules', name), join(packages, name))
  for (const name of readdirSync(join(ROOT, 'node_modules/@kobo'))) {
    symlinkSync(join(folder, name), join(packages, '@kobo', name))
    if (readdirSync(join(ROOT, name)).includes('node_modules') && readdirSync(folder).includes(name))
      symlinkSync(join(ROOT, name, 'node_modules'), join(folder, name, 'node_modules'))
  }
}
