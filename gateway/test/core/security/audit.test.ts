import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { MASTER_KEY } from '../../../../cli/test/commands.ts'
import { openLog } from '../../../src/platform/observability/log.ts'
import { ownFolder } from '../../harness/clear-up.ts'
import { testWall } from '../../harness/clock.ts'
import { basic, gateway, type TestGateway } from '../../harness/gateway.ts'
import { asOwner } from '../../harness/postgres.ts'
import { commandAt } from '../../harness/processes.ts'
import { slow } from '../../harness/slow.ts'
import { until } from '../../harness/until.ts'
import { aBrowser } from '../../harness/users.ts'

const command = (shop: TestGateway, ...args: string[]) =>
  commandAt(testWall, { DATABASE_URL: shop.databaseUrl, KOBO_MASTER_KEY: MASTER_KEY }, ...args)

/** The chain as the command prints it, once all records are in it. */
async function exported(shop: TestGateway): Promise<readonly Record<string, unknown>[]> {
  await until(
    'all records are in the chain',
    async () => (await shop.db`select from audit_unsealed limit 1`).length === 0,
  )
  const { stdout } = await command(shop, 'audit', 'export')
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

const tryLogin = (shop: TestGateway, authorization: string) =>
  shop.send('POST', contract.login.path, { headers: { authorization } })

test('every login is recorded with the user, the address and the outcome', async (t) => {
  const shop = await gateway(t)
  const { apiKey } = shop.credentials
  for (let n = 0; n < 3; n++)
    assert.equal((await tryLogin(shop, basic({ apiKey, secretKey: `wrong ${n}` }))).status, 401)
  assert.equal((await tryLogin(shop, basic({ apiKey: 'MK_TEST_NOBODY', secretKey: 'x' }))).status, 401)
  assert.equal((await tryLogin(shop, basic(shop.credentials))).status, 200)

  const records = await exported(shop)
  const rejected = records.filter(({ act }) => act === 'login.refused')
  const times = (name: string) =>
    rejected
      .filter((record) => record['name'] === name)
      .reduce((sum, { details }) => sum + Number((details as { times?: number }).times ?? 1), 0)
  assert.equal(times(apiKey), 3)
  assert.equal(times('MK_TEST_NOBODY'), 1)
  for (const { address, details } of rejected) {
    assert.equal(address, '127.0.0.1')
    assert.equal((details as { refusal: string }).refusal, 'INVALID_CREDENTIALS')
  }
  assert.ok(records.some(({ act, name, address }) => act === 'login' && name === apiKey && address === '127.0.0.1'))
  assert.doesNotMatch(JSON.stringify(records), new RegExp(`wrong|${shop.credentials.secretKey}`))
})

test('a secret in the wrong field never reaches the audit log, and equal ones can be counted', async (t) => {
  const shop = await gateway(t)
  const { apiKey, secretKey } = shop.credentials
  for (const swapped of [
    { apiKey: secretKey, secretKey: apiKey },
    { apiKey: secretKey, secretKey: '' },
    { apiKey: `MK_TEST_${secretKey}`, secretKey: 'x' },
  ])
    assert.equal((await tryLogin(shop, basic(swapped))).status, 401)
  const password = 'p@ssword-of-somebody'
  await aBrowser(shop.url).rejected(401, contract.signInWithPassword, { body: { email: password, password } })
  const cardNumber = '5061050254756707864'
  await shop.send('POST', contract.authorizeTransfer.path, {
    body: { reference: cardNumber, authorizationCode: '1' },
  })

  const records = await exported(shop)
  for (const secret of [secretKey, password, cardNumber])
    assert.ok(!JSON.stringify(records).includes(secret), `${secret} is in the audit log`)
  const names = records.filter(({ act }) => act === 'login.refused').map(({ name }) => String(name))
  assert.equal(names.length, 3)
  assert.equal(new Set(names).size, 2, 'the same secret has the same name')
  for (const name of names) assert.match(name, /^unknown \S{22}$/)
})

test('logins beyond the limit are recorded by their number, so a stranger cannot fill the audit log', async (t) => {
  const shop = await gateway(t, { env: { KOBO_RATE_LIMIT: '100000', KOBO_TRUSTED_PROXIES: '127.0.0.1' } })
  const guess = async (nth: number): Promise<number> => {
    const authorization = basic({ apiKey: `MK_TEST_${nth}`, secretKey: 'x' })
    const headers = { authorization, 'x-forwarded-for': `2c0f:f00:1:2::${nth.toString(16)}` }
    return (await shop.send('POST', contract.login.path, { headers })).status
  }
  const statuses: number[] = []
  for (let nth = 1; nth <= 130; nth++) statuses.push(await guess(nth))
  assert.equal(statuses.filter((status) => status === 401).length, 20)
  assert.equal(statuses.filter((status) => status === 429).length, 110)
  const rows = await shop.db<{ details: { times?: number } }[]>`
    select details from audit where act = 'login.refused' order by id`
  assert.deepEqual(
    rows.map(({ details }) => details.times),
    [...Array.from({ length: 20 }, () => undefined), 1, 10, 100],
  )

  // A caller outside the whitelist is counted as well.
  await shop.call(contract.changeSettings, { body: { ipWhitelist: ['203.0.113.7'] } })
  const outside = { authorization: basic(shop.credentials), 'x-forwarded-for': '198.51.100.1' }
  const responses: number[] = []
  for (let nth = 0; nth < 22; nth++)
    responses.push((await shop.send('POST', contract.login.path, { headers: outside })).status)
  assert.deepEqual(new Set(responses.slice(0, 20)), new Set([403]))
  assert.deepEqual(responses.slice(20), [429, 429])
})

test('identity lookups, refunds and wrong codes are recorded with their outcome, without personal data', async (t) => {
  const shop = await gateway(t)
  await shop.send('POST', contract.getNinDetails.path, { body: { nin: '12345678901' } })
  const refund = {
    transactionReference: 'KOBO|00|20260301000000|000000',
    refundReference: 'refund-of-nothing',
    refundAmount: 100,
    refundReason: 'none',
    customerNote: 'none',
  }
  await shop.send('POST', contract.initiateRefund.path, { body: refund })
  await shop.send('POST', contract.authorizeTransfer.path, {
    body: { reference: 'no-transfer', authorizationCode: '1' },
  })
  const records = await exported(shop)
  const outcome = (act: string) => {
    const found = records.find((record) => record['act'] === act) ?? assert.fail(`no record of ${act}`)
    assert.equal(found['name'], shop.credentials.apiKey)
    assert.equal(found['address'], '127.0.0.1')
    return [found['reference'], (found['details'] as { outcome: string }).outcome]
  }
  assert.deepEqual(outcome('identity.nin'), [null, 'done'])
  assert.deepEqual(outcome('refund.initiate'), ['refund-of-nothing', contract.refundRefusals.unknownTransaction.code])
  assert.equal(outcome('transfer.authorize')[0], 'no-transfer')
  assert.doesNotMatch(JSON.stringify(records), /12345678901/)
})

test('the chain reveals each kind of forgery, and a stored head reveals a recomputed chain', async (t) => {
  const heads: string[] = []
  const log = openLog('info', {
    write: (line: string) => {
      const { msg, head } = JSON.parse(line)
      if (msg === 'audit head') heads.push(head)
    },
  })
  const shop = await gateway(t, { log })
  for (let n = 0; n < 5; n++) await tryLogin(shop, basic(shop.credentials))
  const records = await exported(shop)
  const verify = async (...args: string[]) => {
    const { code, stdout } = await command(shop, 'audit', 'verify', ...args)
    return { code, ...(JSON.parse(stdout) as { links: string; head: string; wrong: readonly string[] }) }
  }
  const clean = await verify()
  assert.deepEqual([clean.code, clean.wrong, Number(clean.links)], [0, [], records.length])
  const saved = `${clean.links}:${clean.head}`
  assert.equal((await verify('--saved', saved)).code, 0)
  await until('a head is logged', () => heads.length > 0)
  assert.equal((await verify('--saved', heads[0] ?? '')).code, 0, 'a head from the log can be passed as it is')

  // The owner of the database can switch its triggers off.
  const forged = async (forge: string): Promise<readonly string[]> => {
    await asOwner(shop.databaseUrl, `do $$ begin set local session_replication_role = replica; ${forge}; end $$`)
    const verdict = await verify('--saved', saved)
    assert.equal(verdict.code, 1, forge)
    return verdict.wrong
  }
  const second = `(select audit_id from audit_seal where number = 2)`
  assert.match(
    (await forged(`update audit set address = '203.0.113.7' where id = ${second}`)).join(),
    /^2: .* was changed after it was written/,
  )
  assert.match((await forged(`delete from audit where id = ${second}`)).join(), /^2: its record is missing/)
  assert.match((await forged(`delete from audit_seal where number = 2`)).join(), /3 follows 1/)
  assert.match((await forged(`delete from audit_seal where number >= ${clean.links}`)).join(), /chain ends before/)
})

slow('records removed from the end of the audit log are found without a saved head, and stay found', async (t) => {
  const folder = ownFolder('data')
  const logged: string[] = []
  const log = openLog('info', { write: (line: string) => logged.push(JSON.parse(line).msg) })
  const shop = await gateway(t, { env: { KOBO_DATA_DIR: folder }, log })
  const verify = async () => {
    const settings = { DATABASE_URL: shop.databaseUrl, KOBO_MASTER_KEY: MASTER_KEY, KOBO_DATA_DIR: folder }
    const { code, stdout } = await commandAt(testWall, settings, 'audit', 'verify')
    type Verdict = { links: string; head: string; published: string | null; wrong: readonly string[] }
    return { code, ...(JSON.parse(stdout) as Verdict) }
  }
  const published = () => readdirSync(folder).filter((name) => name.startsWith('audit-head-'))
  for (let n = 0; n < 5; n++) await tryLogin(shop, basic(shop.credentials))
  const records = await exported(shop)
  await until('the head is published', async () => {
    const { code, links, head, published: known } = await verify()
    return code === 0 && known === `${links}:${head}` && Number(links) === records.length
  })
  const [name = assert.fail('one file')] = published()
  const file = join(folder, name)
  const evidence = readFileSync(file, 'utf8')
  assert.equal(statSync(file).mode & 0o077, 0)

  await asOwner(
    shop.databaseUrl,
    `do $$ begin
       set local session_replication_role = replica;
       delete from audit where id in (select audit_id from audit_seal where number > ${records.length - 2});
       delete from audit_seal where number > ${records.length - 2};
     end $$`,
  )
  const shorter = await verify()
  assert.equal(shorter.code, 1)
  assert.match(shorter.wrong.join(), /chain ends before it/)

  for (let n = 0; n < 5; n++) {
    await tryLogin(shop, basic(shop.credentials))
    await exported(shop)
  }
  const DIFFERS = 'audit log differs from its published head; run kobo audit verify'
  await until('the difference is logged', () => logged.includes(DIFFERS))
  assert.equal(logged.filter((line) => line === DIFFERS).length, 1, 'and not each time')
  const grown = await verify()
  assert.equal(grown.code, 1, 'new records hide nothing')
  assert.match(grown.wrong.join(), /its hash differs from the recorded hash/)
  assert.equal(readFileSync(file, 'utf8'), evidence, 'the evidence is not replaced')

  writeFileSync(file, evidence.replace(/^\d+:[0-9a-f]+/, `${grown.links}:${grown.head}`))
  const forged = await verify()
  assert.equal(forged.code, 1)
  assert.match(forged.wrong.join(), /audit-head-\S+: its signature is wrong/)
})

test('metrics report the head of the chain', async (t) => {
  const shop = await gateway(t)
  await tryLogin(shop, basic(shop.credentials))
  const records = await exported(shop)
  const { text } = await shop.send('GET', '/metrics')
  const last = records.at(-1)
  assert.match(text, new RegExp(`kobo_audit_head\\{hash="${last?.['hash']}"\\} ${last?.['number']}`))
})

test('a completed action is reported as done even if its audit record cannot be written', async (t) => {
  const shop = await gateway(t)
  await asOwner(
    shop.databaseUrl,
    `create function is_full() returns trigger language plpgsql as $$ begin raise exception 'full'; end $$;
     create trigger is_full before insert on audit execute function is_full()`,
  )
  const { status } = await shop.send('POST', contract.getNinDetails.path, { body: { nin: '12345678901' } })
  assert.equal(status, 200)
})
