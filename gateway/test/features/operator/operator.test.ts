import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { verifyLedger } from '../../../src/app/ledger.ts'
import { BALANCES, isClean } from '../../../src/core/money/ledger/index.ts'
import { startOfDay } from '../../../src/kernel/dates.ts'
import { aShop, gateway, type Shop } from '../../harness/gateway.ts'
import { aConflict, anUnresolvedTransfer, aWaitingReturn, codeOf } from '../../harness/operator-samples.ts'
import { anAccount, aTransfer, pay, reserveAccount } from '../../harness/samples.ts'
import { until } from '../../harness/until.ts'
import { aBrowser, anOperator, aTeamMember, totpCode } from '../../harness/users.ts'

const REASON = 'their bank asked for it'
const PASSWORD = 'correct horse battery'

/** The token of the newest link that was mailed to an address. */
async function tokenMailedTo({ db }: Pick<Shop, 'db'>, to: string): Promise<string> {
  // The address may get a notice as well.
  const mails = await db<{ text: string }[]>`
    select text from sandbox_mail where recipient = ${to} and text like '%#%' order by id desc`
  return /#(\S+)/.exec(mails[0]?.text ?? '')?.[1] ?? assert.fail('there is a mail')
}

/** The audit log's records of users' actions on a merchant. */
const actsOn = async (shop: Awaited<ReturnType<typeof aShop>>) =>
  shop.db<{ act: string; actor: string; details: Record<string, unknown> }[]>`
    select act, actor, details from audit
     where merchant_id = ${shop.merchantId} and actor like 'person/%' order by id`

test('an operator finds a payment of any merchant by each of its references, masked by role and audited', async () => {
  const shop = await aShop()
  const other = await shop.anotherMerchant()
  const [auditor, support] = [await anOperator(shop, 'auditor'), await anOperator(shop, 'operator-support')]
  const find = async (user: typeof support, reference: string) =>
    (await user.call(contract.findPayments, { query: { reference } })).items
  const paymentReference = `order-${randomUUID()}`
  const account = await anAccount(shop, { paymentReference, customerEmail: 'zainab@example.com' })
  await anAccount(other, { paymentReference })
  await pay(shop, account, 5_000)
  const { transactionReference } = account
  const [{ railReference } = { railReference: '' }] = await shop.db<{ railReference: string }[]>`
    select rail_reference from payment where merchant_id = ${shop.merchantId}`

  const [own] = await find(auditor, transactionReference)
  const code = await codeOf(shop)
  assert.deepEqual(
    [own?.kind, own?.merchantCode, own?.merchantReference, own?.status, own?.customerEmail],
    ['PAYMENT', code, paymentReference, 'PAID', 'zainab@example.com'],
  )
  assert.deepEqual(await find(auditor, ` ${railReference} `), [own])
  const named = await find(auditor, paymentReference)
  assert.equal(named.length, 2, 'the payments of both merchants')
  assert.ok(named.some(({ merchantCode }) => merchantCode === code))
  assert.deepEqual(await find(auditor, paymentReference.slice(0, -1)), [], 'a part of a reference finds nothing')
  assert.deepEqual((await auditor.call(contract.findPayments, { query: {} })).items, [])
  const [masked] = await find(support, transactionReference)
  assert.ok(
    masked?.customerEmail !== undefined && !masked.customerEmail?.includes('zainab'),
    masked?.customerEmail ?? '',
  )

  const transfer = await shop.call(contract.initiateTransfer, { body: await aTransfer(shop) })
  assert.deepEqual(
    (await find(auditor, transfer.reference)).map(({ kind, merchantCode, amount }) => [kind, merchantCode, amount]),
    [['TRANSFER', code, 5_000]],
  )
  const { status } = await (await aTeamMember(shop, 'owner')).send(contract.findPayments, { query: {} })
  assert.equal(status, 403, 'a merchant’s owner may not')
  const searches = (await actsOn(shop)).filter(({ act }) => act === 'payment.find')
  assert.deepEqual(
    searches.map(({ actor }) => actor),
    [...Array(3).fill(`person/${auditor.personId}`), `person/${support.personId}`, `person/${auditor.personId}`],
  )
})

test('an operator finds every merchant without its secrets, and suspends and resumes one with a recorded reason', async () => {
  const shop = await aShop()
  const params = { code: await codeOf(shop) }
  const support = await anOperator(shop, 'operator-support')
  const { items } = await support.call(contract.browseMerchants, { query: { text: params.code.toLowerCase() } })
  assert.deepEqual(
    items.map(({ code, standing }) => [code, standing]),
    [[params.code, 'ACTIVE']],
  )
  assert.deepEqual((await support.call(contract.browseMerchants, { query: { text: 'nobody has this' } })).items, [])
  const merchant = await support.call(contract.getOneMerchant, { params })
  assert.equal(merchant.contracts.length, 1)
  await pay(shop, await anAccount(shop, { amount: 6_100 }), 6_100)
  const { balance, collected } = await support.call(contract.getOneMerchant, { params })
  assert.deepEqual([balance, merchant.collected.amount], [merchant.balance, 0])
  assert.deepEqual([collected.amount, collected.payments], [6_100, 1])
  assert.ok(merchant.prices.some(({ service, of }) => service === 'collection' && of === 'everybody'))
  assert.ok(!JSON.stringify(merchant).includes(shop.credentials.secretKey))
  assert.equal(
    (await support.rejected(404, contract.getOneMerchant, { params: { code: 'NOBODY' } })).code,
    'UNKNOWN_MERCHANT_CODE',
  )

  const operator = await anOperator(shop, 'operator')
  const suspend = { params, body: { standing: 'SUSPENDED', reason: REASON } } as const
  await operator.call(contract.changeMerchantStatus, suspend)
  await shop.rejected(403, contract.getMerchantSettings, {})
  assert.equal((await operator.rejected(422, contract.changeMerchantStatus, suspend)).code, 'STANDING_NOT_CHANGED')
  await operator.call(contract.changeMerchantStatus, { params, body: { standing: 'ACTIVE', reason: 'all is well' } })
  await shop.call(contract.getMerchantSettings, {})
  await pay(shop, await anAccount(shop, { amount: 500 }), 500)
  const close = { params, body: { standing: 'CLOSED', reason: 'they left' } } as const
  assert.equal((await operator.rejected(422, contract.changeMerchantStatus, close)).code, 'MONEY_LEFT')
  assert.deepEqual(
    (await actsOn(shop)).map(({ act, actor, details }) => [act, actor, details['reason']]),
    [
      ['merchant.suspend', `person/${operator.personId}`, REASON],
      ['merchant.resume', `person/${operator.personId}`, 'all is well'],
    ],
  )
})

test('money for a closed merchant goes back to the payer, and two operators pay out what it has left', async (t) => {
  const shop = await gateway(t)
  const leaving = await shop.anotherMerchant()
  const { id: merchantId } = (await shop.core.directory.byApiKey(leaving.credentials.apiKey)) ?? assert.fail()
  const params = { code: await codeOf({ core: shop.core, merchantId }) }
  const [ada, ben] = [await anOperator(shop, 'operator'), await anOperator(shop, 'operator')]
  const reserved = await reserveAccount(leaving)
  const account = await anAccount(leaving, { amount: 1_000 })
  const wallet = { bankCode: '50515', accountNumber: leaving.credentials.walletAccountNumber }
  const close = { params, body: { standing: 'CLOSED', reason: REASON } } as const

  // A transfer that may still come back keeps the merchant open.
  await leaving.call(contract.fundWallet, { body: { amount: 1_010 } })
  await leaving.call(contract.changeSettings, { body: { otpEnabled: false } })
  const transfer = await aTransfer(leaving, { amount: 1_000, destinationAccountNumber: '0123456003' })
  assert.equal((await leaving.call(contract.initiateTransfer, { body: transfer })).status, 'SUCCESS')
  assert.equal((await ada.rejected(422, contract.changeMerchantStatus, close)).code, 'ORDER_OPEN')
  await shop.advance(600)
  const left = await shop.db<{ balance: bigint }[]>`
    select balance from ${BALANCES} account where merchant_id = ${merchantId} and code = ${`wallet/${wallet.accountNumber}`}`
  await ada.call(contract.changeMerchantStatus, close)
  // As a request does that began before.
  await shop.db`update virtual_account set closes_at = null where merchant_id = ${merchantId} and account_number = ${reserved.accountNumber}`
  await shop.advance(600)
  const open = await shop.db`
    select from virtual_account where merchant_id = ${merchantId} and purpose <> 'wallet' and closes_at is null`
  assert.equal(open.length, 0, 'what its last requests opened is ended too')

  for (const to of [reserved, account, wallet]) {
    const sent = await pay(shop, to, 1_000, { senderAccountNumber: '0123452190', senderBankCode: '058' })
    assert.deepEqual([sent.status, sent.reason], ['REJECTED', 'ACCOUNT_INACTIVE'])
  }
  await until('the payer has all of it back', async () => {
    const rows = await shop.db<{ count: number }[]>`
      select count(*)::integer as count from credit_return where state = 'RETURNED' and amount = 100000`
    return rows[0]?.count === 3
  })

  const bank = { bankCode: '058', accountNumber: '0123456789', accountName: 'ADA' }
  const body = { ...bank, reason: REASON }
  const { id } = await ada.call(contract.requestPayout, { params, body })
  await ada.rejected(403, contract.approveChange, { params: { id } })
  await ben.call(contract.approveChange, { params: { id } })
  const paidOut = async () => {
    const [row] = await shop.db<{ status: string; amount: bigint; fee: bigint }[]>`
      select status, amount, fee from transfer where merchant_id = ${merchantId} and reference = ${`final-payout-${id}`}`
    return row
  }
  await until('it has arrived', async () => (await paidOut())?.status === 'SUCCESS')
  assert.deepEqual([(await paidOut())?.amount, (await paidOut())?.fee], [left[0]?.balance, 0n])
  assert.equal((await ada.rejected(422, contract.requestPayout, { params, body })).code, 'NOTHING_LEFT')
  const other = { params: { code: await codeOf(shop) }, body }
  assert.equal((await ada.rejected(422, contract.requestPayout, other)).code, 'MERCHANT_NOT_CLOSED')
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('an operator creates a merchant, whose first owner joins by mail and creates the key; the last contract cannot be closed', async () => {
  const shop = await aShop()
  const operator = await anOperator(shop, 'operator')
  const email = `owner-${shop.merchantId}@example.com`
  const { code } = await operator.call(contract.createMerchant, { body: { name: ' Ada’s Books ', email } })
  const params = { code }
  const made = await operator.call(contract.getOneMerchant, { params })
  assert.deepEqual([made.name, made.people, made.invitations.length], ['Ada’s Books', [], 1])
  const owned = { params: { code: await codeOf(shop) } }
  await aTeamMember(shop, 'owner')
  assert.equal(
    (await operator.rejected(422, contract.inviteOwner, { ...owned, body: { email, reason: REASON } })).code,
    'MERCHANT_HAS_OWNER',
  )
  const owner = aBrowser(shop.url)
  const token = await tokenMailedTo(shop, email)
  await owner.call(contract.takeLink, { body: { token, name: 'Ada', password: PASSWORD } })
  const { merchant, role, permissions } = await owner.call(contract.whoAmI, {})
  assert.deepEqual([merchant?.name, role], ['Ada’s Books', 'owner'])
  assert.ok(permissions.includes('keys.manage'), 'the registered address does not wait')

  const first = made.contracts[0]?.code ?? ''
  const second = await operator.call(contract.addContract, { params, body: { name: 'Shop' } })
  const disable = (contractCode: string) => ({ params: { code, contractCode }, body: { isDisabled: true } })
  await operator.call(contract.changeContract, disable(second.code))
  assert.equal((await operator.rejected(422, contract.changeContract, disable(first))).code, 'CONTRACT_NOT_CHANGED')
  await operator.call(contract.changeContract, { ...disable(second.code), body: { isDisabled: false } })
})

test('an owner is invited by two operators, the merchant is notified, and payouts and keys wait for a day', async (t) => {
  const shop = await gateway(t)
  const [ada, ben] = [await anOperator(shop, 'operator'), await anOperator(shop, 'operator')]
  const registered = 'books@example.com'
  const params = await ada.call(contract.createMerchant, { body: { name: 'Books', email: registered } })
  const email = 'ada.private@example.com'
  const requested = await ada.call(contract.inviteOwner, { params, body: { email, reason: REASON } })
  assert.equal((await shop.db`select from sandbox_mail where recipient = ${email}`).count, 0)
  assert.equal((await ada.rejected(403, contract.approveChange, { params: requested })).code, 'OWN_CHANGE')
  await ben.call(contract.approveChange, { params: requested })
  const owner = aBrowser(shop.url)
  const body = { token: await tokenMailedTo(shop, email), name: 'Ada', password: PASSWORD }
  await owner.call(contract.takeLink, { body })
  const { id, secret } = await owner.call(contract.beginTotp, { body: {} })
  await owner.call(contract.confirmTotp, { params: { id }, body: { code: totpCode(secret, shop.core.wall.now()) } })
  const mails = () => shop.db<{ subject: string }[]>`select subject from sandbox_mail where recipient = ${registered}`
  await until('the merchant is notified', async () =>
    (await mails()).some(({ subject }) => subject === 'An owner was invited to your account'),
  )
  const rotate = { body: { overlapHours: 0 } }
  assert.equal((await owner.rejected(403, contract.rotateKey, rotate)).code, 'ROLE_NOT_ALLOWED')
  const payout = { body: await aTransfer(shop) }
  assert.equal((await owner.rejected(403, contract.initiateTransfer, payout)).code, 'ROLE_NOT_ALLOWED')
  await shop.advance(86_400)
  await owner.call(contract.rotateKey, rotate)
})

test('a new owner at the registered address waits for a day if there is money', async (t) => {
  const shop = await gateway(t)
  const [ada, ben] = [await anOperator(shop, 'operator'), await anOperator(shop, 'operator')]
  const other = await shop.anotherMerchant()
  await other.call(contract.fundWallet, { body: { amount: 50_000 } })
  const merchant = await shop.core.directory.byApiKey(other.credentials.apiKey)
  const { code, email } = merchant ?? assert.fail()
  const requested = await ada.call(contract.inviteOwner, { params: { code }, body: { email, reason: REASON } })
  await ben.call(contract.approveChange, { params: requested })
  const owner = aBrowser(shop.url)
  const token = await tokenMailedTo(shop, email)
  await owner.call(contract.takeLink, { body: { token, name: 'Ada', password: PASSWORD } })
  const may = async () => (await owner.call(contract.whoAmI, {})).permissions
  assert.ok(!(await may()).includes('payout.make') && !(await may()).includes('keys.manage'))
  await shop.advance(86_401)
  assert.ok((await may()).includes('payout.make') && (await may()).includes('keys.manage'))
})

test('a permission needs two operators: no self-approval, no change before, both in the audit log', async () => {
  const shop = await aShop()
  const params = { code: await codeOf(shop) }
  const [ada, ben] = [await anOperator(shop, 'operator'), await anOperator(shop, 'operator')]
  const body = { change: { permissions: { bills: true } }, reason: REASON }
  const { id } = await ada.call(contract.requestSettings, { params, body })
  const isGranted = async () => (await ada.call(contract.getOneMerchant, { params })).permissions.includes('bills')
  assert.equal(await isGranted(), false)
  assert.equal((await ada.rejected(403, contract.approveChange, { params: { id } })).code, 'OWN_CHANGE')
  for (const other of [await anOperator(shop, 'auditor'), await aTeamMember(shop, 'owner', { secondFactor: 'fresh' })])
    assert.equal((await other.rejected(403, contract.approveChange, { params: { id } })).code, 'ROLE_NOT_ALLOWED')
  const stale = await anOperator(shop, 'operator', { secondFactor: 'shown' })
  assert.equal((await stale.rejected(403, contract.approveChange, { params: { id } })).code, 'SECOND_FACTOR_NOT_FRESH')
  assert.equal(await isGranted(), false)
  const done = await ben.call(contract.approveChange, { params: { id } })
  assert.deepEqual(
    [done.status, done.about, done.askedBy, done.decidedBy],
    ['APPLIED', 'Grant permissions: bills', ada.email, ben.email],
  )
  assert.equal(await isGranted(), true)
  assert.equal((await ben.rejected(422, contract.approveChange, { params: { id } })).code, 'CHANGE_NOT_WAITING')
  const [, applied] = (await actsOn(shop)).filter(({ act }) => act === 'change.request' || act === 'merchant.change')
  assert.deepEqual([applied?.actor, applied?.details['askedBy']], [`person/${ben.personId}`, ada.email])

  const account = { bankCode: '058', accountNumber: '0123456789', accountName: 'ADA' }
  const change = { settlementDestination: 'BANK', settlementAccount: account } as const
  const requested = await ben.call(contract.requestSettings, { params, body: { change, reason: REASON } })
  const rejected = await ada.call(contract.rejectChange, {
    params: { id: requested.id },
    body: { reason: 'not theirs' },
  })
  assert.deepEqual([rejected.status, rejected.decidedBecause], ['REJECTED', 'not theirs'])
  assert.equal((await shop.call(contract.getMerchantSettings, {})).settlementDestination, 'WALLET')
  const waiting = await ada.call(contract.browseChanges, { query: { merchant: params.code, status: 'WAITING' } })
  assert.deepEqual(waiting.items, [])
  for (const empty of [{}, { permissions: {} }, { permissions: { unknown: true } }]) {
    const nothing = { params, body: { change: empty, reason: REASON } }
    assert.equal((await ada.rejected(422, contract.requestSettings, nothing)).code, 'NOTHING_TO_CHANGE')
  }
  const elsewhere = { params, body: { ...body, contractCode: '999' } }
  assert.equal((await ada.rejected(422, contract.requestSettings, elsewhere)).code, 'UNKNOWN_CONTRACT_OF_MERCHANT')
  await ada.rejected(404, contract.approveChange, { params: { id: '1' } })
})

test('a merchant’s own price applies once two operators agree, and dates in the past are rejected', async () => {
  const shop = await aShop()
  const params = { code: await codeOf(shop) }
  const [ada, ben] = [await anOperator(shop, 'operator'), await anOperator(shop, 'operator')]
  const steps = [{ percent: '1.25', flat: 10, cap: '500' }]
  const body = { service: 'collection', steps, reason: REASON } as const
  const { id } = await ada.call(contract.requestPrice, { params, body })
  await ben.call(contract.approveChange, { params: { id } })
  const { prices } = await ada.call(contract.getOneMerchant, { params })
  assert.deepEqual(
    prices.filter(({ of }) => of === 'merchant').map(({ service, steps: its }) => [service, its]),
    [['collection', [{ upTo: null, percent: 1.25, flat: 10, cap: 500 }]]],
  )
  const past = { params, body: { ...body, from: '2020-01-01' } }
  assert.equal((await ada.rejected(422, contract.requestPrice, past)).code, 'PRICE_NOT_POSSIBLE')
})

test('a request older than a week cannot be approved', async (t) => {
  const shop = await gateway(t)
  const params = { code: await codeOf(shop) }
  const [ada, ben] = [await anOperator(shop, 'operator'), await anOperator(shop, 'operator')]
  const body = { change: { permissions: { bills: true } }, reason: REASON }
  const { id } = await ada.call(contract.requestSettings, { params, body })
  await shop.advance(contract.CHANGE_DAYS_MAX * 86_400)
  assert.equal((await ben.rejected(422, contract.approveChange, { params: { id } })).code, 'CHANGE_NOT_WAITING')
  const { items } = await ben.call(contract.browseChanges, { query: { status: 'EXPIRED' } })
  assert.deepEqual(
    items.map((one) => one.id),
    [id],
  )
})

test('health has what all merchants collected today, as far as their hours are summed', async (t) => {
  const shop = await gateway(t)
  const auditor = await anOperator(shop, 'auditor')
  const today = startOfDay(shop.core.clock.now())
  await shop.anotherMerchant()
  const [other] = await shop.db<{ id: bigint }[]>`select id from merchant where id <> ${shop.merchantId} limit 1`
  const yesterday = new Date(today.getTime() - 3_600_000)
  for (const [merchantId, hour] of [
    [shop.merchantId, today],
    [shop.merchantId, yesterday],
    [other?.id ?? 0n, today],
  ] as const) {
    await shop.db`
      insert into hours_summed values (${merchantId}, ${shop.core.clock.now()})
          on conflict (merchant_id) do update set through = excluded.through`
    await shop.db`
      insert into hourly_total values (${merchantId}, ${hour}, 'clearing/card', 'payable', 2, 90000),
                                      (${merchantId}, ${hour}, 'clearing/card', 'fees/collection', 2, 1000),
                                      (${merchantId}, ${hour}, 'payable', 'wallet', 1, 70000)`
  }
  const { collectedToday } = await auditor.call(contract.getHealth, {})
  assert.deepEqual([collectedToday.amount, collectedToday.payments], [1_820, 4])
  assert.ok(new Date(collectedToday.through) >= today)
})

test('pending work is listed, customers masked for support, and two operators decide on money in suspense', async () => {
  const shop = await aShop()
  const [ada, ben] = [await anOperator(shop, 'operator'), await anOperator(shop, 'operator')]
  const support = await anOperator(shop, 'operator-support')
  const reference = await anUnresolvedTransfer(shop)
  const returnId = await aWaitingReturn(shop, `FT-R-${shop.merchantId}`)
  const conflictId = await aConflict(shop, `FT-C-${shop.merchantId}`)
  const health = await support.call(contract.getHealth, {})
  assert.ok(health.waiting.unresolvedOrders > 0 && health.waiting.returns > 0 && health.waiting.conflicts > 0)
  assert.deepEqual(
    health.nodes.map(({ isThisOne, skewMilliseconds }) => [isThisOne, skewMilliseconds !== null]),
    [[true, true]],
  )
  const returns = await support.call(contract.browseReturns, { query: {} })
  const returned = returns.items.find(({ id }) => id === returnId)
  assert.deepEqual([returned?.payerName, returned?.bankName, returned?.payerBankName], ['N***', 'Wema bank', null])
  const conflicts = await ada.call(contract.browseConflicts, { query: {} })
  const conflict = conflicts.items.find(({ id }) => id === conflictId)
  assert.deepEqual([conflict?.payerName, conflict?.bankName], ['Ngozi Ade', 'Wema bank'])
  const { orders } = await support.call(contract.listUnresolvedOrders, {})
  assert.ok(orders.some((order) => order.reference === reference))

  const back = { params: { id: returnId }, body: { way: 'ACCOUNT', reason: 'the bank named the payer' } } as const
  assert.equal((await ada.rejected(422, contract.requestReturn, back)).code, 'ACCOUNT_WANTING')
  const to = { bankCode: '058', accountNumber: '0123456789' }
  const requested = await ada.call(contract.requestReturn, { ...back, body: { ...back.body, ...to } })
  const { items: changes } = await ben.call(contract.browseChanges, { query: {} })
  assert.match(changes.find(({ id }) => id === requested.id)?.about ?? '', /is sent to 0123456789 at GTBank$/)
  assert.equal((await ada.rejected(403, contract.approveChange, { params: requested })).code, 'OWN_CHANGE')
  await ben.call(contract.approveChange, { params: requested })
  await until('the payer has it back', async () => {
    const [row] = await shop.db<{ state: string }[]>`select state from credit_return where id = ${returnId}`
    return row?.state === 'RETURNED'
  })
  await ada.rejected(422, contract.requestReturn, { ...back, body: { ...back.body, ...to } })

  const dismiss = { params: { id: conflictId }, body: { verdict: 'DISMISS', reason: 'reported by mistake' } } as const
  const dismissal = await ben.call(contract.requestConflict, dismiss)
  await ada.call(contract.approveChange, { params: dismissal })
  await ben.rejected(422, contract.requestConflict, dismiss)
})

test('routes are explained, deliveries of all merchants are listed and resent, and the audit log is one list', async () => {
  const shop = await aShop()
  const code = await codeOf(shop)
  const operator = await anOperator(shop, 'operator')
  const { operations } = await operator.call(contract.getRouting, {})
  assert.ok(operations.includes('transfer/send'))
  const query = { operation: 'transfer/send', amount: 5_000, bankCode: '058', merchant: code }
  assert.equal((await operator.call(contract.explainRoute, { query })).rule, null)
  const unrouted = { query: { ...query, operation: 'account/open' } }
  assert.equal((await operator.rejected(422, contract.explainRoute, unrouted)).code, 'OPERATION_NOT_ROUTED')

  // Nothing listens there, so the event waits for its next attempt.
  await shop.call(contract.changeSettings, { body: { webhookUrl: 'http://127.0.0.1:1/' } })
  await pay(shop, await anAccount(shop, { amount: 4_200 }), 4_200)
  const undelivered = async () => (await operator.call(contract.browseDeliveries, { query: {} })).items
  await until('it waits', async () => (await undelivered()).some(({ merchantCode }) => merchantCode === code))
  const [event] = (await operator.call(contract.browseDeliveries, { query: { merchant: code, status: 'PENDING' } }))
    .items
  const params = { code, id: event?.id ?? '' }
  await operator.call(contract.resendDelivery, { params })
  assert.deepEqual((await operator.call(contract.listPausedReceivers, {})).receivers, [])
  const wrong = { params: { code, id: '1' } }
  assert.equal((await operator.rejected(404, contract.resendDelivery, wrong)).code, 'UNKNOWN_EVENT_OF_MERCHANT')

  await operator.call(contract.changeMerchantStatus, {
    params: { code },
    body: { standing: 'SUSPENDED', reason: REASON },
  })
  const seen = { query: { merchant: code, act: 'merchant.suspend', actor: operator.email.toUpperCase() } }
  await until('it is in the chain', async () => {
    const { items } = await operator.call(contract.browseAllAudit, seen)
    return items[0]?.details['reason'] === REASON
  })
  const { items } = await operator.call(contract.browseAllAudit, { query: { actor: 'nobody' } })
  assert.deepEqual(items, [])
})

test('a merchant’s team member cannot reach the operator’s pages', async () => {
  const shop = await aShop()
  const owner = await aTeamMember(shop, 'owner', { secondFactor: 'fresh' })
  for (const route of [contract.browseMerchants, contract.getHealth, contract.browseChanges, contract.browseAllAudit])
    assert.equal((await owner.rejected(403, route, {})).code, 'ROLE_NOT_ALLOWED')
})

test('operators are changed by two operators: invited by mail, given another role, signed out once disabled', async () => {
  const shop = await aShop()
  const [ada, ben, auditor] = [
    await anOperator(shop, 'operator'),
    await anOperator(shop, 'operator'),
    await anOperator(shop, 'auditor'),
  ]
  const email = `operator-of-${shop.merchantId}@example.com`
  const requested = (role: contract.OperatorRole | null, by = ada) =>
    by.call(contract.requestOperator, { body: { email, role, reason: REASON } })
  const shown = async () =>
    (await auditor.call(contract.browseOperators, { query: {} })).items.find((one) => one.email === email)
  await auditor.rejected(403, contract.requestOperator, { body: { email, role: 'operator', reason: REASON } })
  const nobody = { email, role: null, reason: REASON }
  assert.equal((await ada.rejected(422, contract.requestOperator, { body: nobody })).code, 'OPERATOR_STAYS_SO')

  const first = await requested('auditor')
  assert.equal((await ada.rejected(403, contract.approveChange, { params: first })).code, 'OWN_CHANGE')
  assert.equal(await shown(), undefined)
  const { about } = await ben.call(contract.approveChange, { params: first })
  assert.equal(about, `${email} is invited as auditor`)
  const withdrawn = await shown()
  assert.equal(withdrawn?.status, 'INVITED')
  await auditor.rejected(403, contract.withdrawOperatorInvitation, { params: { id: withdrawn?.id ?? '' } })
  await ada.call(contract.withdrawOperatorInvitation, { params: { id: withdrawn?.id ?? '' } })
  await ada.rejected(404, contract.withdrawOperatorInvitation, { params: { id: withdrawn?.id ?? '' } })

  await ben.call(contract.approveChange, { params: await requested('auditor') })
  const mails = await shop.db<{ text: string }[]>`select text from sandbox_mail where recipient = ${email} order by id`
  const [dead = '', token = ''] = mails.map(({ text }) => /#(\S+)/.exec(text)?.[1] ?? '')
  const invited = aBrowser(shop.url)
  await invited.rejected(404, contract.takeLink, { body: { token: dead, name: 'Chi', password: PASSWORD } })
  await invited.call(contract.takeLink, { body: { token, name: 'Chi', password: PASSWORD } })
  assert.deepEqual([(await shown())?.status, (await shown())?.role], ['ACTIVE', 'auditor'])

  // A request about a user whose role has changed since can no longer be approved.
  const [support, none] = [await requested('operator-support'), await requested(null)]
  await ben.call(contract.approveChange, { params: support })
  assert.equal((await invited.call(contract.whoAmI, {})).role, 'operator-support')
  assert.equal((await ben.rejected(422, contract.approveChange, { params: none })).code, 'CHANGE_NOT_WAITING')
  await ben.call(contract.approveChange, { params: await requested(null) })
  await invited.rejected(401, contract.browseOperators, { query: {} })
  assert.equal(await shown(), undefined)
  const acts = await shop.db<{ act: string }[]>`
    select act from audit where details ->> 'email' = ${email} order by id`
  assert.deepEqual(
    acts.map(({ act }) => act),
    ['operator.invite', 'operator.withdraw', 'operator.invite', 'operator.change', 'operator.remove'],
  )
})
