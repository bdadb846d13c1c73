import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { beginRotation, endRotation, type OpenKeyring, openKeyring } from '../../../src/core/security/keyring.ts'
import { type Db, openDatabase } from '../../../src/platform/db.ts'
import { ownDatabase } from '../../harness/postgres.ts'

const OLD = Buffer.alloc(32, 1)
const NEW = Buffer.alloc(32, 2)
const NEWER = Buffer.alloc(32, 3)
const AT = new Date('2026-03-01T09:30:00Z')
const LATER = new Date('2026-03-01T09:31:00Z')

/** A database of the test's own, with keyrings whose real time the test holds. */
async function aKeyring(
  t: TestContext,
): Promise<{ db: Db; wall: { at: Date }; opened: (key: Buffer) => Promise<OpenKeyring> }> {
  const { url, drop } = await ownDatabase()
  const db = openDatabase(url, 3)
  const wall = { at: AT, now: () => wall.at }
  const rings: OpenKeyring[] = []
  t.after(async () => {
    for (const ring of rings) ring.close()
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

const keyIdOf = (sealed: Buffer): number => sealed.readUInt16BE()

test('while master keys are exchanged, nodes start with either, and all read what any has written', async (t) => {
  const { db, wall, opened } = await aKeyring(t)
  const old = await opened(OLD)
  const before = old.seal('4111111111111111', 'a')
  assert.equal(await beginRotation(db, OLD, NEW, { at: AT, sealsFrom: LATER }), 2)

  const [restarted, moved] = [await opened(OLD), await opened(NEW)]
  for (const ring of [old, restarted, moved]) {
    assert.equal(ring.open(before, 'a'), '4111111111111111')
    assert.equal(keyIdOf(ring.seal('b', 'b')), 1, 'until all have learned of it, the new data key is not used')
    assert.deepEqual(ring.derive('tokens'), old.derive('tokens'))
  }
  wall.at = LATER
  const after = moved.seal('b', 'b')
  assert.equal(keyIdOf(after), 2)
  assert.equal(restarted.open(after, 'b'), 'b')
  assert.equal(keyIdOf(restarted.seal('c', 'c')), 2)
})

test('when it is finished the old master key opens nothing, and everything that was written still opens', async (t) => {
  const { db, wall, opened } = await aKeyring(t)
  const before = (await opened(OLD)).seal('a', 'a')
  await beginRotation(db, OLD, NEW, { at: AT, sealsFrom: AT })
  await assert.rejects(endRotation(db, OLD), /still the old key/)
  assert.equal(await endRotation(db, NEW), 2)
  assert.equal(await endRotation(db, NEW), 0)
  await assert.rejects(opened(OLD), /KOBO_MASTER_KEY is not the key/)
  wall.at = LATER
  const ring = await opened(NEW)
  assert.equal(ring.open(before, 'a'), 'a')
  assert.equal(await beginRotation(db, NEW, NEWER, { at: AT, sealsFrom: LATER }), 3, 'and it can be done again')
})

test('begun twice it is begun once; another next key, or the same one, is refused', async (t) => {
  const { db, opened } = await aKeyring(t)
  await opened(OLD)
  for (let n = 0; n < 2; n++) assert.equal(await beginRotation(db, OLD, NEW, { at: AT, sealsFrom: LATER }), 2)
  await assert.rejects(beginRotation(db, OLD, NEWER, { at: AT, sealsFrom: LATER }), /finish that first/)
  await assert.rejects(beginRotation(db, OLD, OLD, { at: AT, sealsFrom: LATER }), /is the present one/)
  assert.equal((await db`select from data_key`).count, 2)
})

test('a master key that wraps nothing here opens nothing', async (t) => {
  const { db, opened } = await aKeyring(t)
  await opened(OLD)
  await assert.rejects(opened(NEW), /KOBO_MASTER_KEY is not the key/)
  await assert.rejects(beginRotation(db, NEWER, NEW, { at: AT, sealsFrom: AT }), /opens every data key/)
})
