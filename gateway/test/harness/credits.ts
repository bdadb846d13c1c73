import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Clock } from '../../src/kernel/clock.ts'
import { hidden } from '../../src/kernel/hidden.ts'
import { openDatabase } from '../../src/platform/postgres/db.ts'
import { signedHeaders } from '../../src/rails/http/index.ts'
import { signRequest } from '../../src/rails/protocol/index.ts'
import { simulatedBook, simulatedRails } from '../../src/rails/simulated/index.ts'
import { RAILS_SECRET, type RailAdapter, railAdapter } from '../rails/adapter.ts'
import { testWall } from './clock.ts'
import type { Shop } from './gateway.ts'
import { ownDatabase } from './postgres.ts'

/** Starts an adapter to simulated partners, which have their own database. */
export async function partners(t: TestContext, wall: Clock = testWall): Promise<RailAdapter> {
  const { url, drop } = await ownDatabase()
  const db = openDatabase(url, 3)
  t.after(async () => {
    await db.end()
    await drop()
  })
  return railAdapter(t, simulatedRails({ clock: wall, book: simulatedBook(db) }), wall)
}

/** Reports a credit as the operator's bank adapter does. */
export function reportCredit(
  { url, core }: Shop,
  credit: object | string,
  changes: { readonly secret?: string; readonly operation?: string; readonly headers?: Record<string, string> } = {},
): Promise<Response> {
  const body = typeof credit === 'string' ? credit : JSON.stringify(credit)
  const { secret = RAILS_SECRET, operation = 'credits', headers = {} } = changes
  return fetch(`${url}/rails/credits`, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      ...signedHeaders(secret, core.wall, operation, body),
      ...headers,
    },
  })
}

/** Reports a credit in version 2 of the protocol; returns the gateway's response. */
export const reportSignedCredit = (shop: Pick<Shop, 'url' | 'core'>, credit: object): Promise<object> =>
  sendNotification(shop, 'credits', credit)

/** Sends any other notification of an adapter. */
export async function sendNotification(
  { url, core }: Pick<Shop, 'url' | 'core'>,
  operation: string,
  notice: object,
): Promise<object> {
  const body = JSON.stringify(notice)
  const question = { operation, body }
  const { headers } = signRequest({ secret: hidden(RAILS_SECRET) }, core.wall, question)
  const response = await fetch(`${url}/rails/${operation}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  })
  const text = await response.text()
  assert.equal(response.status, 200, text)
  return JSON.parse(text)
}
