import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createSecureContext, TLSSocket } from 'node:tls'
import { explainFailure } from '../../../src/platform/config/start-errors.ts'
import { ownCertificate } from '../../harness/certificates.ts'
import { ownFolder } from '../../harness/clear-up.ts'
import { asOwner, emptyDatabase } from '../../harness/postgres.ts'
import { startProgram } from '../../harness/processes.ts'
import { slow } from '../../harness/slow.ts'

const PLACE = { host: '127.0.0.1', port: 80, dataDirectory: '/srv/data' }

/** The operating system's error for an action. */
function failureOf(act: () => unknown): Error {
  try {
    act()
  } catch (error) {
    return error as Error
  }
  return assert.fail('it should have failed')
}

test('a failed start is explained in one sentence with a fix; an internal error keeps its stack', () => {
  const system = (code: string, syscall: string): Error => Object.assign(new Error(code), { code, syscall })
  const full = '/dev/full' // a device that is always full
  for (const [error, sentence] of [
    [system('EADDRINUSE', 'listen'), /^Port 80 on 127\.0\.0\.1 is in use .* PORT=81 npm start$/],
    [system('EACCES', 'listen'), /^This user may not listen on port 80\. /],
    [system('EADDRNOTAVAIL', 'listen'), /^This machine has no address 127\.0\.0\.1\. /],
    [system('EROFS', 'mkdir'), /^Kobo cannot write in \/srv\/data \(EROFS\)\. .* KOBO_DATA_DIR to another folder\.$/],
    [system('EACCES', 'mkdir'), /^Kobo cannot write in \/srv\/data \(EACCES\)\. /],
    [failureOf(() => writeFileSync(full, 'x')), /^The disk of \/srv\/data is full\. /],
    [new Error('initdb: error: could not write file: No space left on device'), /^The disk of \/srv\/data is full\. /],
    [failureOf(() => mkdirSync('/dev/null/data')), /^\/srv\/data cannot be created: /],
  ] as const)
    assert.match(explainFailure(error, PLACE) ?? '', sentence)
  assert.equal(explainFailure(new TypeError('undefined is not a function'), PLACE), undefined)
})

test('an unusable data folder ends the start with that sentence and no stack', async (t) => {
  const file = join(ownFolder('start'), 'file')
  writeFileSync(file, '')
  const { ended, stdout, stderr } = startProgram(t, 'gateway/src/main.ts', [], {
    KOBO_DATA_DIR: join(file, 'data'),
    PORT: '0',
  })
  assert.equal(await ended, 1)
  assert.equal(
    stderr(),
    `${join(file, 'data')} cannot be created: part of its path is a file. Set KOBO_DATA_DIR to another folder.\n`,
  )
  assert.equal(stdout(), '')
})

/** A server that offers TLS the way PostgreSQL does, with a certificate that no one has signed. */
async function untrustedServer(t: TestContext): Promise<number> {
  const { certificate, key } = ownCertificate()
  const secureContext = createSecureContext({ key: readFileSync(key), cert: readFileSync(certificate) })
  const server = createServer((socket) => {
    socket
      .on('error', () => {})
      .once('data', () => {
        socket.write('S')
        new TLSSocket(socket, { isServer: true, secureContext }).on('error', () => {})
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  return (server.address() as AddressInfo).port
}

slow('a start without a usable database ends with one sentence that names the fix', async (t) => {
  const { ownerUrl, drop } = await emptyDatabase()
  t.after(drop)
  const at = (change: (url: URL) => void): string => {
    const url = new URL(ownerUrl)
    change(url)
    return url.href
  }
  const old = await emptyDatabase()
  t.after(old.drop)
  await asOwner(old.url, 'create table schema_migration (version integer primary key)')
  const tlsPort = await untrustedServer(t)
  const starts = [
    [
      at((url) => (url.username = 'nobody')),
      /^The database is unavailable: .*nobody.* Correct the user and password in DATABASE_URL/,
    ],
    [at((url) => (url.pathname = '/no_such_database')), /no_such_database.* Create the database/],
    [at((url) => (url.hostname = 'database.invalid')), /database\.invalid.* Correct the host/],
    [at((url) => (url.port = '1')), /ECONNREFUSED.* Start PostgreSQL and let this machine connect to it/],
    [`postgres://kobo:kobo@localhost:${tlsPort}/kobo?sslmode=verify-full`, /certificate.* &sslrootcert=FILE\.$/],
    [old.url, /^This database was created by a version before 0\.1\.0, which cannot be upgraded/],
  ] as const
  await Promise.all(
    starts.map(async ([url, sentence]) => {
      const { ended, stderr } = startProgram(t, 'gateway/src/main.ts', [], { DATABASE_URL: url, PORT: '0' })
      assert.equal(await ended, 1, url)
      assert.match(stderr(), /^[^\n]+\n$/, 'one line')
      assert.match(stderr().trimEnd(), sentence)
    }),
  )
})
