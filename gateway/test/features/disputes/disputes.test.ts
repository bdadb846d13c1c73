import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { partners, reportSignedCredit, sendNotification } from '../../harness/credits.ts'
import { accountsOf, assertLedgerClean, decideDispute, openDispute } from '../../harness/dispute-samples.ts'
import { aShop, gateway } from '../../harness/gateway.ts'
import { codeOf } from '../../harness/operator-samples.ts'
import { aRefund, OPENING_BALANCE, paid, refund } from '../../harness/refund-samples.ts'
import {
  advanceToHour,
  anAccount,
  aTransaction,
  balancesOf,
  CARDS,
  charge,
  openTransaction,
} from '../../harness/samples.ts'
import { commandsFor } from '../../harness/test-banks.ts'
import { until } from '../../harness/until.ts'
import { anOperator } from '../../harness/users.ts'
import { webhookEndpoint } from '../../harness/webhook-endpoint.ts'
import { RAILS_SECRET } from '../../rails/adapter.ts'

const PDF = Buffer.from('%PDF-1.4\n% a receipt\n').toString('base64')
const DISPUTE = 'in-flight/dispute'

test('a dispute is held from the wallet, contested with evidence, and released when it is won', async (t) => {
  const shop = await aShop()
  const events = await webhookEndpoint(t)
  await shop.call(contract.changeSettings, { body: { webhookUrls: { refund: events.url } } })
  const transactionReference = await paid(shop, 5_000)
  const dispute = await openDispute(shop, transactionReference, {
    disputeType: 'RECALL',
    disputeAmount: '1200.50',
    disputeReason: 'Goods were not received',
  })
  const { disputeReference, createdOn, evidenceDueOn, ...facts } = dispute
  assert.match(disputeReference, /^KDSP[0-9A-HJKMNP-TV-Z]{26}$/)
  assert.notEqual(createdOn, evidenceDueOn)
  assert.deepEqual(facts, {
    disputeType: 'RECALL',
    disputeStatus: 'OPEN',
    transactionReference,
    disputeAmount: 1_200.5,
    amountOwed: 0,
    disputeReason: 'Goods were not received',
    currencyCode: 'NGN',
    completedOn: null,
    comment: null,
  })
  assert.equal((await balancesOf(shop)).availableBalance, OPENING_BALANCE - 1_200.5)
  assert.deepEqual(await accountsOf(shop, shop.merchantId, DISPUTE), { [DISPUTE]: 120_050n })
  await until('the merchant gets an email', async () => {
    const mails = await shop.call(contract.readInbox, { query: {} })
    return mails.some(({ text }) => text.includes(disputeReference) && text.includes(`${shop.url}/dashboard/disputes/`))
  })

  const params = { disputeReference }
  const body = {
    text: 'The courier’s receipt is signed.',
    files: [{ name: 'receipt.pdf', type: 'application/pdf' as const, content: PDF }],
  }
  const lie = { ...body, files: [{ ...body.files[0], name: 'a.png', type: 'image/png' as const, content: PDF }] }
  await shop.rejected(400, contract.submitEvidence, { params, body: lie })
  const contested = await shop.call(contract.submitEvidence, { params, body })
  assert.equal(contested.disputeStatus, 'EVIDENCE_SUBMITTED')
  const [file] = contested.evidence?.files ?? []
  assert.deepEqual([contested.evidence?.text, file?.name, file?.bytes], [body.text, 'receipt.pdf', 21])
  assert.deepEqual(await shop.call(contract.getDispute, { params }), contested)
  const fileId = file?.fileId ?? ''
  const sent = await shop.call(contract.getDisputeFile, { params: { ...params, fileId } })
  assert.deepEqual(sent, body.files[0])
  const [sealed] = await shop.db<{ content: Buffer }[]>`select content from dispute_file where id = ${BigInt(fileId)}`
  assert.ok(!sealed?.content.toString('latin1').includes(PDF), 'what is kept is encrypted')
  await shop.rejected(404, contract.getDisputeFile, { params: { ...params, fileId: '1' } })
  // An auditor can download it for the partner; support, without access to customer data, cannot.
  const [auditor, support] = [await anOperator(shop, 'auditor'), await anOperator(shop, 'operator-support')]
  assert.deepEqual(await auditor.call(contract.getAnyDispute, { params }), contested)
  assert.deepEqual(await auditor.call(contract.getAnyDisputeFile, { params: { ...params, fileId } }), body.files[0])
  await auditor.rejected(404, contract.getAnyDispute, { params: { disputeReference: 'nothing' } })
  await auditor.rejected(404, contract.getAnyDisputeFile, { params: { ...params, fileId: '1' } })
  await support.rejected(403, contract.getAnyDispute, { params })
  await support.rejected(403, contract.getAnyDisputeFile, { params: { ...params, fileId } })
  await shop.rejected(422, contract.submitEvidence, { params, body })
  await shop.rejected(422, contract.acceptDispute, { params })

  const other = await shop.anotherMerchant()
  await other.rejected(404, contract.getDispute, { params })
  await other.rejected(404, contract.submitEvidence, { params, body })
  await other.rejected(404, contract.acceptDispute, { params })
  await other.rejected(404, contract.decideSandboxDispute, { params, body: { outcome: 'LOST' } })
  assert.equal((await other.call(contract.listDisputes, { query: {} })).totalElements, 0)

  const won = await decideDispute(shop, dispute, 'WON')
  assert.equal(won.disputeStatus, 'WON')
  assert.deepEqual(await decideDispute(shop, dispute, 'WON'), won, 'said again it changes nothing')
  await shop.rejected(422, contract.decideSandboxDispute, { params, body: { outcome: 'LOST' } })
  assert.equal((await balancesOf(shop)).availableBalance, OPENING_BALANCE)
  assert.deepEqual(await accountsOf(shop, shop.merchantId, DISPUTE, 'debt'), {})

  const received = await events.count(3)
  assert.deepEqual(
    received.map(({ event }) => [event.eventType, (event.eventData as { disputeStatus: string }).disputeStatus]).sort(),
    [
      ['DISPUTE_OPENED', 'OPEN'],
      ['DISPUTE_UPDATE', 'EVIDENCE_SUBMITTED'],
      ['DISPUTE_WON', 'WON'],
    ],
  )
  const query = { disputeStatus: 'WON' as const, from: '2026-01-01' }
  assert.deepEqual((await shop.call(contract.listDisputes, { query })).content, [won])
  assert.equal((await shop.call(contract.listDisputes, { query: { disputeStatus: 'OPEN' } })).totalElements, 0)
  await assertLedgerClean(shop)
})

test('an accepted or lost chargeback is returned to the card’s partner', async () => {
  const shop = await aShop()
  const transactionReference = await openTransaction(shop)
  await charge(shop, transactionReference, CARDS.success)
  const dispute = await openDispute(shop, transactionReference, { disputeAmount: 2_000 })
  const params = { disputeReference: dispute.disputeReference }
  const accepted = await shop.call(contract.acceptDispute, { params })
  assert.equal(accepted.disputeStatus, 'ACCEPTED')
  assert.deepEqual(await shop.call(contract.acceptDispute, { params }), accepted, 'said again it changes nothing')
  assert.deepEqual(await decideDispute(shop, dispute, 'LOST'), accepted, 'nor does the partner, who says the same')
  await shop.rejected(422, contract.decideSandboxDispute, { params, body: { outcome: 'WON' } })

  const rest = await openDispute(shop, transactionReference)
  assert.equal(rest.disputeAmount, 3_000, 'all that is left')
  assert.equal((await decideDispute(shop, rest, 'LOST')).disputeStatus, 'LOST')
  const clearing = 'clearing/card/simulated'
  assert.deepEqual(await accountsOf(shop, shop.merchantId, DISPUTE, clearing), {})
  assert.equal((await balancesOf(shop)).availableBalance, OPENING_BALANCE - 5_000)
  await assertLedgerClean(shop)
})

test('concurrent refunds and disputes of a payment never return more than was paid', async () => {
  const shop = await aShop()
  const transactionReference = await paid(shop, 5_000)
  const requested = await Promise.allSettled([
    ...[1, 2, 3].map(() => openDispute(shop, transactionReference, { disputeType: 'RECALL', disputeAmount: 1_700 })),
    ...[1, 2, 3].map(() => refund(shop, transactionReference, { refundAmount: 1_700 })),
  ])
  assert.equal(requested.filter(({ status }) => status === 'fulfilled').length, 2)
  const body = { transactionReference, disputeType: 'RECALL' as const }
  await shop.rejected(422, contract.openSandboxDispute, { body: { ...body, disputeAmount: 1_600.01 } })
  const last = await openDispute(shop, transactionReference, { disputeType: 'RECALL', disputeAmount: 1_600 })
  await shop.rejected(422, contract.openSandboxDispute, { body })
  await shop.rejected(400, contract.initiateRefund, { body: aRefund(transactionReference) })
  await decideDispute(shop, last, 'WON')
  await refund(shop, transactionReference, { refundAmount: 1_600 })

  const unpaid = await openTransaction(shop)
  await shop.rejected(422, contract.openSandboxDispute, { body: { ...body, transactionReference: unpaid } })
  await shop.rejected(404, contract.openSandboxDispute, { body: { ...body, transactionReference: 'KOBO|0' } })
})

test('a dispute above the wallet balance is a debt that later collections repay; a reserve is withheld, used and released', async (t) => {
  const shop = await gateway(t)
  const poor = await shop.anotherMerchant()
  const merchant = (await shop.core.directory.byApiKey(poor.credentials.apiKey)) ?? assert.fail('the merchant is there')
  const holds = (...codes: readonly string[]) => accountsOf(shop, merchant.id, ...codes)
  const wallet = async () => (await balancesOf(poor)).availableBalance
  const status = async ({ disputeReference }: { readonly disputeReference: string }) => {
    const { disputeStatus, amountOwed } = await poor.call(contract.getDispute, { params: { disputeReference } })
    return [disputeStatus, amountOwed]
  }
  await advanceToHour(shop, 8)

  const first = await openDispute(poor, await paid(poor, 5_000), { disputeType: 'RECALL', disputeAmount: 3_000 })
  assert.equal(first.amountOwed, 3_000)
  assert.deepEqual(await holds(DISPUTE, 'debt'), { debt: -300_000n, [DISPUTE]: 300_000n })
  await assertLedgerClean(shop)
  await advanceToHour(shop, 23, 0)
  assert.deepEqual(await status(first), ['OPEN', 0])
  assert.equal(await wallet(), 1_925, '5,000 less the fee of 75 and the debt of 3,000')
  const [settled] = (await poor.call(contract.listSettlements, { query: {} })).content
  assert.equal(settled?.settlementAmount, 1_925)
  assert.deepEqual(await holds(DISPUTE, 'debt'), { [DISPUTE]: 300_000n })
  await decideDispute(poor, first, 'LOST')
  await assertLedgerClean(shop)

  const code = await codeOf({ core: shop.core, merchantId: merchant.id })
  const [one, two] = [await anOperator(shop, 'operator'), await anOperator(shop, 'operator')]
  const change = { reserve: { percent: '10', days: 7 } }
  const requested = await one.call(contract.requestSettings, {
    params: { code },
    body: { change, reason: 'new merchant' },
  })
  await one.rejected(403, contract.approveChange, { params: requested })
  await two.call(contract.approveChange, { params: requested })
  const { reserve } = await poor.call(contract.getMerchantSettings, {})
  assert.deepEqual(reserve, change.reserve)

  await advanceToHour(shop, 8)
  const large = await paid(poor, 10_000)
  await advanceToHour(shop, 23, 0)
  assert.equal(await wallet(), 1_925 + 8_865, '9,850 less a tenth')
  assert.deepEqual(await holds('reserve'), { reserve: 98_500n })
  const second = await openDispute(poor, large)
  await advanceToHour(shop, 8)
  const third = await openDispute(poor, await paid(poor, 5_000))
  assert.equal(third.amountOwed, 5_000 - 790 - 985, 'the wallet has 790, the reserve 985')
  assert.deepEqual(await holds('reserve', 'debt'), { debt: -322_500n })
  await assertLedgerClean(shop)
  await advanceToHour(shop, 23, 0)
  assert.deepEqual(await status(third), ['OPEN', 0])
  assert.equal(await wallet(), 1_207.5, '4,925 less 3,225 of debt and 492.50 of reserve')
  assert.deepEqual(await holds('reserve', 'debt'), { reserve: 49_250n })

  // A won dispute repays debts first.
  const fourth = await openDispute(poor, await paid(poor, 2_000), { disputeType: 'REVERSAL' })
  assert.equal(fourth.amountOwed, 300)
  await decideDispute(poor, second, 'WON')
  assert.deepEqual(await status(fourth), ['OPEN', 0])
  assert.equal(await wallet(), 9_700)
  await assertLedgerClean(shop)

  await advanceToHour(shop, 23, 12)
  assert.deepEqual(await status(third), ['EXPIRED', 0])
  const body = { text: 'too late' }
  await poor.rejected(422, contract.submitEvidence, { params: { disputeReference: third.disputeReference }, body })
  assert.deepEqual(await holds('reserve'), {}, 'both lots are released')
  assert.equal(await wallet(), 9_700 + 1_970, 'and later settlements are complete')
  await decideDispute(poor, third, 'LOST')
  await decideDispute(poor, fourth, 'LOST')
  assert.deepEqual(await holds(DISPUTE, 'debt', 'reserve'), {})
  await assertLedgerClean(shop)
})

test('a repeated dispute notification has one effect; a contradiction is a conflict and changes nothing', async (t) => {
  const { url } = await partners(t)
  const shop = await gateway(t, { env: { KOBO_RAILS_URL: url, KOBO_RAILS_SECRET: RAILS_SECRET } })
  const { bankCode, accountNumber } = await anAccount(shop, { amount: 5_000 })
  const paymentReference = 'credit-1'
  const credit = { railReference: paymentReference, bankCode, accountNumber, amount: 500_000 }
  assert.deepEqual(await reportSignedCredit(shop, credit), { kind: 'accepted' })
  const recall = { reference: 'recall-1', kind: 'RECALL', status: 'OPEN', paymentReference, amount: 300_000 }
  const notify = (changes: object = {}) => sendNotification(shop, 'disputes', { ...recall, ...changes })
  const all = async () => (await shop.call(contract.listDisputes, { query: {} })).content

  const respondBy = '2030-01-31T17:00:00+01:00'
  assert.deepEqual(
    await Promise.all([1, 2, 3].map(() => notify({ reason: 'Sent in error', respondBy }))),
    [1, 2, 3].map(() => ({ kind: 'accepted' })),
  )
  const [dispute, ...more] = await all()
  assert.deepEqual(
    [dispute?.disputeStatus, dispute?.disputeAmount, dispute?.disputeReason, dispute?.evidenceDueOn, more.length],
    ['OPEN', 3_000, 'Sent in error', '31/01/2030 05:00:00 PM', 0],
  )
  for (const other of [{ amount: 300_001 }, { kind: 'CHARGEBACK' }])
    assert.deepEqual(await notify(other), { kind: 'conflict' }, JSON.stringify(other))
  assert.deepEqual(await notify({ status: 'WON' }), { kind: 'accepted' })
  assert.deepEqual(await notify({ status: 'WON' }), { kind: 'accepted' })
  assert.deepEqual(await notify({ status: 'LOST' }), { kind: 'conflict' })
  assert.deepEqual(await notify({ reference: 'recall-2', paymentReference: 'nothing' }), {
    kind: 'rejected',
    reason: 'PAYMENT_NOT_FOUND',
  })
  assert.deepEqual(await notify({ reference: 'recall-2', accountNumber: '0000000001' }), {
    kind: 'rejected',
    reason: 'PAYMENT_NOT_FOUND',
  })
  assert.deepEqual(await notify({ reference: 'recall-2', amount: 500_001 }), {
    kind: 'rejected',
    reason: 'DISPUTE_ABOVE_PAYMENT',
  })
  // Reversed at once, without a chance to contest.
  const undone = { reference: 'reversal-1', kind: 'REVERSAL', status: 'LOST', amount: 500_000 }
  assert.deepEqual(await notify(undone), { kind: 'accepted' })
  assert.deepEqual(await notify(undone), { kind: 'accepted' })
  assert.deepEqual(
    (await all()).map(({ disputeStatus }) => disputeStatus),
    ['LOST', 'WON'],
  )
  assert.equal((await balancesOf(shop)).availableBalance, OPENING_BALANCE - 5_000)
  await assertLedgerClean(shop)
})

test('a dispute of one of two payments with one reference finds its payment, or none; its own reference names one dispute', async (t) => {
  const { url } = await partners(t)
  const shop = await gateway(t, { env: { KOBO_RAILS_URL: url, KOBO_RAILS_SECRET: RAILS_SECRET } })
  const other = await shop.anotherMerchant()
  const accountAt = async (client: Pick<typeof shop, 'call' | 'credentials'>, bankCode: string) => {
    const { transactionReference } = await client.call(contract.initTransaction, {
      body: aTransaction(client, { amount: 5_000 }),
    })
    return client.call(contract.initBankTransfer, { body: { transactionReference, bankCode } })
  }
  const [first, second] = [await accountAt(shop, '035'), await accountAt(shop, '50515')]
  const theirs = await accountAt(other, '035')
  const paid = (railReference: string, { bankCode, accountNumber }: typeof first) =>
    reportSignedCredit(shop, { railReference, bankCode, accountNumber, amount: 500_000 })
  assert.deepEqual(await paid('FT1', first), { kind: 'accepted' })
  assert.deepEqual(await paid('FT1', second), { kind: 'accepted' }, 'another bank’s')
  assert.deepEqual(await paid('FT2', theirs), { kind: 'accepted' })
  const notify = (changes: object) =>
    sendNotification(shop, 'disputes', {
      ...{ reference: 'CB-1', kind: 'RECALL', status: 'LOST', paymentReference: 'FT1', amount: 100_000 },
      ...changes,
    })
  assert.deepEqual(await notify({}), { kind: 'rejected', reason: 'PAYMENT_NOT_UNIQUE' })
  const { bankCode, accountNumber } = second
  assert.deepEqual(await notify({ bankCode, accountNumber }), { kind: 'accepted' })
  const { content } = await shop.call(contract.listDisputes, { query: {} })
  assert.deepEqual(
    content.map(({ transactionReference }) => transactionReference),
    [second.transactionReference],
  )
  assert.deepEqual(await notify({ paymentReference: 'FT2' }), { kind: 'conflict' }, 'of another merchant')
  assert.deepEqual(await notify({ bankCode, accountNumber }), { kind: 'accepted' }, 'a repeat')
  assert.equal((await other.call(contract.listDisputes, { query: {} })).content.length, 0)

  // The bank reports another credit under a reference that it has used, and an operator accepts it.
  const taken = await accountAt(shop, '035')
  assert.deepEqual(await paid('FT1', taken), { kind: 'conflict' })
  const { prints } = commandsFor(shop)
  const [conflict] = await prints('credits', 'conflicts', 'list')
  await prints('credits', 'conflicts', 'take', conflict.id)
  await until('it was received', async () => (await prints('credits', 'conflicts', 'list')).length === 0)
  const ofTaken = { reference: 'CB-2', bankCode: taken.bankCode, accountNumber: taken.accountNumber }
  assert.deepEqual(await notify(ofTaken), { kind: 'accepted' })
  const disputed = (await shop.call(contract.listDisputes, { query: {} })).content
  assert.equal(disputed[0]?.transactionReference, taken.transactionReference)
  await assertLedgerClean(shop)
})

test('a dispute reported by email is opened and ended by two operators, never by one', async () => {
  const shop = await aShop()
  const code = await codeOf(shop)
  const [one, two] = [await anOperator(shop, 'operator'), await anOperator(shop, 'operator')]
  const transactionReference = await paid(shop, 5_000)
  const body = {
    transactionReference,
    partner: 'wema',
    partnerReference: `mail-${transactionReference}`,
    disputeType: 'RECALL' as const,
    amount: 2_000,
    reason: 'Their letter of Monday',
  }
  await one.rejected(404, contract.requestDispute, { params: { code: 'nobody' }, body })
  await one.rejected(404, contract.requestDispute, {
    params: { code },
    body: { ...body, transactionReference: 'KOBO|0' },
  })
  const requested = await one.call(contract.requestDispute, { params: { code }, body })
  await one.rejected(403, contract.approveChange, { params: requested })
  assert.equal((await balancesOf(shop)).availableBalance, OPENING_BALANCE, 'nothing is held yet')
  await two.call(contract.approveChange, { params: requested })
  assert.equal((await balancesOf(shop)).availableBalance, OPENING_BALANCE - 2_000)
  const [dispute] = (await two.call(contract.browseAllDisputes, { query: { merchant: code } })).items
  assert.deepEqual(
    [dispute?.status, dispute?.amount, dispute?.partner, dispute?.reason],
    ['OPEN', 2_000, 'wema', 'Their letter of Monday'],
  )
  // Reported differently under the same reference.
  const otherwise = await one.call(contract.requestDispute, { params: { code }, body: { ...body, amount: 1_999 } })
  await two.rejected(422, contract.approveChange, { params: otherwise })

  const params = { disputeReference: dispute?.disputeReference ?? '' }
  const lost = { outcome: 'LOST' as const, reason: 'Their letter of Friday' }
  await one.rejected(404, contract.requestDisputeEnd, { params: { disputeReference: 'nothing' }, body: lost })
  const ending = await one.call(contract.requestDisputeEnd, { params, body: lost })
  await two.call(contract.approveChange, { params: ending })
  const ended = await shop.call(contract.getDispute, { params })
  assert.deepEqual([ended.disputeStatus, ended.comment], ['LOST', 'Their letter of Friday'])
  await one.rejected(422, contract.requestDisputeEnd, { params, body: lost })
  const acts = await shop.db<{ act: string }[]>`
    select act from audit where merchant_id = ${shop.merchantId} and act like 'dispute.%' order by id`
  assert.deepEqual(
    acts.map(({ act }) => act),
    ['dispute.open', 'dispute.decide'],
  )
  await assertLedgerClean(shop)
})
