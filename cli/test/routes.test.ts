import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ownFolder } from '../../gateway/test/harness/clear-up.ts'
import { aDatabase, commandsWith } from './commands.ts'

const FOLDER = ownFolder('routes')
const SECRET = 'a-secret-between-gateway-and-adapter'
const RAILS = {
  KOBO_RAILS_URL: 'wema=https://rails.internal/wema,providus=https://rails.internal/providus',
  KOBO_RAILS_SECRET: `wema=${SECRET},providus=${SECRET}-2`,
}
const ROUTES = {
  'transfer/send': {
    rules: [
      { name: 'own bank', when: { destinationBank: ['035'] }, use: ['wema'] },
      { name: 'large', when: { amountFrom: 5_000_000 }, use: ['providus', 'wema'] },
    ],
    otherwise: ['providus'],
  },
}

function file(content: unknown): string {
  const path = join(FOLDER, `${crypto.randomUUID()}.json`)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

test('routes set stores versions of the routing table and never overwrites an unseen change', async (t) => {
  const { prints, misused } = await aDatabase(t, RAILS)
  assert.deepEqual(await prints('routes', 'show'), { version: 0 })
  assert.deepEqual(await prints('routes', 'set', file(ROUTES)), { version: 1, ...ROUTES })
  const shown = await prints('routes', 'show')
  assert.deepEqual(shown, { version: 1, ...ROUTES })
  const changed = { 'transfer/send': { otherwise: ['wema'] } }
  assert.equal((await prints('routes', 'set', file({ version: 1, ...changed }))).version, 2)
  await misused(
    [/based on version 1, but version 2 is in effect/, 'routes', 'set', file(shown)],
    [/Unknown partner nobody/, 'routes', 'set', file({ 'transfer/send': { otherwise: ['nobody'] } })],
    [/no merchant GONE/, 'routes', 'set', file(ofMerchant('GONE'))],
    [/otherwise is required/, 'routes', 'set', file({ 'transfer/send': {} })],
    [/transfer\/sent is not a known field/, 'routes', 'check', file({ 'transfer/sent': {} })],
    [/Cannot read/, 'routes', 'set', file('{')],
    [/Cannot read/, 'routes', 'check', join(FOLDER, 'nowhere.json')],
    [/must be a JSON object/, 'routes', 'set', file([])],
    [/whole number/, 'routes', 'set', file({ version: 'x' })],
    [/Specify one file/, 'routes', 'set'],
  )
  const history = await prints('routes', 'history')
  assert.deepEqual(
    history.map(({ version, routes }: { version: number; routes: object }) => [version, routes]),
    [
      [2, changed],
      [1, ROUTES],
    ],
  )
  assert.deepEqual([history[0].madeBy, await prints('partners', 'list')], ['command line', []])
})

const ofMerchant = (code: string) => ({
  'transfer/send': {
    rules: [{ name: 'theirs', when: { merchant: [code] }, use: ['wema'] }],
    otherwise: ['wema'],
  },
})

test('routes check explains the choice without a database', async () => {
  const { prints, misused } = commandsWith(RAILS)
  const path = file(ROUTES)
  assert.deepEqual(await prints('routes', 'check', path, '--bank', '058', '--amount', '5000000'), {
    operation: 'transfer/send',
    rule: 'large',
    use: ['providus', 'wema'],
    passedOver: ['own bank: it goes to bank 058'],
  })
  assert.equal((await prints('routes', 'check', path, '--bank', '035')).rule, 'own bank')
  assert.equal((await prints('routes', 'check', path, '--bank', '058', '--amount', '4999999.99')).rule, 'otherwise')
  assert.equal((await prints('routes', 'check', path, '--operation', 'card/charge')).rule, null)
  await misused(
    [/--operation must be one of/, 'routes', 'check', path, '--operation', 'card/refund'],
    [/--amount must be naira/, 'routes', 'check', path, '--amount', 'much'],
  )
})
