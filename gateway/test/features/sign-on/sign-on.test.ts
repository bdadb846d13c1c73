import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as contract from '@kobo/contract'
import { unitOfWork } from '../../../src/core/unit-of-work.ts'
import { createLink } from '../../../src/features/sign-in/index.ts'
import { aShop, gateway, type Shop } from '../../harness/gateway.ts'
import { CLIENT, logInAt, realProvider } from '../../harness/identity-providers.ts'
import { until } from '../../harness/until.ts'
import { aBrowser, anOperator, aTeamMember, type TestBrowser, type TestUser } from '../../harness/users.ts'

/** A shop with an owner, and a real provider that knows it. */
async function aTeam(t: TestContext, shop: Shop, change: object = {}, amr?: readonly string[]) {
  const owner = await aTeamMember(shop, 'owner', { secondFactor: 'fresh' })
  const { redirectUri, address } = await owner.call(contract.getSignOn, {})
  const issuer = await realProvider(t, [redirectUri], amr)
  const body = { ...CLIENT, issuer, domains: ['example.com'], isRequired: false, secondFactor: [], ...change }
  await owner.call(contract.setSignOn, { body })
  return { owner, body, code: address.split('/').at(-1) ?? '' }
}

/** Signs a user on in a browser, through the real provider. */
async function signOn(browser: TestBrowser, code: string, user: string, link?: string) {
  const { url } = await browser.call(contract.startSignOn, { body: { code, ...(link !== undefined && { link }) } })
  const { search } = await logInAt(url, user)
  return { body: { code, query: search } }
}

/** The text of a mail to a user, once it is there. */
async function mailTo(shop: Shop, to: string, subject: RegExp): Promise<string> {
  let found: string | undefined
  await until(`a mail to ${to}: ${subject}`, async () => {
    await shop.advance(1)
    found = (await shop.call(contract.readInbox, { query: { to } })).find((one) => subject.test(one.subject))?.text
    return found !== undefined
  })
  return found ?? ''
}

const anInvitation = (shop: Shop, email: string) =>
  unitOfWork(shop.core, (unit) =>
    createLink(unit, {
      kind: 'INVITATION',
      email,
      merchantId: shop.merchantId,
      role: 'support',
      at: shop.core.wall.now(),
    }),
  )

test('a member signs in through the team’s provider, found by email address and then by the provider’s own id', async (t) => {
  const shop = await aShop()
  const { code } = await aTeam(t, shop)
  const member = await aTeamMember(shop, 'support')
  for (const _ of ['by address', 'by subject']) {
    const browser = aBrowser(shop.url)
    assert.deepEqual(await browser.call(contract.finishSignOn, await signOn(browser, code, member.email)), {
      stage: 'in',
    })
    const me = await browser.call(contract.whoAmI, {})
    assert.deepEqual([me.email, me.role, me.signOn?.code], [member.email, 'support', code])
    await browser.call(contract.getHome, {})
    await browser.call(contract.signOut, {})
    await browser.rejected(401, contract.whoAmI, {})
  }
  const acts = await shop.core.db<{ act: string }[]>`
    select act from audit where merchant_id = ${shop.merchantId} and act like 'sign-%' order by id`
  assert.deepEqual(
    acts.map(({ act }) => act),
    ['sign-on.change', 'sign-on.link', 'sign-in', 'sign-out', 'sign-in', 'sign-out'],
  )
})

test('no one joins without an invitation; with one, the provider’s user gets the invited role', async (t) => {
  const shop = await aShop()
  const { code } = await aTeam(t, shop)
  const email = `new-${shop.merchantId}@example.com`
  const browser = aBrowser(shop.url)
  const stranger = await browser.rejected(403, contract.finishSignOn, await signOn(browser, code, email))
  assert.match(stranger.message, /no one with your email address/)
  const { token } = await anInvitation(shop, email)
  const look = await browser.call(contract.lookAtLink, { body: { token } })
  assert.deepEqual(look.signOn, { code, isRequired: false })
  const other = await signOn(browser, code, `other-${email}`, token)
  assert.equal((await browser.rejected(404, contract.finishSignOn, other)).code, 'LINK_NOT_VALID')
  await browser.call(contract.finishSignOn, await signOn(browser, code, email, token))
  const me = await browser.call(contract.whoAmI, {})
  assert.deepEqual([me.name, me.role, me.signOn?.isConfined], ['Ada Obi', 'support', false])
  // Mailbox and provider agree, so the new user may set up the account.
  await browser.call(contract.beginTotp, { body: {} })
  await browser.rejected(404, contract.lookAtLink, { body: { token } })
})

test('a removed member is not signed on any more, and can be invited again', async (t) => {
  const shop = await aShop()
  const { code, owner } = await aTeam(t, shop)
  const member = await aTeamMember(shop, 'support')
  const browser = aBrowser(shop.url)
  await browser.call(contract.finishSignOn, await signOn(browser, code, member.email))
  await owner.call(contract.removeMember, { params: { id: String(member.personId) } })
  await browser.rejected(401, contract.whoAmI, {})
  await browser.rejected(403, contract.finishSignOn, await signOn(browser, code, member.email))
  const { token } = await anInvitation(shop, member.email)
  await browser.call(contract.finishSignOn, await signOn(browser, code, member.email, token))
})

test('a team that requires sign-on rejects other sign-ins, except an owner’s, and mails all owners about that', async (t) => {
  const shop = await aShop()
  const { code, owner, body } = await aTeam(t, shop)
  const member = await aTeamMember(shop, 'finance')
  await member.call(contract.getHome, {})
  await owner.call(contract.setSignOn, { body: { ...body, isRequired: true } })
  assert.equal((await member.rejected(403, contract.getHome, {})).code, 'SIGN_ON_REQUIRED')
  const me = await member.call(contract.whoAmI, {})
  assert.deepEqual([me.signOn?.isNeeded, me.permissions], [true, []])
  await member.call(contract.getProfile, {}) // the account is still theirs
  await owner.call(contract.getHome, {})
  const browser = aBrowser(shop.url)
  await browser.call(contract.finishSignOn, await signOn(browser, code, member.email))
  await browser.call(contract.getHome, {})
  const { token } = await unitOfWork(shop.core, (unit) =>
    createLink(unit, { kind: 'SIGN_IN', email: owner.email, merchantId: shop.merchantId, at: shop.core.wall.now() }),
  )
  await aBrowser(shop.url).call(contract.takeLink, { body: { token } })
  await mailTo(shop, owner.email, /signed in without single sign-on/)
})

test('the provider’s second factor counts only if an owner says so, after a day or with a second owner', async (t) => {
  const shop = await gateway(t)
  const { code, owner, body } = await aTeam(t, shop, {}, ['pwd', 'mfa'])
  const approver = await aTeamMember(shop, 'finance', { approves: true })
  const second = await aTeamMember(shop, 'owner', { secondFactor: 'fresh' })
  const invite = { body: { email: 'x@example.com', role: 'viewer' } } as const
  const signedOn = async (user: TestUser) => {
    const browser = aBrowser(shop.url)
    const { stage } = await browser.call(contract.finishSignOn, await signOn(browser, code, user.email))
    return { browser, stage }
  }
  // By default our own factor is needed, at sign-in and for each sensitive action.
  assert.equal((await signedOn(owner)).stage, 'second-factor')
  await owner.call(contract.setSignOn, { body: { ...body, secondFactor: ['mfa'] } })
  assert.ok((await owner.call(contract.getSignOn, {})).settings?.secondFactorFrom, 'it waits')
  const mail = await mailTo(shop, second.email, /has changed/)
  assert.match(mail, / counts for payouts from \d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d WAT\./)
  assert.equal((await signedOn(owner)).stage, 'second-factor')
  await second.call(contract.setSignOn, { body: { ...body, secondFactor: ['mfa'] } })
  assert.equal((await owner.call(contract.getSignOn, {})).settings?.secondFactorFrom, null)
  const { browser, stage } = await signedOn(owner)
  assert.equal(stage, 'in')
  await browser.call(contract.invite, invite)
  await shop.core
    .db`update session set second_factor_at = second_factor_at - interval '1 hour' where sign_on is not null`
  assert.equal((await browser.rejected(403, contract.invite, invite)).code, 'SECOND_FACTOR_NOT_FRESH')
  const confirm = async (user: TestUser) => {
    const { url } = await browser.call(contract.confirmSignOn, {})
    assert.match(url, /prompt=login/)
    return { body: { code, query: (await logInAt(url, user.email)).search } }
  }
  assert.match((await browser.rejected(403, contract.finishSignOn, await confirm(approver))).message, /another user/)
  await browser.call(contract.finishSignOn, await confirm(owner))
  await browser.call(contract.invite, { body: { ...invite.body, email: 'y@example.com' } })
  // Another client is another provider: it waits again, and its sessions end.
  await owner.call(contract.setSignOn, { body: { ...body, clientId: 'other', secondFactor: ['mfa'] } })
  await browser.rejected(401, contract.whoAmI, {})
  assert.ok((await owner.call(contract.getSignOn, {})).settings?.secondFactorFrom, 'it waits again')
})

test('only an owner sets sign-on up, with a fresh second factor, and the secret is stored encrypted', async (t) => {
  const shop = await aShop()
  const { owner, body } = await aTeam(t, shop)
  const admin = await aTeamMember(shop, 'admin', { secondFactor: 'fresh' })
  await admin.rejected(403, contract.setSignOn, { body })
  await (await aTeamMember(shop, 'owner', { secondFactor: 'shown' })).rejected(403, contract.setSignOn, { body })
  const { clientSecret, ...stored } = body
  await owner.call(contract.setSignOn, { body: stored })
  const rows = await shop.core.db<{ row: string }[]>`
    select o::text as row from sign_on o union all select a::text from audit a union all select n::text from notice n`
  for (const { row } of rows) assert.ok(!row.includes(clientSecret), row)
  await mailTo(shop, owner.email, /Single sign-on of .* has changed/)
  await owner.call(contract.removeSignOn, {})
  await owner.rejected(404, contract.removeSignOn, {})
  await aBrowser(shop.url).rejected(404, contract.startSignOn, { body: { code: 'NOSUCHCODE' } })
})

test('the mail to someone who cannot sign in has the address of their team’s sign-on', async (t) => {
  const shop = await aShop()
  const { owner } = await aTeam(t, shop)
  await aBrowser(shop.url).call(contract.requestReset, { body: { email: owner.email } })
  const { address } = await owner.call(contract.getSignOn, {})
  assert.ok((await mailTo(shop, owner.email, /Reset/)).includes(address))
})

test('the operator’s team signs in through the provider in the configuration, and must if it says so', async (t) => {
  const url = 'http://dashboard.example'
  const issuer = await realProvider(t, [`${url}/dashboard/sign-on/operator/callback`], ['mfa'])
  const shop = await gateway(t, {
    env: {
      KOBO_DASHBOARD_URL: url,
      KOBO_OIDC_ISSUER: issuer,
      KOBO_OIDC_CLIENT_ID: CLIENT.clientId,
      KOBO_OIDC_CLIENT_SECRET: CLIENT.clientSecret,
      KOBO_OIDC_DOMAINS: 'example.com',
      KOBO_OIDC_REQUIRED: 'yes',
      KOBO_OIDC_SECOND_FACTOR: 'mfa',
    },
  })
  const operator = await anOperator(shop, 'operator')
  assert.equal((await operator.rejected(403, contract.browseOperators, { query: {} })).code, 'SIGN_ON_REQUIRED')
  const browser = aBrowser(shop.url)
  assert.deepEqual(await browser.call(contract.finishSignOn, await signOn(browser, 'operator', operator.email)), {
    stage: 'in',
  })
  await browser.call(contract.browseOperators, { query: {} })
  await browser.call(contract.createOperatorToken, {})
  const member = await aTeamMember(shop, 'owner')
  const stranger = await browser.rejected(403, contract.finishSignOn, await signOn(browser, 'operator', member.email))
  assert.match(stranger.message, /no one with your email address/)
})
