import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type MasterKey, openKeyDevice } from '../../../src/core/security/key-device.ts'
import { openKeyring } from '../../../src/core/security/keyring.ts'
import { beginRotation, endRotation } from '../../../src/core/security/master-key.ts'
import { openDatabase } from '../../../src/platform/postgres/db.ts'
import { ownFolder } from '../../harness/clear-up.ts'
import { ownDatabase } from '../../harness/postgres.ts'
import { slow } from '../../harness/slow.ts'

const AT = new Date('2026-03-01T09:30:00Z')
const IN_MEMORY = Buffer.alloc(32, 1)

/** Moves a database from a key in memory to a device, and checks that only the device opens it then. */
async function moveTo(t: TestContext, device: MasterKey): Promise<void> {
  const { url, drop } = await ownDatabase()
  const db = openDatabase(url, 3)
  t.after(async () => {
    await db.end()
    await drop()
  })
  const wall = { now: () => AT }
  const opened = async <T>(key: MasterKey, use: (ring: Awaited<ReturnType<typeof openKeyring>>) => T): Promise<T> => {
    const ring = await openKeyring(db, key, AT, wall)
    try {
      return use(ring)
    } finally {
      await ring.close()
    }
  }
  const sealed = await opened(IN_MEMORY, (ring) => ring.seal('a secret', 'here'))
  assert.ok((await beginRotation(db, IN_MEMORY, device)) > 0)
  for (const key of [IN_MEMORY, device])
    assert.equal(await opened(key, (ring) => ring.open(sealed, 'here')), 'a secret')
  await endRotation(db, device)
  assert.equal(await opened(device, (ring) => ring.open(sealed, 'here')), 'a secret')
  await assert.rejects(openKeyring(db, IN_MEMORY, AT, wall), /is not the master key of this database/)
  await assert.rejects(beginRotation(db, device, device), /is the same as the current one/)
}

/** A program that wraps as a script for a key service would. */
function aProgram(key: number, complaint = ''): URL {
  const path = join(ownFolder('device'), 'wrap key')
  writeFileSync(
    path,
    `#!/usr/bin/env node
const { createCipheriv, createDecipheriv } = require('node:crypto')
const { readFileSync } = require('node:fs')
const [, , verb, context] = process.argv
if (${JSON.stringify(complaint)}) { console.error(${JSON.stringify(complaint)}); process.exit(3) }
const input = Buffer.from(readFileSync(0, 'utf8'), 'base64')
const key = Buffer.alloc(32, ${key})
const nonce = Buffer.alloc(12)
if (verb === 'wrap') {
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  const body = Buffer.concat([cipher.update(input), cipher.final()])
  console.log(Buffer.concat([cipher.getAuthTag(), body]).toString('base64'))
} else {
  const cipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context)).setAuthTag(input.subarray(0, 16))
  console.log(Buffer.concat([cipher.update(input.subarray(16)), cipher.final()]).toString('base64'))
}
`,
  )
  chmodSync(path, 0o700)
  return new URL(`command:${path}`)
}

slow('the master key can be kept by a program that calls a key service', async (t) => {
  await moveTo(t, await openKeyDevice(aProgram(7)))
})

test('a program that fails, or does not exist, is named with its reason', async () => {
  const failing = await openKeyDevice(aProgram(7, 'AccessDenied: kms:Encrypt'))
  await assert.rejects(
    failing.wrap(IN_MEMORY, 'a'),
    /The master key’s program .*wrap key failed: AccessDenied: kms:Encrypt/,
  )
  const missing = await openKeyDevice(new URL('command:/no/such/program'))
  await assert.rejects(missing.wrap(IN_MEMORY, 'a'), /ENOENT/)
})

const LIBRARY = ['/usr/lib/softhsm/libsofthsm2.so', '/usr/lib64/softhsm/libsofthsm.so'].find(existsSync)
const whyNoDevice = (): string | false => {
  if (LIBRARY === undefined) return 'softhsm2 is not installed (Debian: softhsm2)'
  try {
    createRequire(import.meta.url).resolve('pkcs11js')
    return false
  } catch {
    return 'pkcs11js is not installed (npm install --no-save pkcs11js)'
  }
}

test('the master key can be kept in a PKCS#11 device', { skip: whyNoDevice() }, async (t) => {
  const folder = ownFolder('softhsm')
  const pin = join(folder, 'pin')
  mkdirSync(join(folder, 'tokens'))
  writeFileSync(join(folder, 'softhsm2.conf'), `directories.tokendir = ${join(folder, 'tokens')}\n`)
  writeFileSync(pin, '1234\n', { mode: 0o600 })
  process.env['SOFTHSM2_CONF'] = join(folder, 'softhsm2.conf')
  execFileSync('softhsm2-util', ['--init-token', '--free', '--label', 'kobo', '--so-pin', '4321', '--pin', '1234'])
  makeKey(String(LIBRARY), ['master', 'other'])
  const address = (object: string): URL =>
    new URL(`pkcs11:token=kobo;object=${object}?module-path=${LIBRARY}&pin-source=file:${pin}`)
  await assert.rejects(openKeyDevice(address('none')), /token kobo has no secret keys none/)
  await moveTo(t, await openKeyDevice(address('master')))
  const [one, other] = await Promise.all([openKeyDevice(address('master')), openKeyDevice(address('other'))])
  const wrapped = await one.wrap(IN_MEMORY, 'data-key/1')
  assert.deepEqual(await one.unwrap(wrapped, 'data-key/1'), IN_MEMORY)
  await assert.rejects(one.unwrap(wrapped, 'data-key/2'))
  await assert.rejects(other.unwrap(wrapped, 'data-key/1'))
})

/** Creates AES keys in the token, in its own process: a device belongs to the process that opened it. */
function makeKey(library: string, labels: readonly string[]): void {
  const script = `
    const p = require('pkcs11js')
    const device = new p.PKCS11()
    device.load(${JSON.stringify(library)})
    device.C_Initialize()
    const slot = device.C_GetSlotList(true).find((one) => device.C_GetTokenInfo(one).label.trim() === 'kobo')
    const session = device.C_OpenSession(slot, p.CKF_SERIAL_SESSION | p.CKF_RW_SESSION)
    device.C_Login(session, p.CKU_USER, '1234')
    for (const label of ${JSON.stringify(labels)})
      device.C_GenerateKey(session, { mechanism: p.CKM_AES_KEY_GEN }, [
        { type: p.CKA_TOKEN, value: true }, { type: p.CKA_PRIVATE, value: true }, { type: p.CKA_SENSITIVE, value: true },
        { type: p.CKA_EXTRACTABLE, value: false }, { type: p.CKA_ENCRYPT, value: true }, { type: p.CKA_DECRYPT, value: true },
        { type: p.CKA_VALUE_LEN, value: 32 }, { type: p.CKA_LABEL, value: label },
      ])
    device.C_Finalize()`
  execFileSync(process.execPath, ['--input-type=commonjs', '--eval', script], { cwd: import.meta.dirname })
}
