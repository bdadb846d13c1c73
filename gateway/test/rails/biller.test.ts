import type { TestContext } from 'node:test'
import { openDatabase } from '../../src/platform/postgres/db.ts'
import { simulatedBiller } from '../../src/rails/simulated/biller.ts'
import { simulatedIdentity } from '../../src/rails/simulated/identity.ts'
import { simulatedBook } from '../../src/rails/simulated/index.ts'
import { ownDatabase } from '../harness/postgres.ts'
import { type BillerRailUnderTest, billerRailSuite, identityRailSuite } from './suites.ts'

identityRailSuite('simulated register', async () => simulatedIdentity())

billerRailSuite('simulated biller', async (t: TestContext): Promise<BillerRailUnderTest> => {
  const { url, drop } = await ownDatabase()
  const db = openDatabase(url, 3)
  t.after(async () => {
    await db.end()
    await drop()
  })
  let now = Date.parse('2026-03-01T09:30:00Z')
  const clock = { now: () => new Date(now) }
  return {
    rail: simulatedBiller({ clock, book: simulatedBook(db) }),
    advance: (seconds) => {
      now += seconds * 1_000
    },
  }
})
