import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as contract from '@kobo/contract'
import pg from 'pg'
import { runCommand } from '../../../../cli/src/run.ts'
import { commandsWith, settings } from '../../../../cli/test/commands.ts'
import { ENCRYPTED_COLUMNS } from '../../../src/app/features.ts'
import { endpointSecrets, selectAdditionalEndpoints } from '../../../src/core/merchants/index.ts'
import { wrap } from '../../../src/core/security/data-keys.ts'
import { keyIdOf } from '../../../src/core/security/keyring.ts'
import { beginReEncryption } from '../../../src/core/security/re-encryption.ts'
import { findSignOn, insertSignOn } from '../../../src/core/sessions/index.ts'
import { unitOfWork } from '../../../src/core/unit-of-work.ts'
import { secondsAfter } from '../../../src/kernel/clock.ts'
import { ownFolder } from '../../harness/clear-up.ts'
import { testWall } from '../../harness/clock.ts'
import { openDispute } from '../../harness/dispute-samples.ts'
import { gateway, type TestGateway } from '../../harness/gateway.ts'
import { asOwner, type OwnDatabase, ownDatabase } from '../../harness/postgres.ts'
import { kobo, startProgram } from '../../harness/processes.ts'
import type { ApiResponse } from '../../harness/responses.ts'
import {
  aTransaction,
  aTransfer,
  BVN,
  CARDS,
  charge,
  openTransaction,
  reserveAccount,
  statusOf,
} from '../../harness/samples.ts'
import { slow } from '../../harness/slow.ts'
import { until } from '../../harness/until.ts'
import { aTeamMember, totpCode } from '../../harness/users.ts'

const MASTER_KEY = Buffer.alloc(32, 7)

/** A gateway on a database from before keys had purposes: one key for everything. */
async function fromBefore(t: TestContext): Promise<{ shop: TestGateway; own: OwnDatabase }> {
  const own = await ownDatabase()
  t.after(own.drop)
  const wrapped = (await wrap(MASTER_KEY, 1, Buffer.alloc(32, 9))).toString('hex')
  await asOwner(own.url, `insert into data_key (id, wrapped, created_at) values (1, '\\x${wrapped}', now())`)
  return { shop: await gateway(t, { databaseUrl: own.url }), own }
}

/** The keys that encrypt the values of each column. */
async function keysInUse({ databaseUrl }: TestGateway): Promise<Record<string, readonly number[]>> {
  const entries = ENCRYPTED_COLUMNS.map(async ({ place, table }) => {
    const column = place.slice(table.label.length + 1)
    const rows = await asOwner<{ sealed: Buffer | string | null }>(
      databaseUrl,
      `select ${column} as sealed from ${table.label}`,
    )
    const ids = rows.flatMap(({ sealed }) =>
      sealed === null ? [] : keyIdOf(typeof sealed === 'string' ? Buffer.from(sealed, 'base64') : sealed),
    )
    return [place, [...new Set(ids)]] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

/** Re-encrypts everything in a terminal. */
async function rotateWatched({ databaseUrl }: TestGateway, err: (text: string) => void) {
  const printed: string[] = []
  const out = (text: string) => void printed.push(text)
  const env = settings(databaseUrl, { KOBO_DATA_DIR: ownFolder('data') })
  const around = { env, wall: testWall, isTerminal: true, out, err }
  return { code: await runCommand(['keys', 'rotate-data'], around), stdout: printed.join('') }
}

/** A value in every encrypted column, with a check that it can still be read. */
async function fill(shop: TestGateway): Promise<() => Promise<void>> {
  const bvnDetails = { bvn: '22222222226', bvnDateOfBirth: '1994-09-07' }
  const wallet = {
    walletReference: 'w-1',
    walletName: 'Savings',
    customerName: 'Ada Obi',
    customerEmail: 'ada@example.com',
    bvnDetails,
  }
  const request = (): Promise<ApiResponse> =>
    shop.send('POST', contract.createWallet.path, { body: wallet, headers: { 'idempotency-key': 'key-1' } })
  const { text } = await request()
  const account = await reserveAccount(shop, {
    nin: '12345678901',
    restrictPaymentSource: true,
    allowedPaymentSources: { bvns: [BVN] },
  })
  const senderInfo = {
    sourceAccountNumber: '0011223344',
    sourceAccountName: 'Bola Ade',
    senderBankCode: '044',
    sourceAccountBvn: BVN,
  }
  await shop.call(contract.initiateTransfer, { body: await aTransfer(shop, { senderInfo }) })
  const paycode = await shop.call(contract.createPaycode, {
    body: {
      beneficiaryName: 'Bola Ige',
      amount: 5_000,
      paycodeReference: 'cash-1',
      expiryDate: secondsAfter(shop.core.clock.now(), 86_400).toISOString().slice(0, 19).replace('T', ' '),
      clientId: shop.credentials.apiKey,
    },
  })
  const reference = await openTransaction(shop)
  await charge(shop, reference, CARDS.success)
  const { cardDetails } = await statusOf(shop, reference)
  const { core, merchantId } = shop
  await core.db`
    insert into credit_conflict (merchant_id, id, partner, bank_code, rail_reference, account_number, amount, payer_bvn, told_at, state)
    values (${merchantId}, 1, 'p', '058', 'r', '0123456789', 1, ${core.keyring.seal(BVN, `credit-conflict/${merchantId}/1/bvn`)}, now(), 'DISMISSED')`
  const otp = await charge(shop, await openTransaction(shop), CARDS.otp)
  const { disputeReference } = await openDispute(shop, reference)
  const files = [{ name: 'receipt.pdf', type: 'application/pdf' as const, content: 'JVBERi0xLjQK' }]
  const contested = await shop.call(contract.submitEvidence, {
    params: { disputeReference },
    body: { text: 'It was delivered.', files },
  })
  const fileId = contested.evidence?.files[0]?.fileId ?? ''
  const url = 'https://shop.example.com/events'
  const { endpoint, secretKey } = await shop.call(contract.createWebhookEndpoint, { body: { url } })
  const replaced = await shop.call(contract.rotateWebhookSecret, {
    params: { id: endpoint.id },
    body: { overlapHours: 24 },
  })
  const owner = await aTeamMember(shop, 'owner')
  const codes = await owner.call(contract.beginTotp, { body: {} })
  const context = `sign-on/${merchantId}`
  await unitOfWork(core, async ({ tx, at }) =>
    insertSignOn(tx, {
      merchantId,
      issuer: 'https://id.example.com',
      clientId: 'kobo',
      clientSecret: core.keyring.seal('a client secret', context),
      domains: ['example.com'],
      isRequired: false,
      secondFactor: [],
      secondFactorFrom: null,
      changedBy: owner.personId,
      changedAt: at,
    }),
  )
  return async () => {
    const signOn = await findSignOn(core.db, merchantId)
    assert.equal(signOn && core.keyring.open(signOn.clientSecret, context), 'a client secret')
    const again = await request()
    assert.deepEqual([again.text, again.headers.get('idempotent-replayed')], [text, 'true'])
    assert.deepEqual((await shop.call(contract.listWallets, { query: {} })).content[0]?.bvnDetails, bvnDetails)
    const { accountReference } = account
    assert.equal((await shop.call(contract.getReservedAccount, { params: { accountReference } })).bvn, BVN)
    const shown = await shop.call(contract.revealPaycode, { params: { paycodeReference: 'cash-1' } })
    assert.equal(shown.paycode, paycode.paycode)
    const renewal = { ...aTransaction(shop, { amount: 100 }), customerName: 'Ada Obi', paymentDescription: 'March' }
    const body = { ...renewal, cardToken: cardDetails?.cardToken ?? '', apiKey: shop.credentials.apiKey }
    assert.equal((await shop.call(contract.chargeCardToken, { body })).paymentStatus, 'PAID')
    assert.ok(otp.transactionReference)
    const secrets = (await selectAdditionalEndpoints(core.db, merchantId)).flatMap((row) =>
      endpointSecrets(core.keyring, row).map(({ key }) => key.reveal()),
    )
    assert.deepEqual(secrets, [replaced.secretKey, secretKey])
    assert.deepEqual(await shop.call(contract.getDisputeFile, { params: { disputeReference, fileId } }), files[0])
    const params = { id: codes.id }
    await owner.call(contract.confirmTotp, { params, body: { code: totpCode(codes.secret, core.wall.now()) } })
  }
}

test('every encrypted column of the database is declared as one', async (t) => {
  const { url, drop } = await ownDatabase()
  t.after(drop)
  const columns = await asOwner<{ place: string }>(
    url,
    `select case table_schema when 'public' then '' else table_schema || '.' end || table_name || '.' || column_name as place
       from information_schema.columns
       join information_schema.tables using (table_schema, table_name)
      where table_type = 'BASE TABLE' and table_schema in ('public', 'vault') and data_type = 'bytea'`,
  )
  const declared = new Set(ENCRYPTED_COLUMNS.map(({ place }) => place))
  const others = columns.map(({ place }) => place).filter((place) => !declared.has(place))
  // Hashes, public pictures, and the keys themselves.
  const known = [
    'audit_seal.hash',
    'data_key.wrapped',
    'data_key.wrapped_next',
    'idempotency_key.body_hash',
    'merchant_logo.content',
    'open_paycode.code_hash',
  ]
  assert.deepEqual(others.sort(), known)
})

test('rotate-data re-encrypts everything while the gateway runs, and the previous key can then be retired', async (t) => {
  const { shop } = await fromBefore(t)
  const { core } = shop
  const reads = await fill(shop)
  const { prints, misused } = commandsWith(settings(shop.databaseUrl), testWall)
  for (const [place, ids] of Object.entries(await keysInUse(shop))) assert.deepEqual(ids, [1], place)
  await misused([/Unknown purpose gold/, 'keys', 'rotate-data', '--purpose', 'gold'])

  const earlier = { now: () => secondsAfter(core.wall.now(), -600) }
  await beginReEncryption({ db: core.db, wall: earlier }, MASTER_KEY, ['records', 'cards', 'answers', 'tokens'])
  await core.keyring.refresh()
  await misused([/Re-encryption is in progress/, 'keys', 'retire'])
  let bars = ''
  const { code, stdout } = await rotateWatched(shop, (text) => (bars += text))
  assert.equal(code, 0)
  assert.match(bars, /Re-encrypting wallet\.bvn_details \[█+\] 100 % /)
  assert.deepEqual(JSON.parse(stdout).resealed, { records: '14', cards: '2', answers: '1', tokens: '0' })
  const expected: Record<string, number> = { records: 2, cards: 3, answers: 4 }
  const after = await keysInUse(shop)
  for (const { place, purpose } of ENCRYPTED_COLUMNS) assert.deepEqual(after[place], [expected[purpose]], place)
  await reads()
  assert.equal((await shop.send('GET', contract.listBanks.path)).status, 200, 'the earlier token is valid')

  assert.deepEqual(await prints('keys', 'retire'), { keys: [] })
  const later = { now: () => secondsAfter(core.wall.now(), 7_200) }
  const muchLater = commandsWith(settings(shop.databaseUrl), later)
  assert.deepEqual(await muchLater.prints('keys', 'retire'), { keys: [{ id: 1, became: 'narrowed' }] })
  await core.keyring.refresh()
  assert.equal((await shop.send('GET', contract.listBanks.path)).status, 401, 'its key validates nothing any more')
  const listed = await prints('keys', 'list')
  assert.deepEqual(
    listed.map((row: { purpose: string }) => row.purpose),
    ['lookups', 'records', 'cards', 'answers', 'tokens'],
  )
})

test('a key is retired and erased when nothing is encrypted with it any more', async (t) => {
  const shop = await gateway(t)
  const { core } = shop
  const { prints } = commandsWith(settings(shop.databaseUrl), testWall)
  const rotate = async (): Promise<void> => {
    const earlier = { now: () => secondsAfter(core.wall.now(), -7_200) }
    await beginReEncryption({ db: core.db, wall: earlier }, MASTER_KEY, ['records'])
    assert.deepEqual(await prints('keys', 'rotate-data', '--purpose', 'records'), { resealed: { records: '2' } })
  }
  const [row] = await core.db<{ sealed: Buffer }[]>`select sealed from merchant_secret`
  await rotate()
  await core.db`update merchant_secret set sealed = ${row?.sealed}`
  assert.deepEqual(await prints('keys', 'retire'), { keys: [] }, 'something is still encrypted with it')

  await rotate()
  const retired = [1, 6].map((id) => ({ id, became: 'retired' }))
  assert.deepEqual(await prints('keys', 'retire'), { keys: retired })
  const erased = await core.db<{ id: number }[]>`select id from data_key where wrapped = '' order by id`
  assert.deepEqual(
    erased.map(({ id }) => id),
    [1, 6],
  )
  await core.keyring.refresh()
  assert.throws(() => core.keyring.open(row?.sealed ?? Buffer.alloc(2), 'anywhere'), /data key 1 exists/)
  assert.equal((await prints('credentials')).secretKey, shop.credentials.secretKey)
})

slow('rotate-data that is killed half-way resumes there', async (t) => {
  const { shop } = await fromBefore(t)
  const { core, merchantId } = shop
  const count = 1_200
  const sealed = Array.from({ length: count }, (_, n) =>
    core.keyring.seal(`secret ${n}`, `merchant-secret/${merchantId}`),
  )
  await core.db`
    insert into merchant_secret (merchant_id, id, sealed, created_at, expires_at)
    select ${merchantId}, 1000000 + n, decode(hex, 'hex'), now(), now()
      from unnest(${sealed.map((one) => one.toString('hex'))}::text[]) with ordinality as s (hex, n)`
  const earlier = { now: () => secondsAfter(core.wall.now(), -600) }
  await beginReEncryption({ db: core.db, wall: earlier }, MASTER_KEY, ['records'])
  const env = settings(shop.databaseUrl)
  const progress = async () =>
    (await core.db<{ resealed: bigint; after: string[] }[]>`select resealed, after from resealing`)[0]
  const holder = new pg.Client(shop.databaseUrl)
  await holder.connect()
  await holder.query('begin')
  // One of the last rows is locked, so that the program stops half-way however fast it is.
  await holder.query(`select from merchant_secret where id = ${1_000_000 + count - 5} for update`)
  const first = startProgram(t, 'cli/src/main.ts', ['keys', 'rotate-data', '--purpose', 'records'], env)
  await until('some values are re-encrypted', async () => ((await progress())?.resealed ?? 0n) >= 1_000n)
  first.child.kill('SIGKILL')
  assert.equal(await first.ended, 'SIGKILL')
  await holder.end()
  const left = await progress()
  assert.equal(left?.resealed, 1_000n)
  // A value that was already re-encrypted changes back, to check that it is not processed again.
  await core.db`update merchant_secret set sealed = ${sealed[0]} where id = 1000001`

  const { code, stdout, stderr } = await kobo(t, env, 'keys', 'rotate-data', '--purpose', 'records')
  assert.deepEqual([code, stderr], [0, ''])
  const own = (await core.db`select from merchant_secret where id < 1000000 or id > ${1_000_000 + count}`).count
  assert.deepEqual(JSON.parse(stdout), { resealed: { records: String(count + own + 1) } })
  assert.equal(await progress(), undefined)
  await core.keyring.refresh()
  const rows = await core.db<
    { id: bigint; sealed: Buffer }[]
  >`select id, sealed from merchant_secret where id > 1000000 and id <= ${1_000_000 + count} order by id`
  for (const [n, row] of rows.entries()) {
    assert.equal(keyIdOf(row.sealed), n === 0 ? 1 : 2)
    assert.equal(core.keyring.open(row.sealed, `merchant-secret/${merchantId}`), `secret ${n}`)
  }
})
