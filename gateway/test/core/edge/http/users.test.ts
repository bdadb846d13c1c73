import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import {
  CSRF_HEADER,
  DASHBOARD_ROUTES,
  inDashboard,
  OPERATOR_ROLE_PERMISSIONS,
  OPERATOR_ROLES,
  pathOf,
  permissionsOfRole,
  ROLES,
  ROUTES,
  type Route,
} from '@kobo/contract'
import { endSessions, updateMembership } from '../../../../src/core/sessions/index.ts'
import { unitOfWork } from '../../../../src/core/unit-of-work.ts'
import { aShop, gateway, type Shop } from '../../../harness/gateway.ts'
import { long } from '../../../harness/long.ts'
import { checkFailure, checkRefusal } from '../../../harness/responses.ts'
import { aTransaction } from '../../../harness/samples.ts'
import { anOperator, aTeamMember, OWN_PAGE, type TestUser } from '../../../harness/users.ts'

/** Every route that users may call, as it is served to them. */
const FOR_PEOPLE: readonly { readonly name: string; readonly route: Route }[] = [
  ...ROUTES.filter(({ route }) => route.person !== undefined).map(({ name, route }) => ({
    name,
    route: inDashboard<Route>(route),
  })),
  ...DASHBOARD_ROUTES.filter(({ route }) => route.access === 'person'),
]

const inVain = ({ path }: Route): object => ({
  params: Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, '0'])),
  body: {},
})

/** Calls a route with an empty request; returns the status and the error's name. */
async function tryOut(person: TestUser, route: Route): Promise<string> {
  const { body, ...rest } = inVain(route) as { readonly body: object }
  const response = await person.send(route, {
    ...rest,
    ...(route.method === 'GET' || route.method === 'DELETE' ? {} : { body }),
  })
  return response.status === 200 ? 'done' : checkRefusal(route, response).code
}

/** Every role with a user to try it: of a merchant, with and without the approver flag, and of the operator. */
const EVERYBODY: readonly {
  readonly who: string
  readonly may: ReadonlySet<unknown>
  readonly make: (shop: Shop) => Promise<TestUser>
}[] = [
  ...ROLES.flatMap((role) =>
    [false, true].map((approves) => ({
      who: `${role}${approves ? ' who approves' : ''}`,
      may: new Set<unknown>(permissionsOfRole(role, approves)),
      make: (shop: Shop) => aTeamMember(shop, role, { secondFactor: 'fresh', approves }),
    })),
  ),
  ...OPERATOR_ROLES.map((role) => ({
    who: role,
    may: new Set<unknown>(OPERATOR_ROLE_PERMISSIONS[role]),
    make: (shop: Shop) => anOperator(shop, role),
  })),
]

long('each role reaches the routes that it has permission for, and is rejected by all others', async () => {
  const shop = await aShop()
  await shop.call(contract.changeSettings, { body: { permissions: { bills: true } } })
  const routes = FOR_PEOPLE.filter(({ route }) => typeof route.person === 'string')
  await Promise.all(
    EVERYBODY.map(async ({ who, may, make }) => {
      const person = await make(shop)
      for (const { name, route } of routes) {
        const outcome = await tryOut(person, route)
        assert.equal(outcome === 'ROLE_NOT_ALLOWED', !may.has(route.person), `${who} ${name}: ${outcome}`)
      }
    }),
  )
})

test('a route of the API does the same for a user, and the audit log names the user', async () => {
  const shop = await aShop()
  const person = await aTeamMember(shop, 'support')
  const body = aTransaction(shop)
  const { transactionReference } = await person.call(contract.initTransaction, { body })
  await shop.call(contract.getTransaction, { params: { transactionReference } })
  const records = await shop.db<{ act: string; name: string; reference: string }[]>`
    select act, name, reference from audit where merchant_id = ${shop.merchantId} and actor = ${`person/${person.personId}`}`
  assert.deepEqual(
    records.map(({ act, name, reference }) => [act, name, reference]),
    [[`POST ${contract.initTransaction.path}`, person.email, body.paymentReference]],
  )
})

test('an audited action is recorded once under the user’s name, and so is a rejected one', async () => {
  const shop = await aShop()
  const owner = await aTeamMember(shop, 'owner', { secondFactor: 'fresh' })
  await owner.call(contract.changeMerchantSettings, { body: { lowBalanceThreshold: 100 } })
  const [made] = await owner.call(contract.createSubAccounts, {
    body: [
      {
        currencyCode: 'NGN',
        accountNumber: '0123456789',
        bankCode: '058',
        email: 'a@example.com',
        defaultSplitPercentage: 10,
      },
    ],
  })
  const subAccountCode = made?.subAccountCode ?? ''
  await owner.call(contract.deleteSubAccount, { params: { subAccountCode } })
  await owner.rejected(404, contract.deleteSubAccount, { params: { subAccountCode } })
  const records = await shop.db<{ act: string; name: string }[]>`
    select act, name from audit
     where merchant_id = ${shop.merchantId} and actor = ${`person/${owner.personId}`} order by id`
  assert.deepEqual(
    records.map(({ act, name }) => [act, name]),
    [
      ['settings.change', owner.email],
      ['sub-account.create', owner.email],
      ['sub-account.delete', owner.email],
      [`DELETE ${contract.deleteSubAccount.path}`, owner.email],
    ],
  )
})

test('a missing, expired or guessed session opens nothing', async () => {
  const shop = await aShop()
  const person = await aTeamMember(shop, 'owner')
  for (const cookie of ['', 'kobo=', 'kobo=guessed', 'other=1; kobo="x"', `kobo=${'x'.repeat(5_000)}`]) {
    const response = await person.send(contract.whoAmI, {}, { cookie })
    assert.equal(response.status, 401)
    assert.equal(checkRefusal(contract.whoAmI, response).code, 'NOT_SIGNED_IN')
  }
  await person.call(contract.whoAmI, {})
  await unitOfWork(shop.core, ({ tx }) => endSessions(tx, { personId: person.personId }, shop.core.wall.now()))
  assert.equal((await person.rejected(401, contract.whoAmI, {})).code, 'NOT_SIGNED_IN')
})

test('an access token opens no route of the dashboard, and a session no route of the API', async () => {
  const shop = await aShop()
  const person = await aTeamMember(shop, 'owner')
  const { path } = inDashboard(contract.listBanks)
  assert.equal(checkFailure(await shop.send('GET', path)).code, 'NOT_SIGNED_IN')
  const { cookie } = { cookie: 'kobo=anything' }
  const response = await shop.send('GET', contract.listBanks.path, { headers: { cookie, authorization: '' } })
  assert.equal(checkFailure(response).code, 'MISSING_TOKEN')
  await person.call(contract.listBanks, {})
})

test('a session without its second factor can do nothing but provide it', async () => {
  const shop = await aShop()
  const person = await aTeamMember(shop, 'owner', { secondFactor: 'not shown' })
  for (const { name, route } of FOR_PEOPLE.filter(({ route }) => route.stage !== 'second-factor'))
    assert.equal(await tryOut(person, route), 'SECOND_FACTOR_NEEDED', name)
  const { stage, merchant, permissions } = await person.call(contract.whoAmI, {})
  assert.deepEqual({ stage, merchant, permissions }, { stage: 'second-factor', merchant: null, permissions: [] })
})

test('an action that needs confirmation requires a fresh second factor', async () => {
  const shop = await aShop()
  const shown = await aTeamMember(shop, 'owner', { secondFactor: 'shown' })
  const none = await aTeamMember(shop, 'owner')
  const fresh = await aTeamMember(shop, 'owner', { secondFactor: 'fresh' })
  const input = { query: { subAccountCode: 'KOBO_SUB_NONE' } }
  assert.equal((await shown.rejected(403, contract.deleteSubAccountByQuery, input)).code, 'SECOND_FACTOR_NOT_FRESH')
  assert.equal((await none.rejected(403, contract.deleteSubAccountByQuery, input)).code, 'SECOND_FACTOR_MISSING')
  assert.equal((await fresh.rejected(404, contract.deleteSubAccountByQuery, input)).code, 'UNKNOWN_SUB_ACCOUNT')
})

test('in live mode no one signs in without a second factor, and a cookie counts only under its protected name', async (t) => {
  const live = await gateway(t, { env: { KOBO_ENVIRONMENT: 'live' } })
  const owner = await aTeamMember(live, 'owner')
  assert.equal((await owner.call(contract.whoAmI, {})).stage, 'enrolment')
  for (const { name, route } of FOR_PEOPLE.filter(({ route }) => route.stage === undefined))
    assert.ok(
      route.environment === 'sandbox' || (await tryOut(owner, route)) === 'SECOND_FACTOR_MISSING',
      `${name} accepts a session without a second factor`,
    )
  const unguarded = owner.cookie.replace('__Host-', '')
  const response = await owner.send(contract.whoAmI, {}, { cookie: unguarded })
  assert.equal(checkRefusal(contract.whoAmI, response).code, 'NOT_SIGNED_IN')
})

test('a page of another site changes nothing, with the cookie or without the CSRF token', async () => {
  const shop = await aShop()
  const person = await aTeamMember(shop, 'owner')
  const { csrf } = await person.call(contract.whoAmI, {})
  const route = contract.initTransaction
  const attempt = async (headers: Record<string, string>): Promise<string> => {
    const response = await person.send(route, { body: aTransaction(shop) }, headers)
    return response.status === 200 ? 'done' : checkRefusal(inDashboard(route), response).code
  }
  const own = { origin: shop.url, [CSRF_HEADER]: csrf }
  assert.equal(await attempt({ ...OWN_PAGE, [CSRF_HEADER]: csrf }), 'done')
  assert.equal(await attempt(own), 'done', 'a browser too old for Sec-Fetch-Site names our own origin')
  assert.equal(await attempt({ ...own, origin: 'https://evil.example' }), 'CROSS_SITE')
  assert.equal(await attempt({ ...own, 'sec-fetch-site': 'cross-site' }), 'CROSS_SITE')
  assert.equal(await attempt({ ...own, 'sec-fetch-site': 'same-site' }), 'CROSS_SITE')
  assert.equal(await attempt({ [CSRF_HEADER]: csrf }), 'CROSS_SITE', 'neither of the two')
  assert.equal(await attempt(OWN_PAGE), 'CROSS_SITE', 'without the token')
  assert.equal(await attempt({ ...OWN_PAGE, [CSRF_HEADER]: `${csrf}x` }), 'CROSS_SITE')
})

test('a revoked role or merchant permission takes effect with the next request', async () => {
  const shop = await aShop()
  const person = await aTeamMember(shop, 'finance')
  await person.call(contract.getWalletBalance, { query: { accountNumber: shop.credentials.walletAccountNumber } })
  const { personId } = person
  const { merchantId } = shop
  await unitOfWork(shop.core, ({ tx }) => updateMembership(tx, { merchantId, personId }, { role: 'support' }))
  const query = { accountNumber: shop.credentials.walletAccountNumber }
  assert.equal((await person.rejected(403, contract.getWalletBalance, { query })).code, 'ROLE_NOT_ALLOWED')
  await shop.call(contract.changeSettings, { body: { permissions: { transfers: false } } })
  assert.equal((await person.rejected(403, contract.listTransfers, {})).code, 'TRANSFERS_NOT_PERMITTED')
})

test('a user sees nothing of another merchant, and an operator’s session belongs to no team', async () => {
  const [shop, other] = [await aShop(), await aShop()]
  const person = await aTeamMember(shop, 'owner')
  const { transactionReference } = await other.call(contract.initTransaction, { body: aTransaction(other) })
  await person.rejected(404, contract.getTransaction, { params: { transactionReference } })
  const operator = await anOperator(shop, 'operator')
  assert.equal((await operator.rejected(403, contract.listInvoices, {})).code, 'ROLE_NOT_ALLOWED')
  const { role, merchant } = await operator.call(contract.whoAmI, {})
  assert.deepEqual({ role, merchant }, { role: 'operator', merchant: null })
})

test('an Idempotency-Key belongs to one user: a colleague’s same key is another request', async () => {
  const shop = await aShop()
  const [ada, ben] = [await aTeamMember(shop, 'support'), await aTeamMember(shop, 'support')]
  const attempt = async (person: TestUser, paymentReference: string) => {
    const { csrf } = await person.call(contract.whoAmI, {})
    const headers = { ...OWN_PAGE, [CSRF_HEADER]: csrf, 'idempotency-key': 'the same' }
    return person.send(contract.initTransaction, { body: aTransaction(shop, { paymentReference }) }, headers)
  }
  const first = await attempt(ada, 'first')
  assert.equal((await attempt(ada, 'first')).text, first.text)
  assert.equal((await attempt(ada, 'second')).status, 422)
  assert.equal((await attempt(ben, 'second')).status, 200)
})

test('the paths for users are separate from those of the API', () => {
  const paths = FOR_PEOPLE.map(({ route }) => `${route.method} ${pathOf(route.path.replace(/:/g, ''))}`)
  assert.deepEqual([...new Set(paths)], paths)
})
