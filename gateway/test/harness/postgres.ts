import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { migrateDatabase } from '../../src/app/core.ts'
import { startEmbeddedPostgres } from '../../src/platform/postgres/embedded/index.ts'
import { type DatabaseUrls, databaseUrls, makeRoles } from '../../src/platform/postgres/roles.ts'
import {
  cloneDatabase,
  distributeAt,
  EMPTY,
  joinServers,
  runQueries,
  serversOf,
  stopMaintenance,
  urlOf,
} from './citus.ts'
import { clearUpLater, ownFolder } from './clear-up.ts'
import { ownClock } from './faketime.ts'

/** A PostgreSQL for tests, with the template of every test's database. */
export interface TestServer {
  readonly url: string
  /** The template's name, which is the prefix of its clones' names. */
  readonly template: string
}

/** The environment variable with the URL of a server to use; DATABASE_URL may be a live gateway's, so it is ignored. */
export const GIVEN_SERVER_URL = 'KOBO_TEST_DATABASE_URL'
/** The environment variable with the URL of the shared server. */
export const SERVER_URL = 'KOBO_TEST_SERVER_URL'
export const TEMPLATE = 'KOBO_TEST_TEMPLATE'

let server: Promise<TestServer> | undefined
let servers: Promise<readonly string[]> | undefined

/** The shared server of the run, else one of this process, so that each test file also runs alone. */
function testServer(): Promise<TestServer> {
  const { [SERVER_URL]: url, [TEMPLATE]: template } = process.env
  server ??= url !== undefined && template !== undefined ? Promise.resolve({ url, template }) : startTestServer()
  return server
}

/**
 * Creates the template on the server at KOBO_TEST_DATABASE_URL, and on its workers if it is a Citus coordinator; else on an
 * embedded one that ends with this process.
 */
export async function startTestServer(): Promise<TestServer> {
  const template = `kobo_test_${randomBytes(4).toString('hex')}`
  const given = process.env[GIVEN_SERVER_URL]
  const url = given ?? (await startOwnServer())
  const all = await serversOf(url)
  if (given !== undefined) for (const serverUrl of all) clearUpLater({ kind: 'databases', serverUrl, prefix: template })
  const isCitus = all.length > 1
  await cloneDatabase(all, template, EMPTY)
  for (const one of all) await makeRoles(one)
  if (isCitus) await joinServers(all, template)
  await migrateDatabase(databaseUrls(urlOf(url, template)))
  if (isCitus) await distributeAt(urlOf(url, template))
  if (isCitus) await stopMaintenance(all, template)
  return { url, template }
}

async function startOwnServer(): Promise<string> {
  const { url } = await startEmbeddedPostgres({
    directory: join(ownFolder('server'), 'postgres'),
    durable: false,
    environment: ownClock(),
    settings: {
      max_connections: '300',
      // Databases that live for seconds need no vacuum, and hundreds of them would be visited in turn.
      autovacuum: 'off',
      // Thousands of connections check a password, and this one protects nothing.
      scram_iterations: '1',
    },
  })
  const { username, password } = new URL(url)
  await runQueries(url, `alter role ${username} password '${password}'`)
  return url
}

/** A database of the test's own. */
export interface OwnDatabase {
  /** As the program's role. */
  readonly url: string
  /** The URLs of all roles. */
  readonly urls: DatabaseUrls
  /** As the owner, who may do anything. */
  readonly ownerUrl: string
  readonly drop: () => Promise<void>
}

const made = new Map<string, OwnDatabase>()

/**
 * The URLs of all roles, found by the program's URL, if this process has created the database. The URL may lead through
 * a proxy. Other databases have one URL for all roles.
 */
export function urlsOf(url: string): DatabaseUrls {
  const known = made.get(url)
  if (known !== undefined) return known.urls
  if (!URL.canParse(url)) return { program: url, vault: url, owner: undefined } // several servers
  const { host, pathname, username } = new URL(url)
  const isBehind = (program: URL): boolean => program.pathname === pathname && program.username === username
  const behind = [...made].find(([program]) => isBehind(new URL(program)))?.[1]
  const vault = new URL(behind?.urls.vault ?? url)
  vault.host = host
  return { program: url, vault: vault.href, owner: undefined }
}

/** A database of the test's own, cloned from the migrated template. */
export const ownDatabase = async (): Promise<OwnDatabase> =>
  createDatabase((await testServer()).template, 'strategy file_copy')

/** An empty database of the test's own, for any version to migrate: reached as the owner. */
export async function emptyDatabase(): Promise<OwnDatabase> {
  const own = await createDatabase(EMPTY)
  return { ...own, url: own.ownerUrl }
}

async function createDatabase(from: string, how = ''): Promise<OwnDatabase> {
  const { url, template } = await testServer()
  const name = `${template}_${randomBytes(8).toString('hex')}`
  servers ??= serversOf(url)
  const all = await servers
  await cloneDatabase(all, name, from, how)
  const ownerUrl = urlOf(url, name)
  // As in production: the serving process does not know the owner.
  const urls = { ...databaseUrls(ownerUrl), owner: undefined }
  const own = {
    url: urls.program,
    urls,
    ownerUrl,
    drop: async () => {
      if (all.length > 1) await stopMaintenance(all, name)
      for (const one of all) await runQueries(one, `drop database if exists ${name} with (force)`)
    },
  }
  made.set(own.url, own)
  return own
}

/** The owner's URL of a database that this process has created. */
export const ownerOf = (url: string): string => made.get(url)?.ownerUrl ?? url

/** Citus changes triggers, and then rows, of its tables only with these settings; elsewhere they have no effect. */
const MAY_CHANGE_TRIGGERS = '-c citus.enable_unsafe_triggers=on -c citus.multi_shard_modify_mode=sequential'

/**
 * Runs queries as the owner, which the program itself may not, on a database that this process has created. Several
 * queries are one transaction.
 */
export async function asOwner<Row extends object>(url: string, ...statements: readonly string[]): Promise<Row[]> {
  const client = new pg.Client({ connectionString: ownerOf(url), options: MAY_CHANGE_TRIGGERS })
  await client.connect()
  try {
    if (statements.length > 1) await client.query('begin')
    let rows: Row[] = []
    for (const statement of statements) ({ rows } = await client.query<Row>(statement))
    if (statements.length > 1) await client.query('commit')
    return rows
  } finally {
    await client.end()
  }
}
