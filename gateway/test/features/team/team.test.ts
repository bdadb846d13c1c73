import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { aShop, gateway, type Shop } from '../../harness/gateway.ts'
import { aTransfer } from '../../harness/samples.ts'
import { until } from '../../harness/until.ts'
import { aBrowser, aTeamMember } from '../../harness/users.ts'

const PASSWORD = 'correct horse battery'
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
  await browser.call(contract.takeLink, { body: { token, name: 'Fin', password: PASSWORD } })
  const me = await browser.call(contract.whoAmI, {})
  assert.ok(me.role === 'finance' && me.permissions.includes('payout.make'))
  assert.ok(!me.permissions.includes('payout.approve'), 'a new approver waits for a day')
  const { members, invitations } = await owner.call(contract.getTeam, {})
  assert.deepEqual(members.map((one) => [one.role, one.isYou]).sort(), [
    ['finance', false],
    ['owner', true],
  ])
  assert.deepEqual(invitations, [])
  assert.equal(
    (await owner.rejected(422, contract.invite, { body: { email, role: 'viewer' } })).code,
    'ALREADY_IN_TEAM',
  )
})

test('sign-in links and invitations in the sandbox inbox are only for their recipient and the owner', async () => {
  const shop = await aShop()
  const [owner, admin, support] = [
    await aTeamMember(shop, 'owner', FRESH),
    await aTeamMember(shop, 'admin'),
    await aTeamMember(shop, 'support'),
  ]
  const email = `new-${shop.merchantId}@example.com`
  await owner.call(contract.invite, { body: { email, role: 'finance', approves: true } })
  const { email: ownEmail } = await support.call(contract.whoAmI, {})
  for (const { call } of [owner, support])
    await aBrowser(shop.url).call(contract.requestReset, { body: { email: (await call(contract.whoAmI, {})).email } })
  const recipients = async (reader: typeof owner) =>
    (await reader.call(contract.readInbox, { query: {} })).map(({ to }) => to).sort()
  const all = [email, ownEmail, (await owner.call(contract.whoAmI, {})).email].sort()
  await until('all mails are there', async () => (await recipients(owner)).length === all.length)
  assert.deepEqual(await recipients(owner), all)
  assert.deepEqual(await recipients(admin), [])
  assert.deepEqual(await recipients(support), [ownEmail])
})

test('an existing user joins another team with their password', async () => {
  const [shop, other] = [await aShop(), await aShop()]
  const email = `both-${shop.merchantId}@example.com`
  const browser = aBrowser(shop.url)
  for (const one of [shop, other]) {
    const owner = await aTeamMember(one, 'owner', FRESH)
    await owner.call(contract.invite, { body: { email, role: 'support' } })
  }
  const first = { token: await mailedTo(shop, email), name: 'Bo', password: PASSWORD }
  await browser.call(contract.takeLink, { body: first })
  const token = await mailedTo(other, email)
  assert.equal((await browser.call(contract.lookAtLink, { body: { token } })).isKnown, true)
  await aBrowser(shop.url).rejected(401, contract.takeLink, { body: { token, password: 'some other one' } })
  await browser.call(contract.takeLink, { body: { token, password: PASSWORD } })
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
  await owner.rejected(404, contract.withdrawInvitation, { params: { id } })
  await aBrowser(shop.url).rejected(404, contract.lookAtLink, { body: { token } })
})

test('losing a role ends the member’s sessions at once', async () => {
  const shop = await aShop()
  const owner = await aTeamMember(shop, 'owner', FRESH)
  const finance = await aTeamMember(shop, 'finance')
  const support = await aTeamMember(shop, 'support')
  await owner.call(contract.removeMember, { params: { id: String(finance.personId) } })
  assert.equal((await finance.rejected(401, contract.whoAmI, {})).code, 'NOT_SIGNED_IN')
  const change = { role: 'viewer', approves: false } as const
  await owner.call(contract.changeRole, { params: { id: String(support.personId) }, body: change })
  await support.rejected(401, contract.whoAmI, {})
  await owner.rejected(404, contract.removeMember, { params: { id: String(finance.personId) } })
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

test('a newer invitation voids older ones, and none changes the role of a member', async () => {
  const shop = await aShop()
  const owner = await aTeamMember(shop, 'owner', FRESH)
  const email = `twice-${shop.merchantId}@example.com`
  await owner.call(contract.invite, { body: { email, role: 'admin' } })
  const older = await mailedTo(shop, email)
  await owner.call(contract.invite, { body: { email, role: 'viewer' } })
  const browser = aBrowser(shop.url)
  await browser.rejected(404, contract.lookAtLink, { body: { token: older } })
  // An invitation that an earlier version left open.
  await shop.db`update sign_in_link set used_at = null where email = ${email}`
  const body = { token: await mailedTo(shop, email), name: 'Bo', password: PASSWORD }
  await browser.call(contract.takeLink, { body })
  await browser.rejected(404, contract.takeLink, { body: { token: older, password: PASSWORD } })
  assert.equal((await browser.call(contract.whoAmI, {})).role, 'viewer')
})

test('removal and demotion void the invitations to and by a member', async () => {
  const shop = await aShop()
  const owner = await aTeamMember(shop, 'owner', FRESH)
  for (const leaves of ['removed', 'demoted'] as const) {
    const admin = await aTeamMember(shop, 'admin', FRESH)
    const params = { id: String(admin.personId) }
    const email = `${leaves}-${shop.merchantId}@example.com`
    await admin.call(contract.invite, { body: { email, role: 'admin' } })
    const token = await mailedTo(shop, email)
    if (leaves === 'removed') await owner.call(contract.removeMember, { params })
    else await owner.call(contract.changeRole, { params, body: { role: 'viewer', approves: false } })
    await aBrowser(shop.url).rejected(404, contract.lookAtLink, { body: { token } })
    // Even if it were still open, its sender may no longer invite.
    await shop.db`update sign_in_link set used_at = null where email = ${email}`
    const body = { token, name: 'Eve', password: PASSWORD }
    assert.equal((await aBrowser(shop.url).rejected(404, contract.takeLink, { body })).code, 'LINK_NOT_VALID')
  }
})

test('an owner is removed by a second owner or after a day, every owner is notified, and any can stop it', async (t) => {
  const shop = await gateway(t)
  const [first, second, third] = [
    await aTeamMember(shop, 'owner', FRESH),
    await aTeamMember(shop, 'owner', FRESH),
    await aTeamMember(shop, 'owner', FRESH),
  ]
  const params = { id: String(second.personId) }
  const shown = async () =>
    (await third.call(contract.getTeam, {})).members.find(({ id }) => id === String(second.personId))
  await first.call(contract.removeMember, { params })
  await first.call(contract.removeMember, { params })
  assert.equal((await second.call(contract.whoAmI, {})).role, 'owner')
  for (const { email } of [first, second, third])
    await until(`${email} is notified`, async () => {
      const mails = await shop.call(contract.readInbox, { query: { to: email } })
      const notice = mails.find(({ subject }) => subject.endsWith('is to be removed as an owner'))
      return / takes effect on \d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d WAT, or /.test(notice?.text ?? '')
    })
  await second.call(contract.keepMember, { params })
  assert.equal((await shown())?.endsOn, null)
  await shop.advance(86_400)
  assert.equal((await shown())?.role, 'owner')

  const demoted = { params, body: { role: 'viewer', approves: false } } as const
  await first.call(contract.changeRole, demoted)
  assert.equal((await shown())?.role, 'owner')
  await shop.advance(86_400)
  await until('the role has changed', async () => (await shown())?.role === 'viewer')
  await second.rejected(401, contract.whoAmI, {})

  const other = { params: { id: String(first.personId) } }
  const fourth = await aTeamMember(shop, 'owner', FRESH)
  await third.call(contract.removeMember, other)
  await fourth.call(contract.removeMember, other)
  await first.rejected(401, contract.whoAmI, {})
})

test('a payout’s maker cannot approve it by removing the other owner', async () => {
  const shop = await aShop()
  const [owner, other] = [await aTeamMember(shop, 'owner', FRESH), await aTeamMember(shop, 'owner', FRESH)]
  await owner.call(contract.initiateTransfer, { body: await aTransfer(shop, { amount: 900_000 }) })
  const [waiting] = (await owner.call(contract.listApprovals, { query: {} })).requests
  assert.ok(waiting)
  const approval = { params: { id: waiting.id }, body: { hash: waiting.hash } }
  assert.equal((await owner.rejected(403, contract.approve, approval)).code, 'OWN_REQUEST')
  await owner.call(contract.removeMember, { params: { id: String(other.personId) } })
  assert.equal((await owner.rejected(403, contract.approve, approval)).code, 'OWN_REQUEST')
})

test('a payout’s maker cannot approve it by removing the other approver', async () => {
  const shop = await aShop()
  const owner = await aTeamMember(shop, 'owner', FRESH)
  let amount = 900_000
  const make = async () => owner.call(contract.initiateTransfer, { body: await aTransfer(shop, { amount: amount++ }) })
  const approval = async () => {
    const [request] = (await owner.call(contract.listApprovals, { query: {} })).requests
    const { id, hash, mayDecide } = request ?? assert.fail('it waits')
    return { mayDecide, input: { params: { id }, body: { hash } } }
  }
  const demote = (id: bigint) =>
    owner.call(contract.changeRole, { params: { id: String(id) }, body: { role: 'finance', approves: false } })
  const remove = (id: bigint) => owner.call(contract.removeMember, { params: { id: String(id) } })
  for (const getRidOf of [demote, remove]) {
    const approver = await aTeamMember(shop, 'finance', { ...FRESH, approves: true })
    await make()
    assert.equal((await owner.rejected(403, contract.approve, (await approval()).input)).code, 'OWN_REQUEST')
    await getRidOf(approver.personId)
    const after = await approval()
    assert.equal(after.mayDecide, false)
    assert.equal((await owner.rejected(403, contract.approve, after.input)).code, 'OWN_REQUEST')
    // A day passes.
    await shop.db`update membership set sole_from = sole_from - interval '1 day' where merchant_id = ${shop.merchantId}`
    assert.equal((await owner.call(contract.approve, (await approval()).input)).status, 'SUCCESS')
  }
  const mails = async () => shop.call(contract.readInbox, { query: { to: owner.email } })
  await until('the owner is notified of both', async () => {
    const subjects = (await mails()).map(({ subject }) => subject)
    return subjects.filter((subject) => subject.includes('no longer approves payouts')).length === 2
  })
})

test('a new approver waits for a day, or for a second owner', async (t) => {
  const shop = await gateway(t)
  const [owner, other] = [await aTeamMember(shop, 'owner', FRESH), await aTeamMember(shop, 'owner', FRESH)]
  const finance = await aTeamMember(shop, 'finance')
  const may = async () => (await finance.call(contract.whoAmI, {})).permissions.includes('payout.approve')
  const named = { params: { id: String(finance.personId) }, body: { role: 'finance', approves: true } } as const
  await owner.call(contract.changeRole, named)
  await owner.call(contract.changeRole, named)
  assert.equal(await may(), false)
  await other.call(contract.changeRole, named)
  assert.equal(await may(), true)
  await owner.call(contract.changeRole, { ...named, body: { role: 'finance', approves: false } })
  await owner.call(contract.changeRole, named)
  assert.equal(await may(), false)
  await shop.advance(86_400)
  assert.equal(await may(), true)
})

test('no one gives a right that they lack', async () => {
  const shop = await aShop()
  const admin = await aTeamMember(shop, 'admin', FRESH)
  const viewer = await aTeamMember(shop, 'viewer')
  const params = { id: String(viewer.personId) }
  for (const role of ['finance', 'owner'] as const) {
    const invited = { body: { email: `${role}-${shop.merchantId}@example.com`, role } }
    assert.equal((await admin.rejected(403, contract.invite, invited)).code, 'ROLE_TOO_HIGH')
    const changed = { params, body: { role, approves: false } }
    assert.equal((await admin.rejected(403, contract.changeRole, changed)).code, 'ROLE_TOO_HIGH')
  }
  await admin.call(contract.changeRole, { params, body: { role: 'support', approves: false } })
  const { roles } = await admin.call(contract.getTeam, {})
  assert.deepEqual(roles, ['admin', 'developer', 'support', 'viewer', 'cashier'])
})

test('no one gives or removes a role above their own, names approvers without being one, or leaves no owner', async () => {
  const shop = await aShop()
  const owner = await aTeamMember(shop, 'owner', FRESH)
  const admin = await aTeamMember(shop, 'admin', FRESH)
  const params = { id: String(owner.personId) }
  const place = { role: 'viewer', approves: false } as const
  const code = async (rejected: Promise<{ readonly code: string }>): Promise<string> => (await rejected).code
  const email = 'x@example.com'
  assert.equal(await code(admin.rejected(403, contract.invite, { body: { email, role: 'owner' } })), 'ROLE_TOO_HIGH')
  const approver = { email, role: 'finance', approves: true }
  assert.equal(await code(admin.rejected(403, contract.invite, { body: approver })), 'ROLE_TOO_HIGH')
  assert.equal(await code(admin.rejected(403, contract.changeRole, { params, body: place })), 'ROLE_TOO_HIGH')
  assert.equal(await code(admin.rejected(403, contract.removeMember, { params })), 'ROLE_TOO_HIGH')
  assert.equal(await code(owner.rejected(422, contract.changeRole, { params, body: place })), 'LAST_OWNER')
  assert.equal(await code(owner.rejected(422, contract.removeMember, { params })), 'LAST_OWNER')
  const changeable = async ({ call }: typeof owner) =>
    (await call(contract.getTeam, {})).members.filter(({ mayChange }) => mayChange).map(({ role }) => role)
  assert.deepEqual(await changeable(admin), ['admin'])
  assert.deepEqual(await changeable(owner), ['admin'], 'not the last owner')
  const own = { id: String(admin.personId) }
  const owning = { role: 'owner', approves: false } as const
  assert.equal(await code(admin.rejected(403, contract.changeRole, { params: own, body: owning })), 'ROLE_TOO_HIGH')
})
