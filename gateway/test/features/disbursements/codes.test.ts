import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { verifyLedger } from '../../../src/app/ledger.ts'
import { isClean } from '../../../src/core/money/ledger/index.ts'
import { openLog } from '../../../src/platform/observability/log.ts'
import { aShop, gateway, type Shop } from '../../harness/gateway.ts'
import { mailServer } from '../../harness/mail-server.ts'
import { aBatch, anItem, aTransfer, balancesOf, codeFor, transferTo } from '../../harness/samples.ts'

const OPENING = 10_000_000
const HOURS = 3_600
const another = (code: string): string => (code === '000000' ? '000001' : '000000')

const statusOf = async (shop: Shop, reference: string): Promise<string> =>
  (await shop.call(contract.getTransfer, { query: { reference } })).status

const authorize = (shop: Shop, reference: string, authorizationCode: string) =>
  shop.call(contract.authorizeTransfer, { body: { reference, authorizationCode } })

const rejectedCode = (shop: Shop, reference: string, authorizationCode: string) =>
  shop.rejected(400, contract.authorizeTransfer, { body: { reference, authorizationCode } })

test('with OTP on, a transfer waits for its emailed code and is then sent', async (t) => {
  const shop = await gateway(t)
  const body = await aTransfer(shop)
  const { dateCreated: _, ...waiting } = await shop.call(contract.initiateTransfer, { body })
  assert.deepEqual(waiting, {
    amount: 5_000,
    reference: body.reference,
    status: 'PENDING_AUTHORIZATION',
    totalFee: 10,
    destinationAccountName: body.destinationAccountName,
    destinationBankName: 'GTBank',
    destinationAccountNumber: '0123456789',
    destinationBankCode: '058',
    senderInfo: null,
    comment: 'Awaiting authorization by emailed code or approver',
  })
  assert.deepEqual(await balancesOf(shop), { availableBalance: OPENING - 5_010, ledgerBalance: OPENING })
  assert.equal((await shop.db`select from simulated_entry where rail = 'transfer'`).count, 0, 'nothing is sent yet')
  const [mail] = await shop.call(contract.readInbox, { query: {} })
  assert.match(mail?.text ?? '', /^\d{6} is your code/m)
  assert.match(mail?.text ?? '', /: ₦5,010\.00$/m)

  const done = await authorize(shop, body.reference, await codeFor(shop, body.reference))
  assert.deepEqual([done.status, done.comment], ['SUCCESS', 'Transfer successful'])
  const record = await shop.call(contract.getTransfer, { query: body })
  assert.deepEqual([record.status, record.twoFaEnabled], ['SUCCESS', true])
  assert.deepEqual(await balancesOf(shop), { availableBalance: OPENING - 5_010, ledgerBalance: OPENING - 5_010 })
})

test('a code is stored as a keyed hash and appears in no log, response or event', async (t) => {
  const written = new PassThrough()
  let log = ''
  written.on('data', (chunk) => (log += chunk))
  const shop = await gateway(t, { log: openLog('trace', written) })
  const { reference } = await transferTo(shop, '789')
  const code = await codeFor(shop, reference)
  await rejectedCode(shop, reference, another(code))
  const response = await authorize(shop, reference, code)
  const stored = await shop.db`select * from transfer_authorization`
  const events = await shop.call(contract.listEvents, { query: { size: 50 } })
  const all = [response, stored, events.content.map(({ body }) => body)].map((one) =>
    JSON.stringify(one, (_, value) => (typeof value === 'bigint' ? '' : value)),
  )
  // The six digits may occur inside a longer number, but not on their own.
  for (const text of [log, ...all]) assert.ok(!new RegExp(`\\b${code}\\b`).test(text))
})

test('of many concurrent correct codes one sends; a later one returns the current state; a wrong one is rejected', async (t) => {
  const shop = await gateway(t)
  const { reference } = await transferTo(shop, '002')
  const code = await codeFor(shop, reference)
  const responses = await Promise.all(Array.from({ length: 15 }, () => authorize(shop, reference, code)))
  assert.deepEqual([...new Set(responses.map(({ status }) => status))], ['PENDING'])
  assert.equal((await shop.db`select from simulated_entry where rail = 'transfer'`).count, 1)
  await shop.advance(HOURS)
  assert.equal((await authorize(shop, reference, code)).status, 'SUCCESS', 'long after the code has run out')
  assert.equal((await rejectedCode(shop, reference, another(code))).responseCode, 'D01')
  assert.deepEqual(await balancesOf(shop), { availableBalance: OPENING - 5_010, ledgerBalance: OPENING - 5_010 })
})

test('a wrong code is rejected, five exhaust the code, and a new code allows five more attempts', async () => {
  const shop = await aShop()
  const { reference } = await transferTo(shop, '789')
  const code = await codeFor(shop, reference)
  for (let n = 0; n < 5; n++) {
    const { responseCode, message } = await rejectedCode(shop, reference, another(code))
    assert.deepEqual([responseCode, message], ['D01', 'authorizationCode is wrong'])
  }
  assert.match((await rejectedCode(shop, reference, code)).message, /tried too often/)
  assert.equal(await statusOf(shop, reference), 'PENDING_AUTHORIZATION')
  await shop.advance(61)
  await shop.call(contract.resendTransferCode, { body: { reference } })
  assert.equal((await authorize(shop, reference, await codeFor(shop, reference))).status, 'SUCCESS')
})

test('concurrent wrong codes are all counted', async () => {
  const shop = await aShop()
  const { reference } = await transferTo(shop, '789')
  const code = await codeFor(shop, reference)
  const messages = await Promise.all(
    Array.from({ length: 12 }, async () => (await rejectedCode(shop, reference, another(code))).message),
  )
  assert.equal(messages.filter((message) => message === 'authorizationCode is wrong').length, 5)
  assert.match((await rejectedCode(shop, reference, code)).message, /tried too often/)
})

test('a code is valid for ten minutes', async () => {
  const shop = await aShop()
  const early = await transferTo(shop, '789')
  const late = await transferTo(shop, '788')
  const codes = [await codeFor(shop, early.reference), await codeFor(shop, late.reference)]
  await shop.advance(590)
  assert.equal((await authorize(shop, early.reference, codes[0] ?? '')).status, 'SUCCESS')
  await shop.advance(11)
  const { responseCode, message } = await rejectedCode(shop, late.reference, codes[1] ?? '')
  assert.deepEqual([responseCode, message], ['D01', 'authorizationCode has expired: request a new one'])
})

test('a code is resent at most once a minute, counted from the first email, and replaces the last one', async () => {
  const shop = await aShop()
  const { reference } = await transferTo(shop, '789')
  const first = await codeFor(shop, reference)
  const soon = await shop.send('POST', contract.resendTransferCode.path, { body: { reference } })
  assert.deepEqual([soon.status, soon.body.responseCode], [429, '99'])
  assert.ok(Number(soon.headers.get('retry-after')) > 0)
  await shop.advance(61)
  const responses = await Promise.all(
    Array.from({ length: 8 }, () => shop.send('POST', contract.resendTransferCode.path, { body: { reference } })),
  )
  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 429, 429, 429, 429, 429, 429, 429])
  const mails = await shop.call(contract.readInbox, { query: {} })
  assert.equal(mails.length, 2)
  const second = await codeFor(shop, reference)
  if (first !== second) assert.equal((await rejectedCode(shop, reference, first)).responseCode, 'D01')
  assert.equal((await authorize(shop, reference, second)).status, 'SUCCESS')
  const over = await shop.rejected(400, contract.resendTransferCode, { body: { reference } })
  assert.deepEqual(over, {
    message: 'This payout is SUCCESS: it does not need authorization',
    responseCode: 'D01',
    code: 'NOTHING_TO_AUTHORIZE',
  })
})

test('a code is resent by either reference field on either path', async () => {
  const shop = await aShop()
  const { reference } = await transferTo(shop, '789')
  const { batchReference } = await shop.call(contract.initiateBatch, { body: aBatch(shop, [anItem()]) })
  for (const [route, body] of [
    [contract.resendTransferCode, { reference }],
    [contract.resendTransferCode, { batchReference: reference }],
    [contract.resendBatchCode, { reference }],
    [contract.resendBatchCode, { batchReference }],
    [contract.resendBatchCode, { reference: batchReference }],
    [contract.resendTransferCode, { batchReference }],
  ] as const) {
    await shop.advance(61)
    assert.match((await shop.call(route, { body })).message, /sent by email/)
  }
  for (const route of [contract.resendTransferCode, contract.resendBatchCode]) {
    assert.equal((await shop.rejected(400, route, { body: {} })).responseCode, 'D01')
    assert.equal((await shop.rejected(404, route, { body: { reference: 'nobody' } })).responseCode, 'D02')
  }
})

test('authorization is rejected for unknown transfers, without OTP, for another merchant’s, and for an item of a batch', async () => {
  const shop = await aShop()
  const body = { reference: 'nobody', authorizationCode: '123456' }
  assert.equal((await shop.rejected(404, contract.authorizeTransfer, { body })).responseCode, 'D02')
  assert.equal((await shop.rejected(404, contract.authorizeBatch, { body })).responseCode, 'D02')
  for (const route of [contract.authorizeTransfer, contract.authorizeBatch])
    for (const field of ['reference', 'authorizationCode']) {
      const rejected = await shop.rejected(400, route, { body: { ...body, [field]: undefined } })
      assert.deepEqual(rejected, { message: `${field} is required`, responseCode: 'D01', code: 'MALFORMED_FIELD' })
    }
  const { reference } = await transferTo(shop, '788')
  const code = await codeFor(shop, reference)
  const other = await shop.anotherMerchant()
  await other.rejected(404, contract.authorizeTransfer, { body: { reference, authorizationCode: code } })
  const item = anItem()
  await shop.call(contract.initiateBatch, { body: aBatch(shop, [item]) })
  const part = { reference: item.reference, authorizationCode: code }
  assert.match((await shop.rejected(400, contract.authorizeTransfer, { body: part })).message, /part of a batch/)
  await shop.call(contract.changeSettings, { body: { otpEnabled: false } })
  const free = await transferTo(shop, '789')
  assert.match((await rejectedCode(shop, free.reference, '123456')).message, /This payout is SUCCESS/)
})

test('a code that cannot be emailed leaves OTP_EMAIL_DISPATCH_FAILED, and a resend restores it', async () => {
  const shop = await aShop()
  await shop.call(contract.changeSettings, { body: { mail: 'FAIL' } })
  const { reference, status, comment } = await transferTo(shop, '789')
  assert.deepEqual(
    [status, comment],
    ['OTP_EMAIL_DISPATCH_FAILED', 'Awaiting authorization: the code could not be sent by email'],
  )
  assert.deepEqual(await balancesOf(shop), { availableBalance: OPENING - 5_010, ledgerBalance: OPENING })
  assert.match((await rejectedCode(shop, reference, '123456')).message, /could not be sent/)
  const again = await shop.rejected(400, contract.resendTransferCode, { body: { reference } })
  assert.equal(again.responseCode, 'D01')
  assert.equal(await statusOf(shop, reference), 'OTP_EMAIL_DISPATCH_FAILED')
  await shop.call(contract.changeSettings, { body: { mail: 'OK' } })
  await shop.call(contract.resendTransferCode, { body: { reference } })
  assert.equal(await statusOf(shop, reference), 'PENDING_AUTHORIZATION')
  assert.equal((await authorize(shop, reference, await codeFor(shop, reference))).status, 'SUCCESS')
})

for (const mail of ['OK', 'FAIL'] as const)
  test(`a transfer not authorized in 24 hours expires, releases its money and notifies the merchant (mail ${mail})`, async (t) => {
    const shop = await gateway(t)
    await shop.call(contract.changeSettings, { body: { mail } })
    const { reference } = await transferTo(shop, '789')
    await shop.advance(24 * HOURS - 30)
    assert.notEqual(await statusOf(shop, reference), 'EXPIRED')
    assert.deepEqual(await balancesOf(shop), { availableBalance: OPENING - 5_010, ledgerBalance: OPENING })
    await shop.advance(31)
    assert.equal(await statusOf(shop, reference), 'EXPIRED')
    assert.deepEqual(await balancesOf(shop), { availableBalance: OPENING, ledgerBalance: OPENING })
    const { content } = await shop.call(contract.listEvents, { query: { eventType: 'FAILED_DISBURSEMENT' } })
    const reported = content.map(({ body }) => JSON.parse(body).eventData)
    assert.deepEqual(
      reported.map(({ reference, status, sessionId }) => ({ reference, status, sessionId })),
      [{ reference, status: 'EXPIRED', sessionId: '' }],
    )
    assert.match((await rejectedCode(shop, reference, '123456')).message, /not authorized in time/)
    await shop.rejected(400, contract.resendTransferCode, { body: { reference } })
    assert.ok(isClean(await verifyLedger(shop.db)))
  })

test('a batch waits for one code, expires as a whole, and its items show its status', async (t) => {
  const shop = await gateway(t)
  const items = [anItem(), anItem({ amount: 2_000 })]
  const body = aBatch(shop, items)
  const { batchStatus, batchReference } = await shop.call(contract.initiateBatch, { body })
  assert.equal(batchStatus, 'PENDING_AUTHORIZATION')
  assert.equal(await statusOf(shop, items[0]?.reference ?? ''), 'PENDING_AUTHORIZATION')
  const authorizationCode = await codeFor(shop, batchReference)
  const wrong = { reference: batchReference, authorizationCode: another(authorizationCode) }
  assert.equal((await shop.rejected(400, contract.authorizeBatch, { body: wrong })).responseCode, 'D01')
  const right = { reference: batchReference, authorizationCode }
  const authorized = await Promise.all(
    Array.from({ length: 5 }, () => shop.call(contract.authorizeBatch, { body: right })),
  )
  for (const one of authorized) assert.ok(['AWAITING_PROCESSING', 'IN_PROGRESS', 'COMPLETED'].includes(one.batchStatus))
  await shop.advance(1)
  assert.equal((await shop.call(contract.getBatch, { query: right })).batchStatus, 'COMPLETED')
  assert.equal((await shop.db`select from simulated_entry where rail = 'transfer'`).count, 2)

  await shop.call(contract.changeSettings, { body: { mail: 'FAIL' } })
  const later = [anItem(), anItem()]
  const second = await shop.call(contract.initiateBatch, { body: aBatch(shop, later) })
  assert.equal(second.batchStatus, 'PENDING_AUTHORIZATION')
  assert.equal(await statusOf(shop, later[1]?.reference ?? ''), 'OTP_EMAIL_DISPATCH_FAILED')
  await shop.call(contract.changeSettings, { body: { mail: 'OK' } })
  await shop.call(contract.resendBatchCode, { body: second })
  assert.equal(await statusOf(shop, later[1]?.reference ?? ''), 'PENDING_AUTHORIZATION')
  await shop.advance(24 * HOURS)
  const summary = await shop.call(contract.getBatch, { query: { reference: second.batchReference } })
  assert.deepEqual([summary.batchStatus, summary.failedCount, summary.pendingCount], ['EXPIRED', 2, 0])
  assert.deepEqual(await balancesOf(shop), { availableBalance: OPENING - 3_020, ledgerBalance: OPENING - 3_020 })
  const received = await shop.call(contract.listEvents, { query: { eventType: 'FAILED_DISBURSEMENT' } })
  assert.equal(received.totalElements, 2)
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('codes are sent through the mail server, and its rejection is recorded', async (t) => {
  const server = await mailServer(t)
  const shop = await gateway(t, { env: { SMTP_URL: server.url } })
  const { reference } = await transferTo(shop, '789')
  assert.equal(server.mails.length, 1)
  const code = /^(\d{6}) is your code/m.exec(server.mails[0] ?? '')?.[1] ?? ''
  assert.equal((await authorize(shop, reference, code)).status, 'SUCCESS')
  server.refuses = true
  const unsent = await transferTo(shop, '788')
  assert.equal(unsent.status, 'OTP_EMAIL_DISPATCH_FAILED')
  server.refuses = false
  await shop.call(contract.resendTransferCode, { body: { reference: unsent.reference } })
  assert.equal(server.mails.length, 2)
})

test('an email that fails late does not undo a code sent after it', async (t) => {
  const server = await mailServer(t)
  const shop = await gateway(t, { env: { SMTP_URL: server.url } })
  const body = await aTransfer(shop)
  server.refuses = true
  server.meanwhile = async () => {
    server.refuses = false
    server.meanwhile = undefined
    await shop.advance(61)
    await shop.call(contract.resendTransferCode, { body })
  }
  assert.equal((await shop.call(contract.initiateTransfer, { body })).status, 'PENDING_AUTHORIZATION')
  assert.equal(server.mails.length, 1)
  const code = /^(\d{6}) is your code/m.exec(server.mails[0] ?? '')?.[1] ?? ''
  assert.equal((await authorize(shop, body.reference, code)).status, 'SUCCESS')
})

/** Sends as many wrong codes for a transfer as one code allows. */
async function guessFive(shop: Shop, reference: string): Promise<void> {
  const wrong = another(await codeFor(shop, reference))
  for (let n = 0; n < 5; n++) assert.equal((await rejectedCode(shop, reference, wrong)).code, 'WRONG_CODE')
}

test('parallel wrong codes over many transfers are compared no more often than the limit', async () => {
  const shop = await aShop()
  const transfers = await Promise.all(Array.from({ length: 12 }, (_, n) => transferTo(shop, String(780 + n))))
  const wrong = await Promise.all(transfers.map(async ({ reference }) => another(await codeFor(shop, reference))))
  const codes = await Promise.all(
    Array.from({ length: 48 }, async (_, n) => {
      const { reference } = transfers[n % transfers.length] ?? assert.fail()
      return (await rejectedCode(shop, reference, wrong[n % transfers.length] ?? '')).code
    }),
  )
  assert.equal(codes.filter((code) => code !== 'CODES_LOCKED').length, 20)
})

test('wrong codes are counted over all transfers and resends; then codes are locked for a day and the merchant is notified', async (t) => {
  const shop = await gateway(t)
  const [first, second, third, last] = await Promise.all(
    ['785', '786', '787', '788'].map((end) => transferTo(shop, end)),
  )
  assert.ok(first && second && third && last)
  for (const { reference } of [first, second, third]) await guessFive(shop, reference)
  assert.equal((await rejectedCode(shop, first.reference, '000000')).code, 'CODE_USED_UP')
  await shop.advance(60)
  await shop.call(contract.resendTransferCode, { body: { reference: first.reference } })
  await guessFive(shop, first.reference)

  const right = await codeFor(shop, last.reference)
  assert.equal((await rejectedCode(shop, last.reference, right)).code, 'CODES_LOCKED')
  await shop.advance(60)
  const body = { reference: last.reference }
  assert.equal((await shop.rejected(400, contract.resendTransferCode, { body })).code, 'CODES_LOCKED')
  assert.equal(await statusOf(shop, last.reference), 'PENDING_AUTHORIZATION')
  const mails = await shop.call(contract.readInbox, { query: { limit: 50 } })
  const subject = 'Transfers cannot be authorized: too many wrong codes'
  const [locked, ...more] = mails.filter((mail) => mail.subject === subject)
  assert.equal(more.length, 0)
  assert.match(locked?.text ?? '', /codes are locked until \d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d WAT\.$/m)
  assert.equal((await shop.db`select from audit where act = 'transfer-codes.lock'`).count, 1)

  const neighbour = await shop.anotherMerchant()
  await neighbour.call(contract.fundWallet, { body: { amount: 100_000 } })
  const theirs = await transferTo(neighbour, '789')
  const authorizationCode = await codeFor(neighbour, theirs.reference)
  await neighbour.call(contract.authorizeTransfer, { body: { reference: theirs.reference, authorizationCode } })

  await shop.advance(24 * HOURS)
  const { reference } = await transferTo(shop, '790')
  await rejectedCode(shop, reference, another(await codeFor(shop, reference)))
  assert.equal((await authorize(shop, reference, await codeFor(shop, reference))).status, 'SUCCESS')
})

test('a few wrong codes on many days do not lock the merchant', async (t) => {
  const shop = await gateway(t)
  for (let day = 0; day < 3; day++) {
    for (const end of ['785', '786']) await guessFive(shop, (await transferTo(shop, end)).reference)
    await shop.advance(25 * HOURS)
  }
  const { reference } = await transferTo(shop, '790')
  assert.equal((await authorize(shop, reference, await codeFor(shop, reference))).status, 'SUCCESS')
})
