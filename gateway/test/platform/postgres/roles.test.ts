import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import pg from 'pg'
import { openCore } from '../../../src/app/core.ts'
import { inTransaction, openDatabase, refreshStatistics } from '../../../src/platform/postgres/db.ts'
import type { DatabaseUrls } from '../../../src/platform/postgres/roles.ts'
import { testWall } from '../../harness/clock.ts'
import { gateway, type TestGateway } from '../../harness/gateway.ts'
import { asOwner, emptyDatabase, ownDatabase, urlsOf } from '../../harness/postgres.ts'
import { commandAt } from '../../harness/processes.ts'
import { anAccount, aTransaction, CARDS, charge, openTransaction, pay, statusOf } from '../../harness/samples.ts'
import { slow } from '../../harness/slow.ts'
import { until } from '../../harness/until.ts'

const KEY = Buffer.alloc(32, 7).toString('base64')
const REFUSED = /permission denied|must be owner/

/** The result of each query, sent separately over its own connection. */
async function attempts(url: string, statements: readonly string[]): Promise<readonly string[]> {
  const client = new pg.Client(url)
  await client.connect()
  const outcomes: string[] = []
  for (const statement of statements)
    outcomes.push(
      await client.query(statement).then(
        () => `done: ${statement}`,
        (error: Error) => error.message,
      ),
    )
  await client.end()
  return outcomes
}

/** A token of a card on file. */
async function aToken(shop: TestGateway): Promise<string> {
  const reference = await openTransaction(shop)
  await charge(shop, reference, CARDS.success)
  return (await statusOf(shop, reference)).cardDetails?.cardToken ?? ''
}

const renew = (shop: TestGateway, cardToken: string) =>
  shop.call(contract.chargeCardToken, {
    body: {
      ...aTransaction(shop, { amount: 100 }),
      customerName: 'Ada Obi',
      paymentDescription: 'March',
      cardToken,
      apiKey: shop.credentials.apiKey,
    },
  })

test('SQL injected into the program can neither change the ledger nor gain the rights to', async (t) => {
  const shop = await gateway(t)
  await pay(shop, await anAccount(shop), 5_000)
  // PostgreSQL only warns here: nothing was granted.
  await attempts(shop.databaseUrl, ['grant all on journal, move to public, kobo_program'])
  const books = ['journal', 'move', 'audit', 'wallet_entry']
  const outcomes = await attempts(shop.databaseUrl, [
    ...books.flatMap((table) => [
      `delete from ${table}`,
      `truncate ${table}`,
      `drop trigger ${table}_insert_only on ${table}`,
      `alter table ${table} disable trigger all`,
      `alter table ${table} owner to kobo_program`,
      `drop table ${table}`,
      `create rule quiet as on insert to ${table} do instead nothing`,
      `select * from ${table} for update`,
    ]),
    'update journal set memo = $$x$$',
    'update move set amount = 1',
    'update audit set actor = $$nobody$$',
    'update wallet_entry set amount = 1',
    'delete from merchant',
    'delete from wallet',
    'delete from account',
    'delete from data_key',
    'insert into schema_migration (version, name, checksum, must_be_known) values (999, $$x$$, $$x$$, false)',
    'create or replace function refuse_change() returns trigger language plpgsql as $$begin return null; end$$',
    'create table public.journal_of_mine (id bigint)',
    'set session_replication_role = replica',
    'create role accomplice superuser',
    `copy journal to program 'cat'`,
  ])
  for (const outcome of outcomes) assert.match(outcome, REFUSED)
  await pay(shop, await anAccount(shop), 5_000) // and the program's normal work continues
})

test('the program cannot read card numbers, not even encrypted: only the vault’s functions can', async (t) => {
  const shop = await gateway(t)
  const token = await aToken(shop)
  const outcomes = await attempts(shop.databaseUrl, [
    'select sealed_number from vault.card_on_file',
    'select * from vault.card_on_file',
    'select c from vault.card_on_file c',
    'select row_to_json(c) from vault.card_on_file c',
    'select token from vault.card_on_file where length(sealed_number) > 0',
    'update vault.card_on_file set sealed_number = null',
    'update vault.card_on_file set customer_email = encode(sealed_number, $$hex$$)',
    'update vault.card_on_file set expiry_year = expiry_year returning sealed_number',
    'copy vault.card_on_file to stdout',
    'delete from vault.card_on_file returning sealed_number',
    'truncate vault.card_on_file',
    'select * from card_on_file',
    'alter table vault.card_on_file owner to kobo_program',
    'set role kobo_vault',
    'set session authorization kobo_vault',
  ])
  for (const outcome of outcomes) assert.match(outcome, REFUSED)
  const byVault = await attempts(urlsOf(shop.databaseUrl).vault, [
    'select * from journal',
    'select * from merchant_secret',
    'delete from vault.card_on_file',
    'insert into vault.card_on_file select * from vault.card_on_file',
    'update vault.card_on_file set token = token',
  ])
  for (const outcome of byVault) assert.match(outcome, REFUSED)
  assert.equal((await renew(shop, token)).paymentStatus, 'PAID')
})

test('nodes of the previous version continue under the old name of the cards on file', async (t) => {
  const shop = await gateway(t)
  const token = await aToken(shop)
  const insert = `
    insert into card_on_file (merchant_id, token, fingerprint, sealed_number, expiry_month, expiry_year, customer_email, created_at)
    select merchant_id, 'KBO_' || repeat('A', 32), fingerprint, sealed_number, expiry_month, expiry_year, customer_email, created_at
      from json_populate_recordset(null::card_on_file, (select json_agg(c) from card_on_file c))
        on conflict (merchant_id, fingerprint) do nothing`
  await asOwner(shop.databaseUrl, insert)
  await asOwner(
    shop.databaseUrl,
    `update card_on_file c set expiry_year = '2098' from card_on_file k where k.token = c.token`,
  )
  assert.deepEqual(await asOwner(shop.databaseUrl, 'select token, expiry_year from card_on_file'), [
    { token, expiry_year: '2098' },
  ])
})

test('kobo migrate creates the schema as the owner, and the program starts without the owner’s password', async (t) => {
  const { urls, ownerUrl, drop } = await emptyDatabase()
  t.after(drop)
  const env = { DATABASE_URL: urls.program, KOBO_VAULT_DATABASE_URL: urls.vault, KOBO_MASTER_KEY: KEY }
  const run = (more: NodeJS.ProcessEnv, ...args: readonly string[]) => commandAt(testWall, { ...env, ...more }, ...args)
  const early = await run({}, 'merchant', 'list')
  assert.deepEqual([early.code, early.stdout], [1, ''])
  assert.match(early.stderr, /lacks \d{12}_installation\.sql.*kobo migrate .see KOBO_MIGRATION_DATABASE_URL/)
  const owner = { KOBO_MIGRATION_DATABASE_URL: ownerUrl }
  const [first, again] = [await run(owner, 'migrate'), await run(owner, 'migrate')]
  assert.deepEqual([first.code, first.stderr], [0, ''])
  assert.ok(JSON.parse(first.stdout).applied > 0)
  assert.deepEqual(JSON.parse(again.stdout), { applied: 0 })
  assert.equal((await run({}, 'merchant', 'list')).code, 0)
  await asOwner(urls.program, 'grant update, delete, truncate on journal to kobo_program')
  assert.equal((await run(owner, 'merchant', 'list')).code, 0)
  for (const outcome of await attempts(urls.program, ['delete from journal', 'truncate journal']))
    assert.match(outcome, REFUSED, 'an excess right is revoked')
})

test('with one role for everything all works as before', async (t) => {
  const { ownerUrl, drop } = await emptyDatabase()
  t.after(drop)
  const shop = await gateway(t, { databaseUrl: ownerUrl })
  const cardToken = await aToken(shop)
  assert.equal((await renew(shop, cardToken)).paymentStatus, 'PAID')
})

slow('the operator is warned if the roles are not separate, and statistics are refreshed if they are', async (t) => {
  const own = await ownDatabase()
  t.after(own.drop)
  const options = {
    environment: 'sandbox' as const,
    databaseConnectionsMax: 3,
    masterKey: Buffer.alloc(32, 7),
    referencePrefix: 'KOBO',
    wall: testWall,
  }
  const warned = async (database: DatabaseUrls): Promise<readonly string[]> => {
    const warnings: string[] = []
    const warn = (text: string) => void warnings.push(text)
    const core = await openCore({ ...options, database, warn, onNodeLost: () => assert.fail('node lost') })
    await core.close()
    return warnings.map((text) => /KOBO_\w+/.exec(text)?.[0] ?? text)
  }
  assert.deepEqual(await warned(own.urls), [])
  assert.deepEqual(await warned({ ...own.urls, owner: own.ownerUrl }), [])
  const one = { program: own.ownerUrl, vault: own.ownerUrl, owner: undefined }
  assert.deepEqual(await warned(one), ['KOBO_VAULT_DATABASE_URL', 'KOBO_MIGRATION_DATABASE_URL'])

  const db = openDatabase(own.url, 1)
  await db`
    insert into sandbox_mail (merchant_id, id, recipient, subject, text, sent_at)
    select 1, n, 'a', 'b', 'c', now() from generate_series(1, 1000) n`
  const known = async () => (await db`select from pg_class where relname = 'sandbox_mail' and reltuples = 1000`).count
  await until('the planner has statistics of the rows', async () => {
    await refreshStatistics(db, 100)
    return (await known()) === 1
  })

  // Changed rows alone are no reason: each refresh makes all connections replan.
  const changed = async () =>
    (await db`select from pg_stat_user_tables where relname = 'sandbox_mail' and n_mod_since_analyze = 2000`).count
  for (const subject of ['d', 'e']) await db`update sandbox_mail set subject = ${subject}`
  await until('the changes are counted', async () => (await changed()) === 1)
  await refreshStatistics(db, 100)
  assert.equal(await changed(), 1)

  // While one node refreshes them, another skips it.
  const another = openDatabase(own.url, 1)
  await db`
    insert into sandbox_mail (merchant_id, id, recipient, subject, text, sent_at)
    select 2, n, 'a', 'b', 'c', now() from generate_series(1, 1800) n`
  const isCounted = async () =>
    (await db`select from pg_stat_user_tables where relname = 'sandbox_mail' and n_live_tup = 2800`).count === 1
  await until('the rows are counted', isCounted)
  await inTransaction(db, async (tx) => {
    await tx`select refresh_statistics(0, 1000000, 0)`
    assert.equal(await refreshStatistics(another, 100), 0)
  })
  assert.ok((await refreshStatistics(another, 100)) > 0)
  await another.end()
  await db.end()
})
