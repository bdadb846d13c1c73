import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as contract from '@kobo/contract'
import { wireText } from '../../../../connectors/src/kit/index.ts'
import { sandbox } from '../../../../connectors/test/connectors.ts'
import { verifyLedger } from '../../../src/app/ledger.ts'
import { isClean } from '../../../src/core/money/ledger/index.ts'
import { dayText, lagosDay, lagosMoment } from '../../../src/kernel/dates.ts'
import { kobo } from '../../../src/kernel/money.ts'
import { testWall } from '../../harness/clock.ts'
import type { TestGateway } from '../../harness/gateway.ts'
import { anAccount, reserveAccount, transferTo } from '../../harness/samples.ts'
import { slow } from '../../harness/slow.ts'
import { commandsFor, gatewayOf, reportCreditFrom, reportFrom, testBank } from '../../harness/test-banks.ts'
import { until } from '../../harness/until.ts'
import { anOperator } from '../../harness/users.ts'

interface Exception {
  readonly id: string
  readonly reason: string
  readonly state: string
  readonly amount: string
  readonly age: string
  readonly lines: readonly { readonly bankReference: string | null }[]
  readonly entries: readonly { readonly journal: string }[]
  readonly perhaps: readonly string[]
}

/** A payment that the partner reports. */
async function reportCredit(
  shop: TestGateway,
  railReference: string,
  naira: number,
  more: object = {},
): Promise<string> {
  const { accountNumber, bankCode, transactionReference } = await anAccount(shop, { amount: naira })
  const credit = { railReference, bankCode, accountNumber, amount: naira * 100, ...more }
  assert.deepEqual(await reportCreditFrom(shop, 'wema', credit), { kind: 'accepted' })
  return transactionReference
}

/** Advances the clock to an hour after the end of the day. */
const endDay = (shop: TestGateway, day: number): Promise<void> =>
  shop.advance(Math.ceil((lagosMoment(day + 1, 61).getTime() - shop.core.clock.now().getTime()) / 1_000))

/** Two operators post an exception as a cost, in the dashboard. */
async function byTwoOperators(shop: TestGateway, id: string): Promise<void> {
  const [one, two] = [await anOperator(shop, 'operator'), await anOperator(shop, 'operator')]
  const shown = async (by: typeof one) => {
    const { exceptions, partners } = await by.call(contract.listExceptions, {})
    assert.deepEqual(
      partners.map(({ partner, closedThrough }) => [partner, closedThrough]),
      [['wema', null]],
    )
    return exceptions.find((exception) => exception.id === id)
  }
  const before = await shown(one)
  assert.deepEqual([before?.reason, before?.amount, before?.proposal], ['UNBOOKED_FEE', -100, null])
  const decision = { params: { id }, body: { as: 'cost' as const, because: 'their price list' } }
  await one.rejected(422, contract.decideException, {
    ...decision,
    body: { as: 'credit', because: 'no account named' },
  })
  assert.deepEqual(await one.call(contract.decideException, decision), { state: 'PROPOSED' })
  assert.equal((await shown(one))?.proposal?.isYours, true)
  assert.match((await one.rejected(422, contract.decideException, decision)).message, /another operator must/)
  assert.equal((await shown(two))?.proposal?.isYours, false)
  assert.deepEqual(await two.call(contract.decideException, decision), { state: 'CARRIED_OUT' })
  assert.equal(await shown(two), undefined)
}

test('each kind of exception is named, decided by two operators, and the day is closed to the kobo', async (t) => {
  const shop = await gatewayOf(t, ['wema'])
  const { prints, refuses, run } = commandsFor(shop)
  await endDay(shop, lagosDay(shop.core.clock.now()))
  const today = lagosDay(shop.core.clock.now())
  await prints('statement', 'account', 'wema', '--number', '0123456789', '--from', dayText(today), '--opening', '0')
  const bank = testBank('0123456789', shop)
  const credit = (reference: string, naira: number, more: object = {}): void =>
    bank.addLine({ amount: kobo(BigInt(naira) * 100n), bankReference: reference, ...more })

  await reportCredit(shop, 'SESSION-OK-1', 5_000, { fee: 5_000, vat: 375 })
  credit('SESSION-OK-1', 5_000)
  bank.addLine({ amount: kobo(-5_375n), bankReference: 'FEE-OK-1', reference: 'SESSION-OK-1', isFee: true })
  // The bank deducts its fee from the amount.
  await reportCredit(shop, 'SESSION-NET-1', 3_000, { fee: 2_000, vat: 150 })
  bank.addLine({ amount: kobo(297_850n), bankReference: 'SESSION-NET-1' })
  await reportCredit(shop, 'SESSION-PLAIN', 7_001)
  bank.addLine({ amount: kobo(700_100n), narration: 'CASH DEPOSIT' })
  await reportCredit(shop, 'SESSION-WRONG', 4_000)
  credit('SESSION-WRONG', 3_900)
  await reportCredit(shop, 'SESSION-TWICE-1', 2_500)
  await reportCredit(shop, 'SESSION-TWICE-2', 2_500)
  credit('SESSION-TWICE-1', 2_500)
  await reportCredit(shop, 'SESSION-LATE', 1_234)
  const missed = await anAccount(shop, { amount: 6_600 })
  credit('SESSION-MISSED', 6_600, { narration: 'NIP FROM ADA OBI' })
  await reportCredit(shop, 'SESSION-FEE-1', 8_000, { fee: 5_000, vat: 375 })
  credit('SESSION-FEE-1', 8_000)
  bank.addLine({ amount: kobo(-6_000n), bankReference: 'FEE-1', reference: 'SESSION-FEE-1', isFee: true })
  await reportCredit(shop, 'SESSION-BANK-2', 900)
  credit('SESSION-BANK-2', 900)
  credit('SESSION-BANK-2', 900)
  bank.addLine({ amount: kobo(-1_000_000n), bankReference: 'PROFIT', narration: 'TO DIRECTOR' })
  bank.addLine({ amount: kobo(-10_000n), bankReference: 'SMS', isFee: true })

  const file = bank.write(today)
  const taken = await prints('statement', 'import', 'wema', file)
  assert.deepEqual([taken.newLines, taken.matched, taken.exceptions], [13, 6, 8])
  const all: Exception[] = await prints('reconcile', 'exceptions', 'wema')
  const named = (one: Exception): string => one.lines[0]?.bankReference ?? one.entries[0]?.journal ?? ''
  const reasons = Object.fromEntries(all.map((one) => [named(one), [one.reason, one.amount]]))
  assert.deepEqual(reasons, {
    'SESSION-WRONG': ['WRONG_AMOUNT', '-100.00'],
    'collection/SESSION-TWICE-2': ['DOUBLED_NOTICE', '-2500.00'],
    'collection/SESSION-LATE': ['MISSING_LINE', '-1234.00'],
    'SESSION-MISSED': ['MISSING_NOTICE', '6600.00'],
    'FEE-1': ['WRONG_FEE', '-6.25'],
    'SESSION-BANK-2': ['DOUBLED_LINE', '900.00'],
    PROFIT: ['UNKNOWN_DEBIT', '-10000.00'],
    SMS: ['UNBOOKED_FEE', '-100.00'],
  })
  const idOf = (name: string): string => all.find((one) => named(one) === name)?.id ?? assert.fail(name)
  const [status] = await prints('reconcile', 'status', 'wema')
  assert.deepEqual([status.proof.unexplained, status.proof.listed], ['0.00', '-6440.25'])
  assert.deepEqual([status.exceptions['0-1'], status.closedThrough], [8, null])
  const metrics = await (await fetch(`${shop.url}/metrics`)).text()
  assert.match(metrics, /^kobo_reconciliation_exceptions\{age="0-1"\} 8$/m)
  assert.match(metrics, /^kobo_statement_days\{partner="wema"\} 0$/m)

  const decide = (name: string, by: string, ...expected: readonly string[]) =>
    run('reconcile', 'decide', idOf(name), '--by', by, '--because', 'seen', ...expected)
  const byTwo = async (name: string, ...expected: readonly string[]): Promise<void> => {
    const first = await decide(name, 'Ada', ...expected)
    assert.equal(first.stderr, '')
    assert.equal(JSON.parse(first.stdout).state, 'PROPOSED')
    assert.match((await decide(name, 'ADA', ...expected)).stderr, /another operator must/)
    const second = await decide(name, 'Bayo', ...expected)
    assert.equal(JSON.parse(second.stdout).state, 'CARRIED_OUT', second.stderr)
  }
  // While its account is still open, the unreported credit pays the transaction it was meant for.
  await byTwo('SESSION-MISSED', '--as', 'credit', '--bank', missed.bankCode, '--account', missed.accountNumber)
  await until('the payment has arrived', async () => {
    const params = { transactionReference: missed.transactionReference }
    return (await shop.call(contract.getTransaction, { params })).paymentStatus === 'PAID'
  })
  await until('its line belongs to it, and the proof holds', async () => {
    // Between posting and matching the difference is unexplained, and the command exits with 1.
    const { code, stdout } = await run('reconcile', 'status', 'wema')
    return code === 0 && JSON.parse(stdout)[0].exceptions['0-1'] === 7
  })

  await refuses(/can be closed an hour after its end/, 'reconcile', 'close', 'wema')
  await endDay(shop, today)
  await refuses(/7 exceptions are neither decided nor explained/, 'reconcile', 'close', 'wema')

  // A different decision replaces the proposal.
  await decide('SESSION-WRONG', 'Ada', '--as', 'own')
  for (const name of ['SESSION-WRONG', 'collection/SESSION-TWICE-2', 'FEE-1']) await byTwo(name, '--as', 'cost')
  await byTwo('PROFIT', '--as', 'own')
  const balances = await prints('ledger', 'partners')
  const rails = balances.flatMap(({ byRail }: { byRail: object }) => Object.keys(byRail))
  const wema = balances.find(({ partner }: { partner: string }) => partner === 'wema')
  assert.equal(wema.byRail['bank charges'], `-${wema.costs}`)
  const byRail = Object.values<string>(wema.byRail).reduce((all, amount) => all + Number(amount), 0)
  assert.equal(byRail.toFixed(2), wema.held)
  assert.ok(
    rails.includes('bank-transfer') && !rails.includes('own'),
    `the operator’s own money is no partner’s: ${rails}`,
  )
  await byTwo('SESSION-BANK-2', '--as', 'suspense')
  await refuses(
    /Only a single incoming statement line/,
    'reconcile',
    'decide',
    idOf('collection/SESSION-LATE'),
    '--by',
    'A',
    '--because',
    'b',
    '--as',
    'credit',
    '--bank',
    '035',
    '--account',
    '0123456789',
  )
  // From here on there are operators, and --by takes one of them.
  await byTwoOperators(shop, idOf('SMS'))
  await refuses(/is not an open exception/, 'reconcile', 'explain', idOf('SMS'), '--because', 'again')
  await prints('reconcile', 'explain', idOf('collection/SESSION-LATE'), '--because', 'the bank books it tomorrow')
  assert.equal((await prints('returns', 'list')).length, 1)

  const [closed] = await prints('reconcile', 'close', 'wema')
  assert.deepEqual([closed.day, closed.bank, closed.lines], [dayText(today), '27565.75', 13])
  const sum = closed.explained.reduce((total: number, one: { amount: string }) => total + Number(one.amount), 0)
  assert.equal(Number(closed.bank) - Number(closed.books), Math.round(sum * 100) / 100)

  // A closed day does not change: not by another file, and not by hand.
  bank.addLine({ day: today, amount: kobo(1n), bankReference: 'AFTERWARDS' })
  await refuses(/but that day is closed/, 'statement', 'import', 'wema', bank.write(today))
  await assert.rejects(shop.db`update reconciliation_day set bank = 0`, /insert-only|permission denied/)
  await assert.rejects(
    shop.db`insert into statement_line (partner, id, file_id, key, day, amount, is_fee, named) values ('wema', 1, 1, 'k', ${today}, 1, false, '{}')`,
    /is closed/,
  )
  // The late line arrives, and is matched across days.
  const next = testBank('0123456789', shop)
  next.addLine({ day: today, amount: kobo(2_756_575n), bankReference: 'CARRIED' })
  next.write(today)
  next.addLine({ amount: kobo(123_400n), bankReference: 'SESSION-LATE' })
  const late = await prints('statement', 'import', 'wema', next.write(today + 1))
  assert.deepEqual([late.newLines, late.exceptions], [1, 0])
  const [after] = await prints('reconcile', 'status', 'wema')
  assert.deepEqual([after.proof.bank, after.proof.books, after.proof.unexplained], ['28799.75', '28799.75', '0.00'])
  await endDay(shop, today + 1)
  // With one kobo unexplained, no day is closed.
  await shop.db`update statement_account set opening_held = opening_held + 1`
  assert.equal((await run('reconcile', 'status', 'wema')).code, 1)
  await refuses(/0\.01 is unexplained/, 'reconcile', 'close', 'wema')
  await shop.db`update statement_account set opening_held = opening_held - 1`
  await prints('reconcile', 'close', 'wema', '--through', dayText(today + 1))
  assert.match(await prints('reconcile', 'report', 'wema'), /"wema",.*,"28799\.75","28799\.75","0\.00",0,1,/)
  assert.match(await prints('reconcile', 'report', 'wema', '--explained'), /MISSING_LINE|ANOTHER_DAY/)
  await prints(
    'reconcile',
    'price',
    'set',
    'wema',
    'bank-transfer',
    '--flat',
    '50',
    '--vat',
    '7.5',
    '--from',
    dayText(today),
  )
  const margin = await prints('reconcile', 'margin', '--from', dayText(today), '--to', dayText(today + 1))
  assert.match(margin, /^"wema","bank-transfer",10,"40735\.00","611\.03","2735\.25","537\.50","-2124\.22"\r$/m)
  // By the price list 50 and tax: one of the reported fees differs.
  const fees = await prints('reconcile', 'fees', 'wema', '--from', dayText(today), '--to', dayText(today))
  assert.match(
    fees,
    /^[^\n]*\r\n\S+,"bank-transfer","collection\/SESSION-NET-1","3000\.00","21\.50","53\.75","-32\.25"\r\n$/,
  )
  const verdict = await verifyLedger(shop.db)
  assert.ok(isClean(verdict), JSON.stringify(verdict.wrong))
})

/** A gateway with a bank's statement account from today on, and its operators' commands. */
async function aBankFromToday(t: TestContext) {
  const shop = await gatewayOf(t, ['wema'])
  const { prints, run } = commandsFor(shop)
  await endDay(shop, lagosDay(shop.core.clock.now()))
  const today = lagosDay(shop.core.clock.now())
  await prints('statement', 'account', 'wema', '--number', '0123456789', '--from', dayText(today), '--opening', '0')
  const exceptions = (): Promise<readonly (Exception & { readonly note: string | null })[]> =>
    prints('reconcile', 'exceptions', 'wema')
  /** Two operators decide, one after the other. */
  const decide = async (id: string, ...expected: readonly string[]) => {
    const by = (name: string) => run('reconcile', 'decide', id, '--by', name, '--because', 'seen', ...expected)
    return [await by('Ada'), await by('Bayo')] as const
  }
  return { shop, bank: testBank('0123456789', shop), today, prints, exceptions, decide }
}

slow(
  'a fee that is only on the statement is compared with the partner’s prices, before and after it is booked',
  async (t) => {
    const { shop, bank, today, prints, exceptions, decide } = await aBankFromToday(t)
    const price = ['--flat', '50', '--vat', '7.5', '--from', dayText(today)]
    await prints('reconcile', 'price', 'set', 'wema', 'bank-transfer', ...price)
    for (const [railReference, fee] of [
      ['SESSION-DEAR', 6_000n],
      ['SESSION-FAIR', 5_375n],
    ] as const) {
      const { bankCode, accountNumber } = await reserveAccount(shop)
      const credit = { railReference, bankCode, accountNumber, amount: 500_000 }
      assert.deepEqual(await reportCreditFrom(shop, 'wema', credit), { kind: 'accepted' })
      bank.addLine({ amount: kobo(500_000n), bankReference: railReference })
      bank.addLine({ amount: kobo(-fee), bankReference: railReference, reference: railReference, isFee: true })
    }
    await prints('statement', 'import', 'wema', bank.write(today))
    const wrong = () => prints('reconcile', 'fees', 'wema', '--from', dayText(today), '--to', dayText(today))
    const dear = /^[^\n]*\r\n\S+,"bank-transfer","collection\/SESSION-DEAR","5000\.00","60\.00","53\.75","6\.25"\r\n$/
    assert.match(await wrong(), dear)
    const found = await exceptions()
    assert.deepEqual(
      found.map(({ reason }) => reason),
      ['UNBOOKED_FEE', 'UNBOOKED_FEE'],
    )
    for (const { id } of found) await decide(id, '--as', 'cost')
    assert.deepEqual(await exceptions(), [])
    assert.match(await wrong(), dear, 'each fee counts once')
  },
)

/** The amounts and references of all payments. */
const paymentsIn = async ({ db }: TestGateway): Promise<readonly string[]> =>
  (await db<{ railReference: string; amount: bigint }[]>`select rail_reference, amount from payment order by id`).map(
    ({ railReference, amount }) => `${railReference} ${amount}`,
  )

test('a credit found in a statement has the bank’s reference: a late notification is a repeat, whatever the payer wrote', async (t) => {
  const { shop, bank, today, prints, exceptions, decide } = await aBankFromToday(t)
  const { bankCode, accountNumber } = await reserveAccount(shop)
  const credit = ['--as', 'credit', '--bank', bankCode, '--account', accountNumber]
  const amount = kobo(660_000n)
  bank.addLine({ amount, reference: 'INV-77', bankReference: 'SESSION-1' })
  bank.addLine({ amount, reference: 'INV-77', bankReference: 'SESSION-2' })
  bank.addLine({ amount: kobo(50_000n), reference: 'RENT' })
  await prints('statement', 'import', 'wema', bank.write(today))
  for (const { id, lines } of await exceptions()) {
    if (lines[0]?.bankReference !== null) {
      const [, confirmed] = await decide(id, ...credit)
      assert.equal(confirmed.code, 0, confirmed.stderr)
      continue
    }
    const [rejected] = await decide(id, ...credit)
    assert.match(rejected.stderr, /no reference of the bank/)
    const [, confirmed] = await decide(id, ...credit, '--reference', 'SESSION-3')
    assert.equal(confirmed.code, 0, confirmed.stderr)
  }
  const all = ['SESSION-1 660000', 'SESSION-2 660000', 'SESSION-3 50000']
  await until('all are received and matched', async () => (await exceptions()).length === 0)
  assert.deepEqual((await paymentsIn(shop)).toSorted(), all)
  for (const [railReference, reportCredit] of [['SESSION-1', 660_000] as const, ['SESSION-3', 50_000] as const])
    assert.deepEqual(
      await reportCreditFrom(shop, 'wema', { railReference, bankCode, accountNumber, amount: reportCredit }),
      { kind: 'accepted' },
      'the bank’s late notification',
    )
  assert.deepEqual((await paymentsIn(shop)).toSorted(), all)
  assert.ok(isClean(await verifyLedger(shop.db)))
})

slow(
  'a statement line that cannot be received as a credit is open again with the reason, and can be decided otherwise',
  async (t) => {
    const { shop, bank, today, prints, exceptions, decide } = await aBankFromToday(t)
    const { bankCode, accountNumber } = await reserveAccount(shop)
    const other = await reserveAccount(shop)
    const reportCredit = { railReference: 'SESSION-1', bankCode, accountNumber, amount: 90_000 }
    assert.deepEqual(await reportCreditFrom(shop, 'wema', reportCredit), { kind: 'accepted' })
    for (let time = 0; time < 3; time++) bank.addLine({ amount: kobo(90_000n), bankReference: 'SESSION-1' })
    await prints('statement', 'import', 'wema', bank.write(today))
    const [repeat, conflict] = await exceptions()
    assert.ok(repeat !== undefined && conflict !== undefined)
    await decide(repeat.id, '--as', 'credit', '--bank', bankCode, '--account', accountNumber)
    await decide(conflict.id, '--as', 'credit', '--bank', bankCode, '--account', other.accountNumber)
    const open = (id: string) => async () => (await exceptions()).find((one) => one.id === id)?.state === 'OPEN'
    await until('the repeat is open', open(repeat.id))
    await until('the conflict is open', open(conflict.id))
    const notes = new Map((await exceptions()).map(({ id, note }) => [id, note]))
    assert.match(notes.get(repeat.id) ?? '', /already in the ledger/)
    assert.match(notes.get(conflict.id) ?? '', /names another credit/)
    const [{ id }] = await prints('credits', 'conflicts', 'list')
    await prints('credits', 'conflicts', 'take', id)
    await until('the accepted conflict belongs to its line', async () => {
      await prints('reconcile', 'match', 'wema')
      return (await exceptions()).length === 1
    })
    const [last] = await exceptions()
    const [, confirmed] = await decide(last?.id ?? '', '--as', 'suspense')
    assert.equal(confirmed.code, 0, confirmed.stderr)
    assert.deepEqual(await exceptions(), [])
    assert.ok(isClean(await verifyLedger(shop.db)))
  },
)

/** A gateway and its partner's simulated bank, reconciled from today on, whose operators transfer without codes. */
async function withTransfers(t: TestContext) {
  const KOBO_RAILS_SECRET = `wema=${'a-secret-of-wema'.padEnd(32, '.')}`
  const partner = await sandbox(t, { wall: testWall, env: { KOBO_CONNECTORS: 'wema=sandbox', KOBO_RAILS_SECRET } })
  const shop = await gatewayOf(t, ['wema'], { env: { KOBO_RAILS_URL: `wema=${partner.url}`, KOBO_RAILS_SECRET } })
  const { prints, refuses } = commandsFor(shop)
  await shop.call(contract.changeSettings, { body: { otpEnabled: false } })
  // Both begin early in a day, so that a test does not continue after midnight.
  const began = shop.core.clock.now()
  await endDay(shop, lagosDay(began))
  await partner.control('advance', {
    seconds: Math.ceil((shop.core.clock.now().getTime() - began.getTime()) / 1_000),
  })
  const today = lagosDay(shop.core.clock.now())
  await prints('statement', 'account', 'wema', '--number', '0123456789', '--from', dayText(today), '--opening', '0')
  const referenceOf = async (reference: string): Promise<string> => {
    const [row] = await shop.db<{ transactionReference: string }[]>`
      select transaction_reference from transfer where reference = ${reference}`
    return row?.transactionReference ?? ''
  }
  return { partner, shop, prints, refuses, today, referenceOf, bank: testBank('0123456789', shop) }
}

test('a transfer that the bank has paid although its money went back to the wallet is found in the day’s statement', async (t) => {
  const { shop, prints, today, referenceOf, bank } = await withTransfers(t)
  const { reference, status } = await transferTo(shop, '001', { amount: 1_000 })
  assert.equal(status, 'FAILED')
  const bankReference = await referenceOf(reference)
  bank.addLine({ amount: kobo(-100_000n), bankReference })
  assert.ok(isClean(await verifyLedger(shop.db)), 'the ledger alone cannot know it')
  await prints('statement', 'import', 'wema', bank.write(today))
  const found: Exception[] = await prints('reconcile', 'exceptions', 'wema')
  assert.deepEqual(
    found.map(({ reason, amount, lines }) => [reason, amount, lines[0]?.bankReference]),
    [['UNKNOWN_DEBIT', '-1000.00', bankReference]],
  )
})

for (const format of ['camt', 'mt940', 'csv'] as const)
  test(`a transfer that comes back on the same day is matched in full (${format})`, async (t) => {
    const { partner, shop, prints, today, referenceOf, bank } = await withTransfers(t)
    if (format === 'csv') await prints('statement', 'account', 'wema', '--mapping', bank.mapping())
    const [one, two] = [
      await transferTo(shop, '003', { amount: 1_600 }),
      await transferTo(shop, '003', { amount: 1_700 }),
    ]
    for (const { reference, amount } of [one, two]) {
      const bankReference = await referenceOf(reference)
      const sent = kobo(BigInt(amount) * 100n)
      for (const moved of [kobo(-sent), sent]) bank.addLine({ amount: moved, bankReference, reference: bankReference })
    }
    await partner.control('advance', { seconds: 301 })
    await shop.advance(301)
    for (const { reference } of [one, two])
      assert.equal((await shop.call(contract.getTransfer, { query: { reference } })).status, 'REVERSED')
    const taken = await prints('statement', 'import', 'wema', bank.write(today, format))
    assert.deepEqual(
      [taken.newLines, taken.exceptions],
      [4, 0],
      JSON.stringify(await prints('reconcile', 'exceptions')),
    )
  })

test('transfers, settlements and returned credits are matched by session id if a statement has no other reference', async (t) => {
  const { partner, shop, prints, today, bank } = await withTransfers(t)
  await shop.call(contract.changeSettings, {
    body: {
      settlement: 'INSTANT',
      settlementDestination: 'BANK',
      settlementAccount: { bankCode: '058', accountNumber: '0123456789', accountName: 'ADA STORES' },
    },
  })
  await transferTo(shop, '789', { amount: 1_600 })
  await transferTo(shop, '003', { amount: 1_700 })
  await partner.control('advance', { seconds: 301 })
  await shop.advance(301)
  await reportCredit(shop, 'FT-1', 5_000)
  bank.addLine({ amount: kobo(500_000n), bankReference: 'FT-1' })
  let payouts: readonly { readonly amount: bigint; readonly sessionId: string }[] = []
  await until('the payment is settled', async () => {
    await shop.advance(60)
    payouts = await shop.db<{ amount: bigint; sessionId: string }[]>`
      select amount, session_id from settlement_payout where merchant_id = ${shop.merchantId} and session_id is not null`
    return payouts.length > 0
  })
  const transfers = await shop.db<{ amount: bigint; sessionId: string; status: string }[]>`
    select amount, session_id, status from transfer where merchant_id = ${shop.merchantId} order by id`
  assert.deepEqual(
    transfers.map(({ status }) => status),
    ['SUCCESS', 'REVERSED'],
  )
  const payer = { name: 'ADA OBI', accountNumber: '0123456789', bankCode: '058', bvn: null }
  const unassigned = { railReference: 'FT-2', bankCode: '035', accountNumber: '9999999999', amount: 45_000, payer }
  await reportCreditFrom(shop, 'wema', unassigned)
  bank.addLine({ amount: kobo(45_000n), bankReference: 'FT-2' })
  let returned: typeof payouts = []
  await until('the credit is returned', async () => {
    await shop.advance(60)
    returned = await shop.db<{ amount: bigint; sessionId: string }[]>`
      select amount, session_id from credit_return where session_id is not null`
    return returned.length > 0
  })
  for (const { amount, sessionId } of [...transfers, ...payouts, ...returned])
    bank.addLine({ amount: kobo(-amount), bankReference: sessionId })
  const [, back] = transfers
  bank.addLine({ amount: kobo(back?.amount ?? 0n), bankReference: back?.sessionId ?? '' })
  const taken = await prints('statement', 'import', 'wema', bank.write(today))
  assert.deepEqual([taken.newLines, taken.exceptions], [7, 0], JSON.stringify(await prints('reconcile', 'exceptions')))
})

test('a debit names the orders of its amount that have no outcome yet: deciding it would book one twice', async (t) => {
  const { shop, prints, today, referenceOf, bank } = await withTransfers(t)
  await transferTo(shop, '002', { amount: 1_700 })
  const pending = await transferTo(shop, '002', { amount: 1_600 })
  assert.equal(pending.status, 'PENDING')
  for (const amount of [kobo(-160_000n), kobo(160_000n)]) bank.addLine({ amount, bankReference: `BANK${amount}` })
  await prints('statement', 'import', 'wema', bank.write(today))
  const found: Exception[] = await prints('reconcile', 'exceptions', 'wema')
  const [debit, credit] = found.toSorted((one, other) => Number(one.amount) - Number(other.amount))
  assert.equal(debit?.reason, 'UNKNOWN_DEBIT')
  assert.deepEqual(debit?.perhaps, [credit?.id, await referenceOf(pending.reference)])
  assert.deepEqual(credit?.perhaps, [debit?.id])
  const { exceptions } = await (await anOperator(shop, 'operator')).call(contract.listExceptions, {})
  assert.deepEqual(exceptions.map(({ orders }) => orders).sort(), [[], [await referenceOf(pending.reference)]])
})

test('a credit names the transfer of its amount that may still come back: it is to be queried', async (t) => {
  const { shop, prints, today, referenceOf, bank } = await withTransfers(t)
  const arrived = await transferTo(shop, '789', { amount: 1_600 })
  const watched = await transferTo(shop, '003', { amount: 1_700 })
  for (const { reference, amount } of [arrived, watched])
    for (const sign of [-100n, 100n])
      bank.addLine({ amount: kobo(BigInt(amount) * sign), bankReference: await referenceOf(reference) })
  await prints('statement', 'import', 'wema', bank.write(today))
  const found: Exception[] = await prints('reconcile', 'exceptions', 'wema')
  assert.deepEqual(found.map(({ reason, amount, perhaps }) => [reason, amount, perhaps]).toSorted(), [
    ['MISSING_NOTICE', '1600.00', []],
    ['MISSING_NOTICE', '1700.00', [await referenceOf(watched.reference)]],
  ])
})

test('a transfer is matched by the hash that its connector sent instead of a reference that is too long', async (t) => {
  const { shop, prints, today, referenceOf, bank } = await withTransfers(t)
  for (const amount of [1_600, 1_700]) {
    const { reference } = await transferTo(shop, '789', { amount })
    const sent = amount === 1_600 ? await referenceOf(reference) : `${await referenceOf(reference)}~2`
    bank.addLine({ amount: kobo(BigInt(-amount) * 100n), bankReference: wireText(sent, 30) })
  }
  const taken = await prints('statement', 'import', 'wema', bank.write(today))
  assert.deepEqual([taken.newLines, taken.exceptions], [2, 0], JSON.stringify(await prints('reconcile', 'exceptions')))
})

test('a line that brings a transfer back is not received as a credit: its money would be booked twice', async (t) => {
  const { shop, prints, refuses, today, referenceOf, bank } = await withTransfers(t)
  const { reference } = await transferTo(shop, '789', { amount: 1_600 })
  const bankReference = await referenceOf(reference)
  for (const amount of [kobo(-160_000n), kobo(160_000n)]) bank.addLine({ amount, bankReference })
  const hashed = await transferTo(shop, '789', { amount: 1_700 })
  const wire = wireText(await referenceOf(hashed.reference), 30)
  for (const amount of [kobo(-170_000n), kobo(170_000n)]) bank.addLine({ amount, bankReference: wire })
  await prints('statement', 'import', 'wema', bank.write(today))
  const found: Exception[] = await prints('reconcile', 'exceptions', 'wema')
  const backs = found.toSorted((one, other) => Number(one.amount) - Number(other.amount))
  const { bankCode, accountNumber } = await reserveAccount(shop)
  const credit = ['--as', 'credit', '--bank', bankCode, '--account', accountNumber]
  assert.deepEqual(
    backs.map(({ reason, amount }) => [reason, amount]),
    [
      ['MISSING_NOTICE', '1600.00'],
      ['MISSING_NOTICE', '1700.00'],
    ],
  )
  for (const [index, asked] of [bankReference, await referenceOf(hashed.reference)].entries())
    await refuses(
      new RegExp(`it came back and is no credit.*kobo orders ask ${asked}\\)`),
      ...['reconcile', 'decide', backs[index]?.id ?? '', '--by', 'Ada', '--because', 'the bank has it', ...credit],
    )
})

test('a lost dispute is matched by the reference that the bank gave it', async (t) => {
  const { shop, bank, today, prints } = await aBankFromToday(t)
  const { accountNumber, bankCode, transactionReference } = await anAccount(shop, { amount: 5_000 })
  const credit = { railReference: 'SESSION-1', bankCode, accountNumber, amount: 500_000 }
  assert.deepEqual(await reportCreditFrom(shop, 'wema', credit), { kind: 'accepted' })
  bank.addLine({ amount: kobo(500_000n), bankReference: 'SESSION-1' })
  const notice = {
    reference: 'CB-2026-77',
    kind: 'CHARGEBACK',
    paymentReference: 'SESSION-1',
    bankCode,
    accountNumber,
    amount: 500_000,
  }
  for (const status of ['OPEN', 'LOST']) await reportFrom(shop, 'wema', 'disputes', { ...notice, status })
  const [dispute] = (await shop.call(contract.listDisputes, { query: {} })).content
  assert.deepEqual([dispute?.transactionReference, dispute?.disputeStatus], [transactionReference, 'LOST'])
  bank.addLine({ amount: kobo(-500_000n), bankReference: 'CB-2026-77' })
  const taken = await prints('statement', 'import', 'wema', bank.write(today))
  assert.deepEqual([taken.newLines, taken.exceptions], [2, 0], JSON.stringify(await prints('reconcile', 'exceptions')))
})
