import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { verifyLedger } from '../../../src/app/ledger.ts'
import { isClean } from '../../../src/core/money/ledger/index.ts'
import { approvalsNeeded, gateOf, STANDARD_POLICY } from '../../../src/features/approvals/policy.ts'
import { kobo } from '../../../src/kernel/money.ts'
import { approveWaiting, FRESH, waiting } from '../../harness/approval-samples.ts'
import { aShop, gateway, type Shop } from '../../harness/gateway.ts'
import { aBatch, anItem, aTransfer, balancesOf } from '../../harness/samples.ts'
import { until } from '../../harness/until.ts'
import { aTeamMember, type TestUser } from '../../harness/users.ts'

const OPENING = 10_000_000
const DAY_SECONDS = 86_400

/** Makes a transfer as a finance team member; returns its reference. */
async function made(shop: Shop, maker: TestUser, amount = 5_000): Promise<string> {
  const body = await aTransfer(shop, { amount })
  assert.equal((await maker.call(contract.initiateTransfer, { body })).status, 'PENDING_AUTHORIZATION')
  return body.reference
}

const statusOf = async (shop: Shop, reference: string): Promise<string> =>
  (await shop.call(contract.getTransfer, { query: { reference } })).status

const code = async (rejected: Promise<{ readonly code: string }>): Promise<string> => (await rejected).code

test('a transfer that one person makes is sent when another approves it with a fresh second factor', async () => {
  const shop = await aShop()
  const maker = await aTeamMember(shop, 'finance')
  const owner = await aTeamMember(shop, 'owner', FRESH)
  const reference = await made(shop, maker)
  assert.equal((await balancesOf(shop)).availableBalance, OPENING - 5_010, 'its money is taken when it is made')
  const mails = await shop.call(contract.readInbox, { query: {} })
  assert.deepEqual(
    mails.filter(({ to }) => to !== owner.email),
    [],
    'no code is mailed',
  )
  const request = await waiting(owner)
  const { mayDecide, madeBy, approvalsNeeded: needed, amount, fee } = request
  assert.deepEqual(
    { mayDecide, madeBy, needed, amount, fee },
    { mayDecide: true, madeBy: 'Test finance', needed: 1, amount: 5_000, fee: 10 },
  )
  const { id, hash } = request
  const approved = await owner.call(contract.approve, { params: { id }, body: { hash } })
  assert.deepEqual([approved.status, approved.decisions.map(({ verdict }) => verdict)], ['SUCCESS', ['APPROVE']])
  assert.equal(await statusOf(shop, reference), 'SUCCESS')
  assert.equal(
    await code(owner.rejected(422, contract.approve, { params: { id }, body: { hash } })),
    'APPROVAL_NOT_WAITING',
  )
  const acts = await shop.db<{ actor: string; reference: string }[]>`
    select actor, reference from audit where merchant_id = ${shop.merchantId} and act = 'payout.approve'`
  assert.deepEqual(
    [...acts].map((act) => [act.actor, act.reference]),
    [[`person/${owner.personId}`, reference]],
  )
})

test('approvers get a mail that links to the payouts that wait; the maker and others get none', async () => {
  const shop = await aShop()
  const maker = await aTeamMember(shop, 'finance', { ...FRESH, approves: true })
  const owner = await aTeamMember(shop, 'owner')
  const viewer = await aTeamMember(shop, 'viewer')
  const inboxOf = ({ email: to }: TestUser) => shop.call(contract.readInbox, { query: { to } })
  await made(shop, maker)
  await until('the owner has a mail', async () => (await inboxOf(owner)).length > 0)
  const [mail] = await inboxOf(owner)
  assert.equal(mail?.subject, 'A request needs your approval')
  assert.match(mail?.text ?? '', /Test finance/)
  assert.ok(mail?.text.includes(`${shop.url}/dashboard/approvals`))
  assert.deepEqual([await inboxOf(maker), await inboxOf(viewer)], [[], []])
  await made(shop, maker, 6_000)
  await until('there is a mail about the next payout', async () => (await inboxOf(owner)).length === 2)

  // An approver can turn these mails off.
  const other = await aTeamMember(shop, 'owner')
  const body = { isOnScreen: true, isByMail: false }
  await owner.call(contract.chooseNotifications, { params: { topic: 'APPROVALS' }, body })
  await made(shop, maker, 7_000)
  await until('the other approver has a mail', async () => (await inboxOf(other)).length === 1)
  assert.equal((await inboxOf(owner)).length, 2)
})

test('approval is rejected from the maker, without the permission, and without a fresh second factor', async () => {
  const shop = await aShop()
  const maker = await aTeamMember(shop, 'finance', { ...FRESH, approves: true })
  await aTeamMember(shop, 'owner', FRESH)
  const unfresh = await aTeamMember(shop, 'finance', { secondFactor: 'shown', approves: true })
  const plain = await aTeamMember(shop, 'finance', FRESH)
  const reference = await made(shop, maker)
  const { id, hash, isOwn, mayDecide } = await waiting(maker)
  assert.deepEqual({ isOwn, mayDecide }, { isOwn: true, mayDecide: false })
  const input = { params: { id }, body: { hash } }
  assert.equal(await code(maker.rejected(403, contract.approve, input)), 'OWN_REQUEST')
  assert.equal(await code(plain.rejected(403, contract.approve, input)), 'ROLE_NOT_ALLOWED')
  assert.equal(await code(unfresh.rejected(403, contract.approve, input)), 'SECOND_FACTOR_NOT_FRESH')
  assert.equal(
    await code(shop.rejected(400, contract.authorizeTransfer, { body: { reference, authorizationCode: '123456' } })),
    'NOTHING_TO_AUTHORIZE',
  )
  assert.equal(await statusOf(shop, reference), 'PENDING_AUTHORIZATION')
})

test('a sole approver approves their own transfer up to the limit, and the audit log records it', async () => {
  const shop = await aShop()
  const owner = await aTeamMember(shop, 'owner', FRESH)
  const reference = await made(shop, owner)
  const { id, hash } = await waiting(owner)
  await owner.call(contract.approve, { params: { id }, body: { hash } })
  assert.equal(await statusOf(shop, reference), 'SUCCESS')
  const [act] = await shop.db<{ details: { isOwn: boolean } }[]>`
    select details from audit where merchant_id = ${shop.merchantId} and act = 'payout.approve'`
  assert.equal(act?.details.isOwn, true)
  await made(shop, owner, 1_000_001)
  const large = await waiting(owner)
  const input = { params: { id: large.id }, body: { hash: large.hash } }
  assert.equal(await code(owner.rejected(403, contract.approve, input)), 'OWN_REQUEST')
})

test('an approval is rejected if the payout has changed since it was viewed', async () => {
  const shop = await aShop()
  const maker = await aTeamMember(shop, 'finance')
  const owner = await aTeamMember(shop, 'owner', FRESH)
  await made(shop, maker)
  const { id, hash } = await waiting(owner)
  const other = { params: { id }, body: { hash: 'another' } }
  assert.equal(await code(owner.rejected(422, contract.approve, other)), 'APPROVAL_CHANGED')
  const change = (amount: number) =>
    shop.db`update transfer set amount = amount + ${amount}::bigint where merchant_id = ${shop.merchantId} and id = ${id}`
  await change(1)
  assert.equal(
    await code(owner.rejected(422, contract.approve, { params: { id }, body: { hash } })),
    'APPROVAL_CHANGED',
  )
  await change(-1) // other tests verify this gateway's ledger
  await owner.rejected(404, contract.approve, { params: { id: '1' }, body: { hash } })
})

test('a rejected transfer releases its money, notifies the merchant and passes the ledger checks', async () => {
  const shop = await aShop()
  const maker = await aTeamMember(shop, 'finance')
  const owner = await aTeamMember(shop, 'owner', FRESH)
  const reference = await made(shop, maker)
  const { id } = await waiting(owner)
  const rejected = await owner.call(contract.reject, { params: { id }, body: { reason: 'Unknown supplier' } })
  assert.deepEqual([rejected.status, rejected.decisions[0]?.reason], ['FAILED', 'Unknown supplier'])
  assert.equal(await statusOf(shop, reference), 'FAILED')
  assert.equal((await balancesOf(shop)).availableBalance, OPENING)
  await owner.rejected(422, contract.reject, { params: { id }, body: { reason: 'again' } })
  const verdict = await verifyLedger(shop.db)
  assert.ok(isClean(verdict), JSON.stringify(verdict.wrong))
})

test('a payout without a decision within a day expires and its money is released', async (t) => {
  const shop = await gateway(t)
  const maker = await aTeamMember(shop, 'finance')
  const owner = await aTeamMember(shop, 'owner', FRESH)
  const reference = await made(shop, maker)
  const { id, hash } = await waiting(owner)
  await shop.advance(DAY_SECONDS)
  assert.equal(
    await code(owner.rejected(422, contract.approve, { params: { id }, body: { hash } })),
    'APPROVAL_NOT_WAITING',
  )
  await until('it has expired', async () => (await statusOf(shop, reference)) === 'EXPIRED')
  assert.equal((await balancesOf(shop)).availableBalance, OPENING)
  assert.deepEqual((await owner.call(contract.listApprovals, { query: {} })).requests, [])
  assert.equal((await owner.call(contract.listApprovals, { query: { view: 'all' } })).requests[0]?.status, 'EXPIRED')
})

test('a batch is approved or rejected as a whole', async () => {
  const shop = await aShop()
  const maker = await aTeamMember(shop, 'finance')
  const owner = await aTeamMember(shop, 'owner', FRESH)
  const batch = () => aBatch(shop, [anItem({ amount: 1_000 }), anItem({ amount: 2_000 })])
  const first = batch()
  const { batchStatus } = await maker.call(contract.initiateBatch, { body: first })
  assert.equal(batchStatus, 'PENDING_AUTHORIZATION')
  const { id, hash, itemsCount, kind } = await waiting(owner)
  assert.deepEqual([itemsCount, kind], [2, 'BATCH'])
  await owner.call(contract.approve, { params: { id }, body: { hash } })
  const summary = () => shop.call(contract.getBatch, { query: { reference: first.batchReference } })
  await until('it is sent', async () => (await summary()).batchStatus === 'COMPLETED')
  const second = batch()
  await maker.call(contract.initiateBatch, { body: second })
  const next = await waiting(owner)
  const rejected = await owner.call(contract.reject, { params: { id: next.id }, body: { reason: 'No' } })
  assert.equal(rejected.status, 'FAILED')
  const { batchStatus: after, failedCount } = await shop.call(contract.getBatch, {
    query: { reference: second.batchReference },
  })
  assert.deepEqual([after, failedCount], ['FAILED', 2])
  assert.ok(isClean(await verifyLedger(shop.db)))
})

/** Puts a policy into effect: one owner requests it, another approves it, and a day passes. */
async function withPolicy(shop: Shop, owner: TestUser, policy: object): Promise<void> {
  await owner.call(contract.changeApprovalPolicy, {
    body: { freeBelow: 0, soleUpTo: 0, coversApi: false, ...policy },
  })
  await (await aTeamMember(shop, 'owner', FRESH)).call(contract.approvePolicyChange, {})
  await shop.advance(DAY_SECONDS + 1)
  const counts = async (): Promise<boolean> => (await owner.call(contract.getApprovalPolicy, {})).change === null
  await until('the policy counts', counts)
}

test('a policy takes effect a day later: small payouts are free, large ones need two approvals, API payouts wait if covered', async (t) => {
  const shop = await gateway(t)
  const owner = await aTeamMember(shop, 'owner', FRESH)
  await withPolicy(shop, owner, { freeBelow: 1_000, twoFrom: 100_000, coversApi: true })
  const { policy } = await owner.call(contract.getApprovalPolicy, {})
  assert.deepEqual(policy, { freeBelow: 1_000, twoFrom: 100_000, soleUpTo: 0, coversApi: true })
  const [maker, ada, ben] = [
    await aTeamMember(shop, 'finance'),
    await aTeamMember(shop, 'finance', { ...FRESH, approves: true }),
    await aTeamMember(shop, 'admin', { ...FRESH, approves: true }),
  ]
  const small = await maker.call(contract.initiateTransfer, { body: await aTransfer(shop, { amount: 999 }) })
  assert.equal(small.status, 'SUCCESS')
  const reference = await made(shop, maker, 100_000)
  const { id, hash, approvalsNeeded: needed } = await waiting(ada)
  assert.equal(needed, 2)
  const input = { params: { id }, body: { hash } }
  assert.equal((await ada.call(contract.approve, input)).status, 'PENDING_AUTHORIZATION')
  assert.equal(await code(ada.rejected(422, contract.approve, input)), 'APPROVED_ALREADY')
  assert.equal((await ben.call(contract.approve, input)).status, 'SUCCESS')
  assert.equal(await statusOf(shop, reference), 'SUCCESS')
  const ofServer = await shop.call(contract.initiateTransfer, { body: await aTransfer(shop, { amount: 2_000 }) })
  assert.equal(ofServer.status, 'PENDING_AUTHORIZATION')
  const requested = await waiting(ada)
  assert.equal(requested.madeBy, null)
  await ada.call(contract.approve, { params: { id: requested.id }, body: { hash: requested.hash } })
  assert.equal(await statusOf(shop, ofServer.reference), 'SUCCESS')
})

test('as the payouts guide says, a sole owner lets API payouts wait, and a new approver releases them a day later', async (t) => {
  const shop = await gateway(t)
  await shop.call(contract.changeSettings, { body: { otpEnabled: true } })
  // The only owner is the demo merchant's, as in a new sandbox; here it is one who is signed in.
  await shop.db`delete from membership where merchant_id = ${shop.merchantId}`
  const owner = await aTeamMember(shop, 'owner', FRESH)
  await owner.call(contract.changeApprovalPolicy, { body: { freeBelow: 0, soleUpTo: 0, coversApi: true } })
  const ada = await aTeamMember(shop, 'finance', { ...FRESH, approves: true })
  await shop.advance(25 * 3_600)
  await until('the policy counts', async () => (await owner.call(contract.getApprovalPolicy, {})).change === null)
  const { reference, status } = await shop.call(contract.initiateTransfer, { body: await aTransfer(shop) })
  assert.equal(status, 'PENDING_AUTHORIZATION')
  const { length } = await shop
    .call(contract.readInbox, { query: {} })
    .then((mails) => mails.filter(({ text }) => / is your code/.test(text)))
  assert.equal(length, 0, 'no code is emailed')
  assert.equal((await approveWaiting(ada)).status, 'SUCCESS')
  assert.equal(await statusOf(shop, reference), 'SUCCESS')
})

test('an approval counts only if its author may still approve when the payout is released', async (t) => {
  const shop = await gateway(t)
  const owner = await aTeamMember(shop, 'owner', FRESH)
  await withPolicy(shop, owner, { twoFrom: 1_000 })
  const maker = await aTeamMember(shop, 'finance')
  const [rogue, demoted, ada] = [
    await aTeamMember(shop, 'finance', { ...FRESH, approves: true }),
    await aTeamMember(shop, 'finance', { ...FRESH, approves: true }),
    await aTeamMember(shop, 'admin', { ...FRESH, approves: true }),
  ]
  const reference = await made(shop, maker)
  const { id, hash } = await waiting(ada)
  const input = { params: { id }, body: { hash } }
  await rogue.call(contract.approve, input)
  await owner.call(contract.removeMember, { params: { id: String(rogue.personId) } })
  const after = await demoted.call(contract.approve, input)
  assert.deepEqual(
    [after.status, after.approvalsLeft, after.decisions.map(({ counts }) => counts)],
    ['PENDING_AUTHORIZATION', 1, [false, true]],
  )
  await owner.call(contract.changeRole, {
    params: { id: String(demoted.personId) },
    body: { role: 'finance', approves: false },
  })
  assert.equal((await ada.call(contract.approve, input)).approvalsLeft, 1, 'neither of the first two counts')
  assert.equal(await statusOf(shop, reference), 'PENDING_AUTHORIZATION')
  assert.equal((await owner.call(contract.approve, input)).status, 'SUCCESS')
})

test('a team member who created a secret key does not approve a payout of the API alone', async (t) => {
  const shop = await gateway(t)
  const holder = await aTeamMember(shop, 'owner', FRESH)
  await withPolicy(shop, holder, { coversApi: true })
  const [ada, ben] = [
    await aTeamMember(shop, 'finance', { ...FRESH, approves: true }),
    await aTeamMember(shop, 'owner', FRESH),
  ]
  const rotate = async (person: TestUser, approver: TestUser): Promise<void> => {
    const input = { body: { overlapHours: 1 } }
    await person.rejected(403, contract.rotateKey, input)
    await approveWaiting(approver)
    await person.call(contract.rotateKey, input)
  }
  await rotate(holder, ben)
  let amount = 2_000
  const ofApi = async (): Promise<string> =>
    (await shop.call(contract.initiateTransfer, { body: await aTransfer(shop, { amount: amount++ }) })).reference
  const approveIt = async (person: TestUser) => {
    const { id, hash } = await waiting(person)
    return person.call(contract.approve, { params: { id }, body: { hash } })
  }
  const first = await ofApi()
  const half = await approveIt(holder)
  assert.deepEqual([half.status, half.approvalsLeft], ['PENDING_AUTHORIZATION', 1])
  assert.equal((await approveIt(ada)).status, 'SUCCESS', 'someone without a key')
  assert.equal(await statusOf(shop, first), 'SUCCESS')
  await ofApi()
  assert.equal((await approveIt(ada)).status, 'SUCCESS', 'alone, because they never saw a key')
  await rotate(ben, holder)
  await ofApi()
  assert.equal((await approveIt(ben)).approvalsLeft, 1)
  assert.equal((await approveIt(holder)).status, 'SUCCESS', 'two who have a key')
})

test('with two owners, one requests a policy, the other approves it, and either can cancel it', async (t) => {
  const shop = await gateway(t)
  const [ada, ben] = [await aTeamMember(shop, 'owner', FRESH), await aTeamMember(shop, 'owner', FRESH)]
  const body = { freeBelow: 5_000, soleUpTo: 0, coversApi: false }
  await ada.call(contract.changeApprovalPolicy, { body })
  await shop.advance(2 * DAY_SECONDS)
  const change = async () => (await ben.call(contract.getApprovalPolicy, {})).change
  assert.equal((await change())?.isApproved, false, 'a day alone is not enough')
  assert.equal((await change())?.isOwn, false)
  assert.equal((await ada.call(contract.getApprovalPolicy, {})).change?.isOwn, true)
  assert.equal(await code(ada.rejected(403, contract.approvePolicyChange, {})), 'OWN_POLICY_CHANGE')
  await ben.call(contract.approvePolicyChange, {})
  await shop.advance(1)
  await until('it counts', async () => (await change()) === null)
  assert.equal((await ben.call(contract.getApprovalPolicy, {})).policy.freeBelow, 5_000)
  await ada.call(contract.changeApprovalPolicy, { body })
  await ben.call(contract.withdrawPolicyChange, {})
  assert.equal(await code(ben.rejected(404, contract.withdrawPolicyChange, {})), 'NO_POLICY_CHANGE')
  assert.equal(await code(ben.rejected(404, contract.approvePolicyChange, {})), 'NO_POLICY_CHANGE')
})

test('the condition that releases a payout depends on its maker, its amount and the policy', () => {
  const policy = { freeBelow: '1000', twoFrom: '5000', soleUpTo: '0', coversApi: false }
  const person = { personId: 1n }
  for (const [approvalPolicy, maker, amount, expected] of [
    [null, undefined, 1n, 'code'],
    [null, person, 1n, 'approval 1'],
    [policy, person, 999n, 'none'],
    [policy, person, 1_000n, 'approval 1'],
    [policy, person, 5_000n, 'approval 2'],
    [policy, undefined, 5_000n, 'code'],
    [{ ...policy, coversApi: true }, undefined, 999n, 'code'],
    [{ ...policy, coversApi: true }, undefined, 1_000n, 'approval 1'],
  ] as const) {
    const gate = gateOf({ approvalPolicy, otpEnabled: true }, maker, kobo(amount))
    assert.equal(gate.kind === 'approval' ? `approval ${gate.needed}` : gate.kind, expected)
  }
  assert.deepEqual(gateOf({ approvalPolicy: null, otpEnabled: false }, undefined, kobo(1n)), { kind: 'none' })
  assert.equal(approvalsNeeded(STANDARD_POLICY, kobo(1n)), 1)
})
