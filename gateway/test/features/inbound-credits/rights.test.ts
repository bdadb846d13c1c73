import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as contract from '@kobo/contract'
import { sandbox } from '../../../../connectors/test/connectors.ts'
import { addSource } from '../../../src/core/account-numbers/index.ts'
import { unitOfWork } from '../../../src/core/unit-of-work.ts'
import { hidden } from '../../../src/kernel/hidden.ts'
import { signedHeaders } from '../../../src/rails/http/index.ts'
import { signRequest } from '../../../src/rails/protocol/index.ts'
import { testWall } from '../../harness/clock.ts'
import { gateway, type TestGateway } from '../../harness/gateway.ts'
import { openTransaction, transferTo } from '../../harness/samples.ts'
import { until } from '../../harness/until.ts'

const CODES = ['wema', 'providus', 'switch'] as const
type Code = (typeof CODES)[number]
const secretOf = (code: Code): string => `a-secret-between-the-gateway-and-${code}`
const KOBO_RAILS_SECRET = CODES.map((code) => `${code}=${secretOf(code)}`).join(',')

/** A gateway with a bank that has its own numbers, another bank, and a card switch that offers cards only. */
async function threePartners(t: TestContext) {
  const KOBO_CONNECTORS = 'wema=sandbox,providus=sandbox,switch=sandbox?capabilities=cards'
  const rails = await sandbox(t, { wall: testWall, env: { KOBO_CONNECTORS, KOBO_RAILS_SECRET } })
  const KOBO_RAILS_URL = CODES.map((code) => `${code}=${rails.at(code).url}`).join(',')
  const shop = await gateway(t, { env: { KOBO_RAILS_URL, KOBO_RAILS_SECRET } })
  await shop.call(contract.changeSettings, { body: { otpEnabled: false } })
  await unitOfWork(shop.core, (unit) =>
    addSource(
      unit,
      {
        ...{ kind: 'prefix', code: 'own', partner: 'wema', bankCode: '011', prefix: '99', checkDigit: 'nuban' },
        ...{ restDays: 90, settlementAccount: null, forWallets: false },
      },
      false,
    ),
  )
  let account: { readonly bankCode: string; readonly accountNumber: string } | undefined
  await until('the source is known', async () => {
    const body = { transactionReference: await openTransaction(shop), bankCode: '011' }
    const response = await shop.send('POST', '/api/v1/merchant/bank-transfer/init-payment', { body })
    if (response.status === 200) account = response.body.responseBody as unknown as NonNullable<typeof account>
    return response.status === 200
  })
  return { shop, account: account ?? assert.fail('there is an account') }
}

/** A partner notifies the gateway; returns its response. */
async function notify({ url, core }: TestGateway, from: Code, operation: string, notice: object): Promise<object> {
  const body = JSON.stringify(notice)
  const { headers } = signRequest({ secret: hidden(secretOf(from)) }, core.wall, { operation, body })
  const response = await fetch(`${url}/rails/${operation}`, { method: 'POST', body, headers })
  const text = await response.text()
  assert.equal(response.status, 200, text)
  return JSON.parse(text)
}

/** Another node that reaches no partner, so that it knows no manifest. */
const withoutManifests = (t: TestContext, { databaseUrl }: TestGateway): Promise<TestGateway> => {
  const KOBO_RAILS_URL = CODES.map((code) => `${code}=http://127.0.0.1:1`).join(',')
  return gateway(t, { env: { KOBO_RAILS_URL, KOBO_RAILS_SECRET }, databaseUrl })
}

/** The alerts so far: audit records, and metrics at the node of the last. */
async function alerts({ db, url }: TestGateway): Promise<readonly string[]> {
  const rows = await db<{ details: { partner: string; operation: string; why: string } }[]>`
    select details from audit where act = 'partner.reject' order by id`
  const metrics = await (await fetch(`${url}/metrics`)).text()
  for (const { details } of rows.slice(-1))
    assert.match(
      metrics,
      new RegExp(
        `kobo_partner_violations_total\\{partner="${details.partner}",operation="${details.operation}"\\} [1-9]`,
      ),
    )
  return rows.map(({ details: { partner, operation, why } }) => `${partner} ${operation}: ${why}`)
}

test('only the partner of an account reports its credits and asks for its name, and only what its manifest offers', async (t) => {
  const { shop, account } = await threePartners(t)
  const { bankCode, accountNumber } = account
  const credit = { railReference: 'FT1', bankCode, accountNumber, amount: 500_000 }
  const notTheirs = { kind: 'rejected', reason: 'NOT_YOUR_ACCOUNT' }
  assert.deepEqual(await notify(shop, 'providus', 'credits', credit), notTheirs)
  const unassigned = { ...credit, accountNumber: '9900000000', payer: { accountNumber: '0123456789', bankCode: '058' } }
  assert.deepEqual(await notify(shop, 'providus', 'credits', unassigned), notTheirs, 'nothing is sent to the payer')
  assert.deepEqual(await notify(shop, 'switch', 'credits', credit), { kind: 'rejected', reason: 'NOT_OFFERED' })
  assert.deepEqual(await notify(shop, 'providus', 'name-enquiry', { bankCode, accountNumber }), { kind: 'not found' })
  const [booked] = await shop.db<{ count: bigint }[]>`
    select count(*) from (select id from payment union all select id from credit_return) money`
  assert.equal(booked?.count, 0n)
  assert.deepEqual(await alerts(shop), [
    'providus credits: not its account',
    'providus credits: not its account',
    'switch credits: not in its manifest',
    'providus name-enquiry: not its account',
  ])
  const found = (await notify(shop, 'wema', 'name-enquiry', { bankCode, accountNumber })) as { readonly kind: string }
  assert.equal(found.kind, 'found')
  assert.deepEqual(await notify(shop, 'wema', 'credits', credit), { kind: 'accepted' })

  const dispute = { reference: 'CB-1', kind: 'RECALL', status: 'OPEN', paymentReference: 'FT1', amount: 100_000 }
  const notFound = { kind: 'rejected', reason: 'PAYMENT_NOT_FOUND' }
  const another = await withoutManifests(t, shop)
  assert.deepEqual(await notify(another, 'providus', 'disputes', dispute), notFound)
  assert.deepEqual((await alerts(another)).slice(4), ['providus disputes: not its payment'])
  assert.deepEqual(await notify(another, 'wema', 'disputes', dispute), { kind: 'accepted' })
})

test('only the partner that has an order reports its outcome', async (t) => {
  const { shop } = await threePartners(t)
  await transferTo(shop, '002')
  const [order] = await shop.db<{ reference: string; partner: string }[]>`
    select reference, partner from rail_order where state = 'SENT'`
  assert.equal(order?.partner, 'wema')
  const { reference } = order
  assert.deepEqual(await notify(shop, 'providus', 'outcomes', { reference }), { kind: 'not open' })
  assert.deepEqual(await alerts(shop), ['providus outcomes: not its order'])
  assert.deepEqual(await notify(shop, 'wema', 'outcomes', { reference }), { kind: 'asking' })
})

test('a partner that has used version 2 cannot go back to signatures of version 1, on any node', async (t) => {
  const { shop, account } = await threePartners(t)
  const credit = { ...account, railReference: 'FT1', amount: 500_000 }
  const first = (to: Pick<TestGateway, 'url' | 'core'>) => {
    const { bankCode, accountNumber, railReference, amount } = credit
    const body = JSON.stringify({ bankCode, accountNumber, railReference, amount })
    const headers = signedHeaders(secretOf('wema'), to.core.wall, 'credits', body)
    return fetch(`${to.url}/rails/credits`, { method: 'POST', body, headers })
  }
  assert.equal((await first(shop)).status, 401, 'its manifest is of version 2')
  const [row] = await shop.db<{ version: number }[]>`select version from partner_protocol where partner = 'wema'`
  assert.equal(row?.version, 2)
  assert.equal((await first(await withoutManifests(t, shop))).status, 401, 'it is remembered')
  assert.deepEqual([...new Set(await alerts(shop))], ['wema credits: old signature'])
})
