import assert from 'node:assert/strict'
import { checkBooks, type Options } from '../bookkeeper/check-books.ts'
import { type OwnDatabase, ownDatabase } from './postgres.ts'

/** Expects the independent book-keeper to find nothing wrong. */
export async function assertBooks(databaseUrl: string, options: Options = {}): Promise<void> {
  assert.deepEqual(await checkBooks(databaseUrl, options), [])
}

/** Creates a database for one test, which the book-keeper checks before it is dropped. */
export async function checkedDatabase(): Promise<OwnDatabase> {
  const own = await ownDatabase()
  return { ...own, drop: () => assertBooks(own.url).finally(own.drop) }
}
