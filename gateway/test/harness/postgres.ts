import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { openDatabase } from '../../src/platform/db.ts'
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/index.ts'
import { migrate } from '../../src/platform/migrate.ts'
import { clearUpLater, ownFolder } from './clear-up.ts'

/** A PostgreSQL for tests, with the database that every test's own is cloned from. */
export interface TestServer {
  readonly url: string
  /** The template's name, with which the names of its clones begin. */
  readonly template: string
}

/** How the run tells its files of the server that they share. */
export const SERVER_URL = 'KOBO_TEST_SERVER_URL'
export const TEMPLATE = 'KOBO_TEST_TEMPLATE'

let server: Promise<TestServer> | undefined

/** The server that the run shares, else one of this process's own, so that each test file also runs alone. */
function testServer(): Promise<TestServer> {
  const { [SERVER_URL]: url, [TEMPLATE]: template } = process.env
  server ??= url !== undefined && template !== undefined ? Promise.resolve({ url, template }) : startTestServer()
  return server
}

/** Makes the template on the server at DATABASE_URL, else on an embedded one that ends with this process. */
export async function startTestServer(): Promise<TestServer> {
  const template = `kobo_test_${randomBytes(4).toString('hex')}`
  const given = process.env['DATABASE_URL']
  if (given !== undefined) clearUpLater({ kind: 'databases', serverUrl: given, prefix: template })
  const url = given ?? (await startOwnServer())
  const admin = new pg.Client(url)
  await admin.connect()
  await admin.query(`create database ${template}`)
  await admin.end()
  const database = openDatabase(urlOf(url, template), 1)
  await migrate(database)
  await database.end()
  return { url, template }
}

async function startOwnServer(): Promise<string> {
  const { url } = await startEmbeddedPostgres({
    directory: join(ownFolder('server'), 'postgres'),
    durable: false,
    // Databases that live for seconds need no care, and hundreds of them would be visited in turn.
    settings: { max_connections: '300', autovacuum: 'off' },
  })
  return url
}

function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}

interface OwnDatabase {
  readonly url: string
  readonly drop: () => Promise<void>
}

/** A database of the test's own, cloned from the migrated template. */
export const ownDatabase = async (): Promise<OwnDatabase> =>
  createDatabase((await testServer()).template, 'strategy file_copy')

/** A database of the test's own with nothing in it, for whichever version migrates it first. */
export const emptyDatabase = (): Promise<OwnDatabase> => createDatabase('template0')

async function createDatabase(from: string, how = ''): Promise<OwnDatabase> {
  const { url, template } = await testServer()
  const name = `${template}_${randomBytes(8).toString('hex')}`
  const admin = new pg.Client(url)
  admin.on('error', () => {}) // a server that is gone fails what needs it next, not every test of this process
  await admin.connect()
  await admin.query(`create database ${name} template ${from} ${how}`)
  return {
    url: urlOf(url, name),
    drop: async () => {
      await admin.query(`drop database if exists ${name} with (force)`)
      await admin.end()
    },
  }
}
