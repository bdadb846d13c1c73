import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { KEY_PURPOSES, SEALING_PURPOSES, wrap } from '../../../src/core/security/data-keys.ts'
import { keyIdOf, type OpenKeyring, openKeyring, SEALS_MAX } from '../../../src/core/security/keyring.ts'
import { beginRotation, endRotation } from '../../../src/core/security/master-key.ts'
import { beginReEncryption } from '../../../src/core/security/re-encryption.ts'
import { secondsAfter } from '../../../src/kernel/clock.ts'
import { deriveKey } from '../../../src/platform/crypto.ts'
import { accessTokens } from '../../../src/platform/http/access-tokens.ts'
import { type Db, openDatabase } from '../../../src/platform/postgres/db.ts'
import { ownDatabase } from '../../harness/postgres.ts'

const OLD = Buffer.alloc(32, 1)
const NEW = Buffer.alloc(32, 2)
const NEWER = Buffer.alloc(32, 3)
const AT = new Date('2026-03-01T09:30:00Z')
const LATER = new Date('2026-03-01T09:31:00Z')

/** A database of the test's own, with keyrings whose real time the test sets. */
async function aKeyring(
  t: TestContext,
): Promise<{ db: Db; wall: { at: Date; now: () => Date }; opened: (key: Buffer) => Promise<OpenKeyring> }> {
  const { url, drop } = await ownDatabase()
  const db = openDatabase(url, 3)
  const wall = { at: AT, now: () => wall.at }
  const rings: OpenKeyring[] = []
  t.after(async () => {
    for (const ring of rings) await ring.close()
    await db.end()
    await drop()
  })
  const opened = async (key: Buffer): Promise<OpenKeyring> => {
    const ring = await openKeyring(db, key, AT, wall)
    rings.push(ring)
    return ring
  }
  return { db, wall, opened }
}

/** The one data key of a database from before keys had purposes. */
async function fromBefore(db: Db): Promise<Buffer> {
  const key = Buffer.alloc(32, 9)
  await db`insert into data_key (id, wrapped, created_at) values (1, ${await wrap(OLD, 1, key)}, ${AT})`
  return key
}

test('in a new database each purpose has its own key, and everything they encrypted can be decrypted', async (t) => {
  const { db, opened } = await aKeyring(t)
  const [ring, other] = await Promise.all([opened(OLD), opened(OLD)])
  const sealed = SEALING_PURPOSES.map((purpose) => ring.of(purpose).seal('4111111111111111', purpose))
  assert.equal(new Set(sealed.map(keyIdOf)).size, SEALING_PURPOSES.length)
  assert.equal(keyIdOf(ring.seal('a', 'a')), keyIdOf(ring.of('records').seal('a', 'a')))
  for (const [index, purpose] of SEALING_PURPOSES.entries()) {
    assert.equal(other.open(sealed[index] as Buffer, purpose), '4111111111111111')
    assert.throws(() => other.open(sealed[index] as Buffer, 'elsewhere'))
  }
  assert.deepEqual(ring.derive('paycodes'), other.derive('paycodes'))
  assert.equal((await db`select from data_key`).count, KEY_PURPOSES.length)
})

test('an older database keeps its one key for all purposes, and its tokens stay valid', async (t) => {
  const { db, wall, opened } = await aKeyring(t)
  const key = await fromBefore(db)
  const ring = await opened(OLD)
  for (const purpose of SEALING_PURPOSES) assert.equal(keyIdOf(ring.of(purpose).seal('a', 'a')), 1)
  assert.deepEqual(ring.derive('paycodes'), deriveKey(key, 'paycodes'))
  assert.deepEqual(
    ring.tokenKeys.current().key,
    deriveKey(key, 'access tokens'),
    'nodes of the previous version read our tokens',
  )
  assert.deepEqual(ring.tokenKeys.find(undefined), deriveKey(key, 'access tokens'), 'and we read theirs')

  await beginReEncryption({ db, wall }, OLD, ['records', 'tokens'])
  wall.at = LATER
  await ring.refresh()
  const ids = SEALING_PURPOSES.map((purpose) => [purpose, keyIdOf(ring.of(purpose).seal('a', 'a'))])
  assert.deepEqual(Object.fromEntries(ids), { records: 2, cards: 1, answers: 1 })
  assert.equal(ring.tokenKeys.current().id, '3')
  assert.deepEqual(ring.derive('paycodes'), deriveKey(key, 'paycodes'), 'lookups by hash still work')
})

test('a new key is used once every node knows it, and tokens of the previous one stay valid', async (t) => {
  const { db, wall, opened } = await aKeyring(t)
  const [ring, other] = [await opened(OLD), await opened(OLD)]
  const tokens = accessTokens(ring.tokenKeys, wall)
  const before = tokens.sign(42n, 7n)
  const used = [ring.current('cards'), ring.current('tokens')]
  assert.deepEqual(await beginReEncryption({ db, wall }, OLD, ['cards', 'tokens']), secondsAfter(LATER, 30))
  await ring.refresh()
  assert.deepEqual([ring.current('cards'), ring.current('tokens')], used, 'not yet')
  wall.at = LATER
  await other.refresh()
  const sealed = ring.of('cards').seal('a', 'a')
  assert.equal(keyIdOf(sealed), KEY_PURPOSES.length + 1)
  assert.equal(other.of('cards').open(sealed, 'a'), 'a')
  const after = tokens.sign(42n, 7n)
  for (const reader of [tokens, accessTokens(other.tokenKeys, wall)])
    for (const token of [before, after])
      assert.deepEqual(reader.read(token), { kind: 'valid', merchantId: 42n, secretId: 7n })
  await db`update data_key set retired_at = ${LATER} where id = ${used[1]}`
  for (const one of [ring, other]) await one.refresh()
  assert.deepEqual(tokens.read(before), { kind: 'malformed' }, 'an erased key validates nothing')
  assert.deepEqual(tokens.read(after), { kind: 'valid', merchantId: 42n, secretId: 7n })
})

test('uses of each key are counted over all nodes, and a key at its limit is replaced once', async (t) => {
  const { db, wall, opened } = await aKeyring(t)
  const [ring, other] = [await opened(OLD), await opened(OLD)]
  const id = ring.current('answers')
  const keys = async () =>
    (await db<{ purpose: string }[]>`select purpose from data_key where id > 5`).map((r) => r.purpose)
  for (const one of [ring, other, ring]) one.of('answers').seal('a', 'a')
  for (const one of [ring, other]) await one.refresh()
  const [row] = await db<{ seals: bigint }[]>`select seals from data_key where id = ${id}`
  assert.equal(row?.seals, 3n)
  await db`update data_key set seals = ${SEALS_MAX - 2n} where id = ${id}`
  for (const [index, one] of [ring, other, ring, other].entries()) {
    one.of('answers').seal('a', 'a')
    await one.refresh()
    assert.deepEqual(await keys(), index === 0 ? [] : ['answers'])
  }
  wall.at = LATER
  assert.equal(ring.current('answers'), 6)
  assert.deepEqual(await keys(), ['answers'])
})

test('during master key rotation, nodes start with either key, and all read what any has written', async (t) => {
  const { db, wall, opened } = await aKeyring(t)
  const old = await opened(OLD)
  const before = old.seal('4111111111111111', 'a')
  assert.equal(await beginRotation(db, OLD, NEW), KEY_PURPOSES.length)
  const [restarted, moved] = [await opened(OLD), await opened(NEW)]
  for (const ring of [old, restarted, moved]) {
    assert.equal(ring.open(before, 'a'), '4111111111111111')
    assert.deepEqual(ring.derive('paycodes'), old.derive('paycodes'))
    assert.equal(old.open(ring.seal('b', 'b'), 'b'), 'b')
  }
  await assert.rejects(beginReEncryption({ db, wall }, OLD, ['records']), /master key rotation is in progress/)
})

test('after rotation the old master key decrypts nothing, and all data can still be read', async (t) => {
  const { db, opened } = await aKeyring(t)
  const before = (await opened(OLD)).seal('a', 'a')
  await beginRotation(db, OLD, NEW)
  await assert.rejects(endRotation(db, OLD), /still the old key/)
  assert.equal(await endRotation(db, NEW), KEY_PURPOSES.length)
  assert.equal(await endRotation(db, NEW), 0)
  await assert.rejects(opened(OLD), /KOBO_MASTER_KEY is not the master key/)
  const ring = await opened(NEW)
  assert.equal(ring.open(before, 'a'), 'a')
  assert.equal(await beginRotation(db, NEW, NEWER), KEY_PURPOSES.length, 'and it can be repeated')
})

test('a rotation that is started twice starts once; a different next key, or the same one, is rejected', async (t) => {
  const { db, opened } = await aKeyring(t)
  await opened(OLD)
  for (let n = 0; n < 2; n++) assert.equal(await beginRotation(db, OLD, NEW), KEY_PURPOSES.length)
  await assert.rejects(beginRotation(db, OLD, NEWER), /finish it first/)
  await assert.rejects(beginRotation(db, OLD, OLD), /is the same as the current one/)
})

test('a master key that wraps no key here decrypts nothing', async (t) => {
  const { db, opened } = await aKeyring(t)
  await opened(OLD)
  await assert.rejects(opened(NEW), /KOBO_MASTER_KEY is not the master key/)
  await assert.rejects(beginRotation(db, NEWER, NEW), /opens every data key/)
})
