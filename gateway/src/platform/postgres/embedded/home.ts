import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, type Stats } from 'node:fs'
import { chown, lchown, link, open, readdir, readFile, realpath, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

/** The folder for databases whose own folder PostgreSQL's account cannot enter. */
export const SYSTEM_FOLDER = '/var/lib/kobo'
/** The folder inside the home that belongs to PostgreSQL. */
export const CLUSTER = 'cluster'
const POINTER = 'moved-to.txt'
const HOME_IN_SYSTEM_FOLDER = new RegExp(`^${SYSTEM_FOLDER}/[0-9a-f]{12}-[0-9a-f]{8}$`)
const SERVICE_NAMES = new Set(['postgres', '_postgres'])
const NOBODY: Account = { uid: 65_534, gid: 65_534 }

/** An operating system account. */
export interface Account {
  readonly uid: number
  readonly gid: number
}

/**
 * The folder of the cluster, its password and its log. PostgreSQL runs under `account`, or under our own account if
 * undefined.
 */
export interface Home {
  readonly folder: string
  readonly account: Account | undefined
}

/** Finds the folder that holds the database of a directory. The directory may not exist yet. */
export async function findHome(directory: string): Promise<string> {
  const folder = await realpath(directory).catch(() => resolve(directory))
  const pointer = await readFile(join(folder, POINTER), 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
  if (pointer === undefined) return folder
  const target = pointer.trimEnd().split('\n').at(-1) ?? ''
  // If we run as root, a pointer forged by another user must not make us write elsewhere.
  if (!HOME_IN_SYSTEM_FOLDER.test(target))
    throw new Error(`${join(folder, POINTER)} does not name a folder that Kobo created`)
  return target
}

/** Creates the folder. PostgreSQL refuses to run as root, so if we are root, the folder is given to another account. */
export async function prepareHome(directory: string): Promise<Home> {
  const made = makeFolders(resolve(directory))
  const folder = await findHome(directory)
  if (!isRoot()) return { folder, account: undefined }
  const account = await accountFor(folder)
  if (made !== undefined) await giveFolders(account, made, resolve(directory))
  if (await canReach(account, dirname(folder))) {
    await giveHome(account, folder)
    return { folder, account }
  }
  // Do not go on with a new, empty database elsewhere: it would look as if all data were lost.
  if (await stat(join(folder, CLUSTER)).catch(() => undefined)) {
    throw new Error(
      `PostgreSQL runs as user ${account.uid}, who cannot enter ${dirname(folder)}: ` +
        'allow it (chmod o+x on the folders above), or start as the user who owns them.',
    )
  }
  return { folder: await moveToSystemFolder(folder, account), account }
}

/**
 * Creates a folder and its parents; returns the topmost new one. If root creates them, other users can enter but not
 * list them.
 */
export function makeFolders(folder: string): string | undefined {
  if (!isRoot()) return mkdirSync(folder, { recursive: true })
  // Synchronous, so that nothing else sees the changed umask.
  const umask = process.umask(0o066)
  try {
    return mkdirSync(folder, { recursive: true })
  } finally {
    process.umask(umask)
  }
}

/** Whether the account can enter or execute a path, including all parents. */
export async function canReach(account: Account, path: string): Promise<boolean> {
  let place = await realpath(path)
  while (mayPass(account, await stat(place))) {
    if (place === dirname(place)) return true
    place = dirname(place)
  }
  return false
}

/**
 * Whether the account may enter a folder or execute a file. As in Unix, the first that applies decides: owner, group or
 * others.
 */
export function mayPass(account: Account, { uid, gid, mode }: Pick<Stats, 'uid' | 'gid' | 'mode'>): boolean {
  const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
  return (mode & bit) !== 0
}

/** Writes a small file that only its owner can read, unless it exists: the first writer wins. */
export async function writeOnce(path: string, text: string, account: Account | undefined): Promise<void> {
  const draft = `${path}.${randomBytes(4).toString('hex')}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(text)
    if (account !== undefined) await file.chown(account.uid, account.gid)
    await file.sync()
    await link(draft, path)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    await file.close()
    await rm(draft, { force: true })
  }
}

const isRoot = (): boolean => process.getuid?.() === 0

/** The code of a system or database error. */
export const codeOf = (error: unknown): string | undefined => (error as { code?: string } | undefined)?.code

/**
 * The account that runs PostgreSQL: the owner of the cluster or of the nearest folder that root does not own, else a
 * service user.
 */
async function accountFor(folder: string): Promise<Account> {
  const users = await readUsers()
  const named = (owner: number): Account | undefined => users.find(({ uid }) => uid === owner)
  const cluster = await stat(join(folder, CLUSTER)).catch(() => undefined)
  if (cluster !== undefined && cluster.uid !== 0) return named(cluster.uid) ?? { uid: cluster.uid, gid: cluster.gid }
  for (let place = folder; place !== dirname(place); place = dirname(place)) {
    // initdb fails for an account without a name.
    const owner = named((await stat(place)).uid)
    if (owner !== undefined && owner.uid !== 0) return owner
  }
  return users.find(({ name }) => SERVICE_NAMES.has(name)) ?? NOBODY
}

async function readUsers(): Promise<(Account & { readonly name: string })[]> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n')
  return lines.map((line) => {
    const [name = '', , uid, gid] = line.split(':')
    return { name, uid: Number(uid), gid: Number(gid) }
  })
}

/** Gives folders that were just created below an owner's folder to that owner. */
async function giveFolders({ uid, gid }: Account, from: string, to: string): Promise<void> {
  if ((await stat(dirname(from))).uid !== uid) return
  for (let place = to; place.length >= from.length; place = dirname(place)) await chown(place, uid, gid)
}

async function giveHome({ uid, gid }: Account, folder: string): Promise<void> {
  if ((await stat(folder)).uid !== uid) await chown(folder, uid, gid)
  // A cluster owned by root was restored from a backup by root.
  const restored = await stat(join(folder, CLUSTER)).catch(() => undefined)
  if (restored?.uid !== 0) return
  for (const path of await readdir(folder, { recursive: true })) await lchown(join(folder, path), uid, gid)
}

async function moveToSystemFolder(folder: string, account: Account): Promise<string> {
  const hash = createHash('sha256').update(folder).digest('hex').slice(0, 12)
  // The name is random: if the directory was deleted and created again, its old database is not used.
  const home = join(SYSTEM_FOLDER, `${hash}-${randomBytes(4).toString('hex')}`)
  makeFolders(home)
  await giveHome(account, home)
  const text = `PostgreSQL runs as user ${account.uid}, who cannot enter this folder. The database is in\n${home}\n`
  await writeOnce(join(folder, POINTER), text, undefined)
  const chosen = await findHome(folder)
  if (chosen !== home) await rmdir(home)
  return chosen
}
