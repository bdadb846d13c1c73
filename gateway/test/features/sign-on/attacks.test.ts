import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { aShop, gateway, type Shop } from '../../harness/gateway.ts'
import { CLIENT, type RogueProvider, rogueProvider } from '../../harness/identity-providers.ts'
import { slow } from '../../harness/slow.ts'
import { aBrowser, aTeamMember, type TestUser } from '../../harness/users.ts'

/** A shop whose team signs in through a provider that a test controls. */
async function aTeam(t: Parameters<typeof rogueProvider>[0], shop: Shop) {
  const rogue = await rogueProvider(t)
  const owner = await aTeamMember(shop, 'owner', { secondFactor: 'fresh' })
  await owner.call(contract.setSignOn, { body: settingsOf(rogue) })
  const member = await aTeamMember(shop, 'support')
  rogue.claims = { email: member.email, email_verified: true }
  return { rogue, owner, member, code: await codeOf(owner) }
}

const settingsOf = ({ issuer }: RogueProvider, change: object = {}) => ({
  ...CLIENT,
  issuer,
  domains: ['example.com'],
  isRequired: false,
  secondFactor: [],
  ...change,
})

const codeOf = async (user: TestUser): Promise<string> =>
  (await user.call(contract.whoAmI, {})).merchant?.code ?? assert.fail('the user has a team')

type Forge = (rogue: RogueProvider, shop: Shop, member: TestUser) => unknown

/** Attacks on the provider's answer, and the reason that each is rejected with. */
const FORGED: readonly (readonly [what: string, forge: Forge, reason: RegExp])[] = [
  ['of another sign-on (nonce)', ({ claims }) => Object.assign(claims, { nonce: 'other' }), /nonce/],
  ['for another client (audience)', ({ claims }) => Object.assign(claims, { aud: 'other' }), /aud/],
  ['by another issuer', ({ claims }) => Object.assign(claims, { iss: 'http://localhost:1' }), /iss/],
  ['that has expired', ({ claims }) => Object.assign(claims, { exp: 1_700_000_000 }), /exp/],
  ['without a signature', (rogue) => Object.assign(rogue, { signing: 'none' }), /alg|signature|JWS/i],
  [
    'with the public key as HS256 secret',
    (rogue) => Object.assign(rogue, { signing: 'HS256 with the public key' }),
    /alg/,
  ],
  ['signed by another key', (rogue) => Object.assign(rogue, { signing: 'with another key' }), /signature/],
  ['without a verified address', ({ claims }) => Object.assign(claims, { email_verified: false }), /verified/],
  ['that says "true" in a text', ({ claims }) => Object.assign(claims, { email_verified: 'true' }), /verified/],
  [
    'of a member’s address in a domain that is not allowed',
    async ({ claims }, { core: { db } }, { personId }) => {
      const email = `${personId}@evil.example`
      await db`update person set email = ${email}, email_key = ${email} where id = ${personId}`
      Object.assign(claims, { email })
    },
    /evil/,
  ],
  [
    'of a user who is in another team only',
    async ({ claims }) => Object.assign(claims, { email: (await aTeamMember(await aShop(), 'owner')).email }),
    /no one/,
  ],
]

for (const [what, forge, reason] of FORGED)
  test(`an ID token ${what} is rejected, and audited`, async (t) => {
    const shop = await aShop()
    const { rogue, owner, member, code } = await aTeam(t, shop)
    await forge(rogue, shop, member)
    const browser = aBrowser(shop.url)
    const error = await browser.rejected(403, contract.finishSignOn, await rogue.signOn(browser, code))
    assert.equal(error.code, 'SIGN_ON_REJECTED')
    assert.match(error.message, reason)
    await browser.rejected(401, contract.whoAmI, {})
    const [row] = await shop.core.db<{ act: string }[]>`
      select act from audit where merchant_id = ${shop.merchantId} and act = 'sign-on.refused'`
    assert.ok(row !== undefined)
    await owner.call(contract.whoAmI, {})
  })

test('a provider’s response works once, and only in the browser that started', async (t) => {
  const shop = await aShop()
  const { rogue, code } = await aTeam(t, shop)
  const browser = aBrowser(shop.url)
  const response = await rogue.signOn(browser, code)
  const other = aBrowser(shop.url)
  const rejected = await other.rejected(403, contract.finishSignOn, response)
  assert.match(rejected.message, /not started in this browser/)
  await rogue.signOn(other, code)
  assert.match((await other.rejected(403, contract.finishSignOn, response)).message, /state/)
  const older = browser.cookies.get('kobo-sign-on') ?? assert.fail('the browser has a token')
  const last = await rogue.signOn(browser, code)
  const token = browser.cookies.get('kobo-sign-on') ?? assert.fail('the browser has a token')
  await browser.call(contract.finishSignOn, last)
  browser.cookies.set('kobo-sign-on', token)
  assert.match((await browser.rejected(403, contract.finishSignOn, last)).message, /not started/, 'it is used up')
  browser.cookies.set('kobo-sign-on', older)
  assert.match((await browser.rejected(403, contract.finishSignOn, last)).message, /state/)
})

test('a response for one team signs in to no other, and one with another issuer to none', async (t) => {
  const [shop, victim] = [await aShop(), await aShop()]
  const own = await aTeam(t, shop)
  const theirs = await aTeam(t, victim)
  const browser = aBrowser(shop.url)
  const { body } = await own.rogue.signOn(browser, own.code)
  const mixedUp = { body: { ...body, code: theirs.code } }
  assert.match((await browser.rejected(403, contract.finishSignOn, mixedUp)).message, /not started/)
  assert.ok(!theirs.rogue.requested.includes('/token'), 'the code is not sent to the other provider')
  const again = await own.rogue.signOn(browser, own.code)
  const query = `${again.body.query}&iss=${encodeURIComponent(theirs.rogue.issuer)}`
  const other = await browser.rejected(403, contract.finishSignOn, { body: { ...again.body, query } })
  assert.match(other.message, /iss/)
})

test('a provider opens its own team and nothing else of the user', async (t) => {
  const [shop, victim] = [await aShop(), await aShop()]
  const { rogue, member, code } = await aTeam(t, shop)
  const at = shop.core.wall.now()
  await shop.core.db`
    insert into membership (merchant_id, person_id, role, created_at)
    values (${victim.merchantId}, ${member.personId}, 'owner', ${at})`
  const [other] = await shop.core.db<{ code: string }[]>`select code from merchant where id = ${victim.merchantId}`
  const browser = aBrowser(shop.url)
  await browser.call(contract.finishSignOn, await rogue.signOn(browser, code))
  await browser.call(contract.getHome, {})
  assert.deepEqual((await browser.call(contract.whoAmI, {})).signOn?.isConfined, true)
  for (const [route, input] of [
    [contract.chooseTeam, { body: { code: other?.code ?? '' } }],
    [contract.getProfile, {}],
    [contract.beginTotp, { body: {} }],
    [contract.beginPasskey, {}],
    [contract.changeProfile, { body: { name: 'Eve' } }],
    [contract.endOtherSessions, {}],
  ] as const)
    assert.equal((await browser.rejected(403, route, input)).code, 'OWN_SIGN_IN_NEEDED')
  assert.equal(browser.cookies.get('kobo-device'), undefined, 'the browser does not become known')
})

test('another user of the provider with the same email address does not become the member', async (t) => {
  const shop = await aShop()
  const { rogue, code } = await aTeam(t, shop)
  const browser = aBrowser(shop.url)
  await browser.call(contract.finishSignOn, await rogue.signOn(browser, code))
  rogue.claims = { ...rogue.claims, sub: 'someone else' }
  const other = aBrowser(shop.url)
  assert.match(
    (await other.rejected(403, contract.finishSignOn, await rogue.signOn(other, code))).message,
    /another user/,
  )
  // The member is found by the provider's subject, whatever their email address is there now.
  rogue.claims = { sub: 'ada', email: 'new@elsewhere.example', email_verified: false }
  await other.call(contract.finishSignOn, await rogue.signOn(other, code))
})

test('an issuer is rejected if its response is too long, if it is no provider, or if it sends browsers to a script', async (t) => {
  const shop = await aShop()
  const rogue = await rogueProvider(t)
  const owner = await aTeamMember(shop, 'owner', { secondFactor: 'fresh' })
  const set = async (): Promise<string> =>
    (await owner.rejected(400, contract.setSignOn, { body: settingsOf(rogue) })).message
  rogue.metadata = { padding: 'x'.repeat(300_000) }
  assert.match(await set(), /issuer .*JSON/)
  rogue.metadata = { issuer: 'http://localhost:1' }
  assert.match(await set(), /issuer/)
  rogue.metadata = { authorization_endpoint: 'javascript:alert(1)' }
  assert.match(await set(), /authorization endpoint/)
  assert.equal((await owner.call(contract.getSignOn, {})).settings, null)
})

slow('a provider that does not respond is given up', async (t) => {
  const shop = await aShop()
  const { rogue, code } = await aTeam(t, shop)
  rogue.handlers['/token'] = () => {} // it never responds
  const browser = aBrowser(shop.url)
  const error = await browser.rejected(503, contract.finishSignOn, await rogue.signOn(browser, code))
  assert.match(error.message, /no response within 5 s/)
})

test('an issuer in a private network is not contacted if webhooks may not be sent there', async (t) => {
  const shop = await gateway(t, { env: { KOBO_PRIVATE_RECEIVERS: 'no' } })
  const rogue = await rogueProvider(t)
  const owner = await aTeamMember(shop, 'owner', { secondFactor: 'fresh' })
  const error = await owner.rejected(400, contract.setSignOn, { body: settingsOf(rogue) })
  assert.match(error.message, /public internet/)
  assert.deepEqual(rogue.requested, [])
})
