import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { aShop, gateway, type Shop } from '../../harness/gateway.ts'
import { aBrowser, aTeamMember } from '../../harness/users.ts'

const FRESH = { secondFactor: 'fresh' } as const

/** The token of the newest invitation that was mailed to an address. */
async function mailedTo(shop: Shop, to: string): Promise<string> {
  const [mail] = await shop.call(contract.readInbox, { query: { to } })
  return /#(\S+)/.exec(mail?.text ?? '')?.[1] ?? assert.fail('there is a mail')
}

test('an owner invites a member, who joins by mail with the given role', async () => {
  const shop = await aShop()
  const owner = await aTeamMember(shop, 'owner', FRESH)
  const email = `fin-${shop.merchantId}@example.com`
  await owner.call(contract.invite, { body: { email, role: 'finance', approves: true } })
  assert.deepEqual(
    (await owner.call(contract.getTeam, {})).invitations.map((one) => [one.email, one.role, one.approves]),
    [[email, 'finance', true]],
  )
  const browser = aBrowser(shop.url)
  const token = await mailedTo(shop, email)
  const { kind, merchant, role, isKnown } = await browser.call(contract.lookAtLink, { body: { token } })
  assert.deepEqual([kind, merchant, role, isKnown], ['INVITATION', 'Demo Shop', 'finance', false])
  await browser.call(contract.takeLink, { body: { token, name: 'Fin', password: 'correct horse' } })
  const me = await browser.call(contract.whoAmI, {})
  assert.ok(me.role === 'finance' && me.permissions.includes('payout.approve'))
  const { members, invitations } = await owner.call(contract.getTeam, {})
  assert.deepEqual(members.map((one) => [one.role, one.isYou]).sort(), [
    ['finance', false],
    ['owner', true],
  ])
  assert.deepEqual(invitations, [])
  assert.equal((await owner.refused(422, contract.invite, { body: { email, role: 'viewer' } })).code, 'ALREADY_IN_TEAM')
})

test('an existing user joins another team with their password', async () => {
  const [shop, other] = [await aShop(), await aShop()]
  const email = `both-${shop.merchantId}@example.com`
  const browser = aBrowser(shop.url)
  for (const one of [shop, other]) {
    const owner = await aTeamMember(one, 'owner', FRESH)
    await owner.call(contract.invite, { body: { email, role: 'support' } })
  }
  const first = { token: await mailedTo(shop, email), name: 'Bo', password: 'correct horse' }
  await browser.call(contract.takeLink, { body: first })
  const token = await mailedTo(other, email)
  assert.equal((await browser.call(contract.lookAtLink, { body: { token } })).isKnown, true)
  await aBrowser(shop.url).refused(401, contract.takeLink, { body: { token, password: 'some other one' } })
  await browser.call(contract.takeLink, { body: { token, password: 'correct horse' } })
  const { teams } = await browser.call(contract.getProfile, {})
  assert.equal(teams.length, 2)
})

test('links in mails use the dashboard’s own address if it has one', async (t) => {
  const shop = await gateway(t, { env: { KOBO_DASHBOARD_URL: 'http://desk.localhost:9999' } })
  const owner = await aTeamMember(shop, 'owner', FRESH)
  await owner.call(contract.invite, { body: { email: 'far@example.com', role: 'viewer' } })
  const [mail] = await shop.call(contract.readInbox, { query: { to: 'far@example.com' } })
  assert.match(mail?.text ?? '', /^http:\/\/desk\.localhost:9999\/dashboard\/link#/m)
})

test('a withdrawn invitation does not work', async () => {
  const shop = await aShop()
  const owner = await aTeamMember(shop, 'owner', FRESH)
  const email = `gone-${shop.merchantId}@example.com`
  const { id } = await owner.call(contract.invite, { body: { email, role: 'viewer' } })
  const token = await mailedTo(shop, email)
  await owner.call(contract.withdrawInvitation, { params: { id } })
  await owner.refused(404, contract.withdrawInvitation, { params: { id } })
  await aBrowser(shop.url).refused(404, contract.lookAtLink, { body: { token } })
})

test('losing a role ends the member’s sessions at once', async () => {
  const shop = await aShop()
  const owner = await aTeamMember(shop, 'owner', FRESH)
  const finance = await aTeamMember(shop, 'finance')
  const support = await aTeamMember(shop, 'support')
  await owner.call(contract.removeMember, { params: { id: String(finance.personId) } })
  assert.equal((await finance.refused(401, contract.whoAmI, {})).code, 'NOT_SIGNED_IN')
  const change = { role: 'viewer', approves: false } as const
  await owner.call(contract.changeRole, { params: { id: String(support.personId) }, body: change })
  await support.refused(401, contract.whoAmI, {})
  await owner.refused(404, contract.removeMember, { params: { id: String(finance.personId) } })
  const acts = await shop.db<{ act: string; details: object }[]>`
    select act, details from audit where merchant_id = ${shop.merchantId} and act like 'team.%' order by id`
  const email = support.email
  assert.deepEqual(
    [...acts],
    [
      { act: 'team.remove', details: { email: finance.email, role: 'finance' } },
      {
        act: 'team.change',
        details: {
          email,
          before: { role: 'support', approves: false },
          after: { role: 'viewer', approves: false },
        },
      },
    ],
  )
})

test('no one gives or removes a role above their own, names approvers without being one, or leaves no owner', async () => {
  const shop = await aShop()
  const owner = await aTeamMember(shop, 'owner', FRESH)
  const admin = await aTeamMember(shop, 'admin', FRESH)
  const params = { id: String(owner.personId) }
  const place = { role: 'viewer', approves: false } as const
  const code = async (refused: Promise<{ readonly code: string }>): Promise<string> => (await refused).code
  const email = 'x@example.com'
  assert.equal(await code(admin.refused(403, contract.invite, { body: { email, role: 'owner' } })), 'ROLE_TOO_HIGH')
  const approver = { email, role: 'finance', approves: true }
  assert.equal(await code(admin.refused(403, contract.invite, { body: approver })), 'ROLE_TOO_HIGH')
  assert.equal(await code(admin.refused(403, contract.changeRole, { params, body: place })), 'ROLE_TOO_HIGH')
  assert.equal(await code(admin.refused(403, contract.removeMember, { params })), 'ROLE_TOO_HIGH')
  assert.equal(await code(owner.refused(422, contract.changeRole, { params, body: place })), 'LAST_OWNER')
  assert.equal(await code(owner.refused(422, contract.removeMember, { params })), 'LAST_OWNER')
  const own = { id: String(admin.personId) }
  const owning = { role: 'owner', approves: false } as const
  assert.equal(await code(admin.refused(403, contract.changeRole, { params: own, body: owning })), 'ROLE_TOO_HIGH')
})
