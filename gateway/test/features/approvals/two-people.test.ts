import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import * as contract from '@kobo/contract'
import { MONEY_MEANS, MONEY_OUT_SCOPES, meansRightsOf, PLACES, type Route } from '@kobo/contract'
import { approvalOf, approveWaiting, FRESH, waiting } from '../../harness/approval-samples.ts'
import { aShop, basic, client, gateway, type Shop, type TestGateway } from '../../harness/gateway.ts'
import { long } from '../../harness/long.ts'
import { daysAfter } from '../../harness/mandate-samples.ts'
import { aReservedAccount, aTransaction } from '../../harness/samples.ts'
import { until } from '../../harness/until.ts'
import { aTeamMember, type TestUser } from '../../harness/users.ts'

const DAY_SECONDS = 86_400
const NEEDED = 'SECOND_PERSON_NEEDED'
const rotate = { body: { overlapHours: 1 } }
const aKey = (scopes: readonly contract.Scope[]) => ({ body: { name: 'Mine', scopes: [...scopes] } })

const codeOf = async (person: TestUser, route: Route, input: object): Promise<string> =>
  (await person.rejected(403, route, input)).code

const aSubAccount = () => ({
  currencyCode: 'NGN',
  bankCode: '058',
  accountNumber: '0123456785',
  email: 'sub@example.com',
  defaultSplitPercentage: 50,
})

/** A gateway whose merchant has no team yet. */
async function withoutTeam(t: TestContext): Promise<TestGateway> {
  const shop = await gateway(t)
  await shop.db`delete from membership where merchant_id = ${shop.merchantId}`
  return shop
}

/** A valid request of each action that needs a second person. */
async function requestsOf(
  shop: Shop,
): Promise<Readonly<Record<string, { readonly body?: unknown; readonly params?: object }>>> {
  const [made] = await shop.call(contract.createSubAccounts, { body: [aSubAccount()] })
  const subAccountCode = made?.subAccountCode ?? ''
  const incomeSplitConfig = [{ subAccountCode, splitPercentage: 100 }]
  const account = aReservedAccount(shop)
  await shop.call(contract.reserveAccount, { body: account })
  const paycodeReference = `cash-${randomUUID()}`
  const expiryDate = daysAfter(shop.core.clock.now(), 3)
  const paycode = { beneficiaryName: 'Bola Ige', amount: 5_000, clientId: shop.credentials.apiKey }
  await shop.call(contract.createPaycode, { body: { ...paycode, paycodeReference, expiryDate } })
  return {
    'secret key: create': rotate,
    'restricted key that can move money: create': aKey(['payout.make']),
    'IP whitelist: add addresses': { body: { ipWhitelist: ['127.0.0.1', '203.0.113.7'] } },
    'sub account: create': { body: [aSubAccount()] },
    'sub account: change': { body: { subAccountCode, accountNumber: '0123456791' } },
    'payment: split (`incomeSplitConfig`)': { body: { ...aTransaction(shop), incomeSplitConfig } },
    'reserved account: split': { params: { accountReference: account.accountReference }, body: incomeSplitConfig },
    'paycode of someone else: show the code': { params: { paycodeReference } },
    'approval policy: change': { body: { freeBelow: 5_000_000, soleUpTo: 0, coversApi: false } },
  }
}

long('no role gets a way to move money out alone if the team has another approver', async (t) => {
  const shop = await withoutTeam(t)
  const requests = await requestsOf(shop)
  const approver = await aTeamMember(shop, 'finance', { ...FRESH, approves: true })
  const state = () => shop.db<object[]>`
    select (select count(*) from merchant_secret) as secrets, (select count(*) from restricted_key) as keys,
           (select string_agg(s::text, ' ' order by s.id) from sub_account s) as sub_accounts,
           (select ip_whitelist from merchant where id = ${shop.merchantId}) as addresses,
           (select count(*) from approval_policy_change) as policies,
           (select count(*) from transaction) as transactions`
  const before = [...(await state())]
  for (const place of PLACES.filter(({ role }) => role !== 'finance')) {
    const person = await aTeamMember(shop, place.role, { ...FRESH, approves: place.approves })
    for (const means of MONEY_MEANS.filter(({ gate }) => gate === 'second person')) {
      const input = requests[means.action] ?? assert.fail(`${means.action} has a request`)
      const { requests: makes } = meansRightsOf(place, means)
      const code = await codeOf(person, means.route, input)
      assert.equal(code === NEEDED, makes, `${place.name}: ${means.action}: ${code}`)
    }
    for (const one of (await approver.call(contract.listApprovals, { query: {} })).requests)
      assert.equal((await person.send(contract.approve, approvalOf(one))).status, 403, `${place.name} ${one.recipient}`)
    await shop.db`delete from membership where person_id = ${person.personId}`
    await shop.db`update approval_request set ended_at = now()`
  }
  assert.deepEqual([...(await state())], before, 'nothing has changed')
})

test('every action that gives a way to move money out is in the table, and no cell lets one user use it alone', () => {
  const routes = [...contract.ROUTES, ...contract.DASHBOARD_ROUTES].map(({ route }): Route => route)
  const powers: readonly unknown[] = ['keys.manage', 'terms.manage', 'team.manage', 'sign-on.manage']
  const known = new Set<Route>(MONEY_MEANS.map(({ route }) => route))
  const harmless = new Set<Route>([
    contract.deleteSubAccount,
    contract.deleteSubAccountByQuery,
    contract.withdrawInvitation,
    contract.keepMember,
    contract.setCashiers, // a cashier moves no money
    contract.chooseCompanyMails, // of topics that need attention; security notices have none
    contract.removeSignOn,
    contract.approvePolicyChange, // of another owner
    contract.withdrawPolicyChange,
  ])
  const isMeans = (route: Route): boolean =>
    route.twoPeople !== undefined || (route.method !== 'GET' && powers.includes(route.person))
  assert.deepEqual(
    routes.filter((route) => isMeans(route) && !known.has(route) && !harmless.has(route)).map(({ path }) => path),
    [],
  )
  for (const means of MONEY_MEANS) {
    const { route, gate, action } = means
    assert.equal(gate === 'second person', contract.twoPeopleOf(route) !== undefined, action)
    assert.ok(route.fresh === true || route === contract.initTransaction, action)
    for (const place of PLACES) {
      const { requests, approves, alone } = meansRightsOf(place, means)
      const isOwnTeam = alone === 'as the sole approver' && requests && approves
      const isSlow = alone === 'after a day, unless an owner stops it' && gate === 'a day'
      assert.ok(alone === 'no' || isOwnTeam || isSlow, `${place.name}: ${action}`)
    }
  }
  const scopes: readonly unknown[] = MONEY_OUT_SCOPES
  for (const { route, action } of [...contract.MONEY_OUT, ...MONEY_MEANS]) {
    const scope = contract.scopeOf(route)
    const isOfApi = contract.ROUTES.some((one) => one.route === route)
    if (isOfApi && route !== contract.initTransaction && route !== contract.changeMerchantSettings)
      assert.ok(scopes.includes(scope), `a key for ${action} needs two people`)
  }
})

test('a secret key that one owner requests exists once another has approved it and the first repeats it', async () => {
  const shop = await aShop()
  const [ada, ben] = [await aTeamMember(shop, 'owner', FRESH), await aTeamMember(shop, 'owner', FRESH)]
  assert.equal(await codeOf(ada, contract.rotateKey, rotate), NEEDED)
  assert.equal(await codeOf(ada, contract.rotateKey, rotate), NEEDED, 'again, without a second request')
  const request = await waiting(ben)
  assert.deepEqual(
    [request.kind, request.recipient, request.narration, request.madeBy],
    ['ACTION', 'Create a secret key', 'overlapHours: 1', 'Test owner'],
  )
  assert.equal(await codeOf(ada, contract.approve, approvalOf(request)), 'OWN_REQUEST')
  assert.equal((await ben.call(contract.approve, approvalOf(request))).status, 'APPROVED')
  assert.equal((await ada.call(contract.getKeys, {})).secretKeys.length, 1, 'an approval alone creates no key')
  const other = { body: { overlapHours: 0 } }
  assert.equal(await codeOf(ada, contract.rotateKey, other), NEEDED, 'another request')
  assert.equal(await codeOf(ben, contract.rotateKey, rotate), NEEDED, 'another user')
  const { secretKey } = await ada.call(contract.rotateKey, rotate)
  await client(shop.url, { ...shop.credentials, secretKey })
  assert.equal(await codeOf(ada, contract.rotateKey, rotate), NEEDED, 'once')
  const acts = await shop.db<{ act: string }[]>`
    select act from audit where merchant_id = ${shop.merchantId} and (act like 'action.%' or act like 'payout.%' or act = 'secret.rotate') order by id`
  assert.deepEqual(acts.map(({ act }) => act).slice(0, 6), [
    'action.request',
    'payout.approve',
    'action.request',
    'action.request',
    'action.use',
    'secret.rotate',
  ])
})

test('two requests at the same time use one approval once', async () => {
  const shop = await aShop()
  const [ada, ben] = [await aTeamMember(shop, 'owner', FRESH), await aTeamMember(shop, 'owner', FRESH)]
  await codeOf(ada, contract.rotateKey, rotate)
  await approveWaiting(ben)
  const responses = await Promise.all([1, 2, 3, 4].map(() => ada.send(contract.rotateKey, rotate)))
  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 403, 403, 403])
})

test('a rejected or late action does not happen', async (t) => {
  const shop = await gateway(t)
  const [ada, ben] = [await aTeamMember(shop, 'owner', FRESH), await aTeamMember(shop, 'owner', FRESH)]
  const key = aKey(['refund.make', 'money.read'])
  await codeOf(ada, contract.createRestrictedKey, key)
  const { id } = await waiting(ben)
  await ben.call(contract.reject, { params: { id }, body: { reason: 'No' } })
  assert.equal(await codeOf(ada, contract.createRestrictedKey, key), NEEDED)
  const late = approvalOf(await waiting(ben))
  await shop.advance(DAY_SECONDS)
  assert.equal((await ben.rejected(422, contract.approve, late)).code, 'APPROVAL_NOT_WAITING')
  assert.equal(await codeOf(ada, contract.createRestrictedKey, key), NEEDED)
  await approveWaiting(ben)
  await shop.advance(DAY_SECONDS + 1)
  assert.equal(await codeOf(ada, contract.createRestrictedKey, key), NEEDED, 'the approval is a day old')
  assert.equal((await shop.db`select from restricted_key`).count, 0)
})

test('keys that cannot move money, and fewer addresses, need no second person', async () => {
  const shop = await aShop()
  const [ada] = [await aTeamMember(shop, 'owner', FRESH), await aTeamMember(shop, 'owner', FRESH)]
  for (const scope of contract.SCOPES) {
    const { status } = await ada.send(contract.createRestrictedKey, aKey([scope]))
    assert.equal(status, (MONEY_OUT_SCOPES as readonly string[]).includes(scope) ? 403 : 200, scope)
  }
  const { ipWhitelist } = await ada.call(contract.getMerchantSettings, {})
  await ada.call(contract.changeMerchantSettings, { body: { ipWhitelist: ipWhitelist.slice(0, 1) } })
  const wider = { body: { ipWhitelist: [...ipWhitelist, '198.51.100.9'] } }
  assert.equal(await codeOf(ada, contract.changeMerchantSettings, wider), NEEDED)
  assert.equal(await codeOf(ada, contract.changeMerchantSettings, { body: { ipWhitelist: null } }), NEEDED)
  await ada.call(contract.changeMerchantSettings, { body: { lowBalanceThreshold: 100 } })
})

test('a restricted key does not change the addresses from which it works', async () => {
  const shop = await aShop()
  const developer = await aTeamMember(shop, 'developer', FRESH)
  const { secretKey } = await developer.call(contract.createRestrictedKey, aKey(['developer.manage']))
  const server = await client(shop.url, { ...shop.credentials, secretKey })
  for (const ipWhitelist of [['0.0.0.0/0'], null]) {
    const refused = await server.rejected(403, contract.changeMerchantSettings, { body: { ipWhitelist } })
    assert.equal(refused.code, 'SCOPE_MISSING')
  }
  await server.call(contract.changeMerchantSettings, { body: { lowBalanceThreshold: 100 } })
})

test('a team’s only approver acts alone, but not right after they removed the other', async (t) => {
  const shop = await withoutTeam(t)
  const ada = await aTeamMember(shop, 'owner', FRESH)
  const ben = await aTeamMember(shop, 'finance', { ...FRESH, approves: true })
  assert.equal(await codeOf(ada, contract.rotateKey, rotate), NEEDED)
  await ada.call(contract.removeMember, { params: { id: String(ben.personId) } })
  assert.equal(await codeOf(ada, contract.rotateKey, rotate), NEEDED, 'the day of the removal')
  await shop.advance(DAY_SECONDS + 1)
  await ada.call(contract.rotateKey, rotate)
})

test('an owner alone changes the approval policy only with another approver, if there is one', async (t) => {
  const shop = await withoutTeam(t)
  const ada = await aTeamMember(shop, 'owner', FRESH)
  const approver = await aTeamMember(shop, 'finance', { ...FRESH, approves: true })
  const loose = { body: { freeBelow: 50_000_000, soleUpTo: 0, coversApi: false } }
  assert.equal(await codeOf(ada, contract.changeApprovalPolicy, loose), NEEDED)
  await shop.advance(2 * DAY_SECONDS)
  assert.equal((await ada.call(contract.getApprovalPolicy, {})).policy.freeBelow, 0)
  assert.equal(await codeOf(ada, contract.changeApprovalPolicy, loose), NEEDED)
  await approveWaiting(approver)
  await ada.call(contract.changeApprovalPolicy, loose)
  await shop.advance(DAY_SECONDS + 1)
  await until('it counts', async () => (await ada.call(contract.getApprovalPolicy, {})).policy.freeBelow === 50_000_000)
})

test('the code of a paycode is shown to an approver who did not create it only with a second person', async () => {
  const shop = await aShop()
  const [ada, ben] = [await aTeamMember(shop, 'owner', FRESH), await aTeamMember(shop, 'owner', FRESH)]
  const paycodeReference = `cash-${randomUUID()}`
  const expiryDate = daysAfter(shop.core.clock.now(), 3)
  const body = { beneficiaryName: 'Bola Ige', amount: 5_000, paycodeReference, expiryDate }
  await shop.call(contract.createPaycode, { body: { ...body, clientId: shop.credentials.apiKey } })
  const reveal = { params: { paycodeReference } }
  assert.equal(await codeOf(ada, contract.revealPaycode, reveal), NEEDED)
  await approveWaiting(ben)
  assert.match((await ada.call(contract.revealPaycode, reveal)).paycode, /^\d{8}$/)
  assert.match((await shop.call(contract.revealPaycode, reveal)).paycode, /^\d{8}$/, 'the server itself needs no one')
})

test('an existing key keeps working while a new one waits', async () => {
  const shop = await aShop()
  const [ada] = [await aTeamMember(shop, 'owner', FRESH), await aTeamMember(shop, 'owner', FRESH)]
  await codeOf(ada, contract.rotateKey, rotate)
  const login = { headers: { authorization: basic(shop.credentials) } }
  assert.equal((await shop.send('POST', contract.login.path, login)).status, 200)
  const paycodeReference = `cash-${randomUUID()}`
  const expiryDate = daysAfter(shop.core.clock.now(), 3)
  const body = { beneficiaryName: 'Bola Ige', amount: 5_000, paycodeReference, expiryDate }
  const { paycode } = await shop.call(contract.createPaycode, {
    body: { ...body, clientId: shop.credentials.apiKey },
  })
  assert.match(paycode, /^\d{8}$/, 'at once, as before')
})
