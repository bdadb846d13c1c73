import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import * as contract from '@kobo/contract'
import { sandbox } from '../../../../connectors/test/connectors.ts'
import { verifyLedger } from '../../../src/app/ledger.ts'
import { isClean } from '../../../src/core/money/ledger/index.ts'
import { dayText, lagosDay } from '../../../src/kernel/dates.ts'
import { kobo } from '../../../src/kernel/money.ts'
import { inTransaction } from '../../../src/platform/postgres/db.ts'
import { assertBooks } from '../../harness/checked-books.ts'
import { ownFolder } from '../../harness/clear-up.ts'
import { testWall } from '../../harness/clock.ts'
import type { GatewayOptions } from '../../harness/gateway.ts'
import { codeOf } from '../../harness/operator-samples.ts'
import { asOwner } from '../../harness/postgres.ts'
import { advanceToHour, balancesOf, reserveAccount, transferTo } from '../../harness/samples.ts'
import { slow } from '../../harness/slow.ts'
import { commandsFor, gatewayOf, reportCreditFrom, testBank } from '../../harness/test-banks.ts'
import { makeUnresolved } from '../../harness/unresolved.ts'
import { until } from '../../harness/until.ts'
import { anOperator } from '../../harness/users.ts'

interface Exception {
  readonly id: string
  readonly reason: string
  readonly amount: string
  readonly lines: readonly { readonly bankReference: string | null }[]
  readonly entries: readonly { readonly journal: string; readonly merchantId: string }[]
}

/** A gateway and its bank, which is reconciled from today on. */
async function aBank(t: TestContext, options: GatewayOptions = {}) {
  const shop = await gatewayOf(t, ['wema'], options)
  const { prints, run } = commandsFor(shop)
  await advanceToHour(shop, 1) // so that a test does not continue after midnight
  const today = lagosDay(shop.core.clock.now())
  await prints('statement', 'account', 'wema', '--number', '0123456789', '--from', dayText(today), '--opening', '0')
  const bank = testBank('0123456789', shop)
  return {
    ...{ shop, bank, prints, run },
    /** Imports today's statement; returns the differences. */
    compare: async (): Promise<readonly Exception[]> => {
      await prints('statement', 'import', 'wema', bank.write(today))
      return prints('reconcile', 'exceptions', 'wema')
    },
    exceptions: (): Promise<readonly Exception[]> => prints('reconcile', 'exceptions', 'wema'),
    /** Two operators decide the same. */
    decide: async (id: string, ...expected: readonly string[]): Promise<void> => {
      for (const by of ['Ada', 'Bayo'])
        await prints('reconcile', 'decide', id, '--by', by, '--because', 'asked the bank', ...expected)
    },
  }
}

const named = ({ reason, amount, lines, entries }: Exception) => [
  reason,
  amount,
  lines[0]?.bankReference ?? entries[0]?.journal,
]

test('a decision waits for a match that is under way, which would otherwise write the earlier state over it', async (t) => {
  const { shop, bank, compare, decide } = await aBank(t)
  const { bankCode, accountNumber } = await reserveAccount(shop)
  bank.addLine({ amount: kobo(50_000n), bankReference: 'SESSION-1' })
  const [found] = await compare()
  let decided: Promise<void> | undefined
  await inTransaction(shop.db, async (tx) => {
    await tx`select from statement_account for update` // as matching does
    decided = decide(found?.id ?? '', '--as', 'credit', '--bank', bankCode, '--account', accountNumber)
    await until('the decision waits', async () => {
      const waiting = await shop.db`
        select from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%reconciliation_item%for update of a%'`
      return waiting.count > 0
    })
  })
  await decided
})

slow(
  'a payment that the bank made although two people called it failed is charged to its merchant, visibly',
  async (t) => {
    const KOBO_RAILS_SECRET = `wema=${'a-secret-of-wema'.padEnd(32, '.')}`
    const partner = await sandbox(t, { wall: testWall, env: { KOBO_CONNECTORS: 'wema=sandbox', KOBO_RAILS_SECRET } })
    const env = { KOBO_RAILS_URL: `wema=${partner.url}`, KOBO_RAILS_SECRET }
    const { shop, bank, prints, run, compare, exceptions, decide } = await aBank(t, { env })
    const code = await codeOf(shop)
    await shop.call(contract.changeSettings, { body: { otpEnabled: false } })
    const { availableBalance: before } = await balancesOf(shop)
    await transferTo(shop, '002', { amount: 1_000 })
    const reference = await makeUnresolved(shop, 'transfer')
    for (const by of ['Ada', 'Bayo'])
      await prints('orders', 'resolve', reference, '--as', 'failed', '--because', 'they said so', '--by', by)
    await until('the money is back', async () => (await balancesOf(shop)).availableBalance === before)

    // The bank has paid it all the same, and later more than the wallet holds.
    bank.addLine({ amount: kobo(-100_000n), bankReference: reference })
    bank.addLine({ amount: kobo(-1_200_000_000n), bankReference: 'ANOTHER' })
    const found = await compare()
    assert.deepEqual(found.map(named), [
      ['UNKNOWN_DEBIT', '-1000.00', reference],
      ['UNKNOWN_DEBIT', '-12000000.00', 'ANOTHER'],
    ])
    const rejected = await run(
      ...['reconcile', 'decide', found[0]?.id ?? '', '--by', 'Ada', '--because', 'x', '--as', 'merchant'],
      ...['--merchant', 'NOBODY'],
    )
    assert.match(rejected.stderr, /No merchant has the code NOBODY/)
    const [own] = found
    await decide(own?.id ?? '', '--as', 'merchant', '--merchant', code)
    assert.equal((await balancesOf(shop)).availableBalance, before - 1_000)
    await decide(found[1]?.id ?? '', '--as', 'merchant', '--merchant', code)
    assert.equal((await balancesOf(shop)).availableBalance, 0)
    const debts = await shop.db<
      { amount: bigint }[]
    >`select amount from merchant_debt where merchant_id = ${shop.merchantId}`
    assert.deepEqual(
      debts.map(({ amount }) => amount),
      [1_200_000_000n - BigInt(before - 1_000) * 100n],
    )
    assert.deepEqual(await exceptions(), [])
    const [status] = await prints('reconcile', 'status', 'wema')
    assert.equal(status.proof.unexplained, '0.00')
    await prints('reconcile', 'match', 'wema')
    assert.deepEqual(await exceptions(), [], 'the charge is no new difference')
    const verdict = await verifyLedger(shop.db)
    assert.ok(isClean(verdict), JSON.stringify(verdict))
    await assertBooks(shop.databaseUrl)
  },
)

test('one person cannot explain a merchant’s missing credit with another merchant’s', async (t) => {
  const { shop, bank, prints, run, compare, exceptions } = await aBank(t)
  const account = await reserveAccount(await shop.anotherMerchant())
  const { bankCode, accountNumber } = account
  // One merchant's credit was not reported; the other's was, and never arrived.
  const reportCredit = { railReference: 'NEVER-ARRIVED', bankCode, accountNumber, amount: 500_000 }
  assert.deepEqual(await reportCreditFrom(shop, 'wema', reportCredit), { kind: 'accepted' })
  bank.addLine({ amount: kobo(500_000n), bankReference: 'NOT-REPORTED' })
  const found = await compare()
  assert.deepEqual(found.map(named).toSorted(), [
    ['MISSING_LINE', '-5000.00', 'collection/NEVER-ARRIVED'],
    ['MISSING_NOTICE', '5000.00', 'NOT-REPORTED'],
  ])
  const ids = found.map(({ id }) => id)
  const join = (by: string, all = ids) => ['reconcile', 'join', ...all, '--because', 'same amount', '--by', by]
  assert.equal((await prints(...join('Ada'))).state, 'PROPOSED')
  assert.match((await run(...join('ADA', ids.toReversed()))).stderr, /another operator must/)
  assert.equal((await exceptions()).length, 2, 'nothing is explained yet')
  assert.equal((await prints(...join('Bayo', ids.toReversed()))).state, 'CARRIED_OUT')
  assert.deepEqual(await exceptions(), [])
})

test('a statement that was imported by mistake is cancelled by its opposite, and its day adds up again', async (t) => {
  const { shop, prints, run, exceptions } = await aBank(t)
  const day = dayText(lagosDay(shop.core.clock.now()))
  const importLines = async (name: string, ...lines: readonly string[]) => {
    const file = join(ownFolder('statements'), name)
    writeFileSync(
      file,
      ['date,amount,reference,balance,narration', ...lines.map((line) => `${day},${line},x`), ''].join('\n'),
    )
    await prints('statement', 'import', 'wema', file)
  }
  const proof = async () => JSON.parse((await run('reconcile', 'status', 'wema')).stdout)[0].proof
  const { bankCode, accountNumber } = await reserveAccount(shop)
  const credit = { railReference: 'SESSION-1', bankCode, accountNumber, amount: 500_000 }
  assert.deepEqual(await reportCreditFrom(shop, 'wema', credit), { kind: 'accepted' })
  await importLines('wrong.csv', '12000.00,OTHER-1,12000.00', '-2500.00,OTHER-2,9500.00')
  await importLines('right.csv', '5000.00,SESSION-1,5000.00')
  assert.match((await proof()).unknownReason, /a wrong one was imported$/)
  await importLines('correction.csv', '-12000.00,OTHER-1,2500.00', '2500.00,OTHER-2,5000.00')
  const ids = (await exceptions()).map(({ id }) => id)
  assert.equal(ids.length, 4)
  for (const by of ['Ada', 'Bayo']) await prints('reconcile', 'join', ...ids, '--because', 'wrong.csv', '--by', by)
  assert.deepEqual(await exceptions(), [])
  const { bank, books, unexplained } = await proof()
  assert.deepEqual([bank, books, unexplained], ['5000.00', '5000.00', '0.00'])
})

test('one operator is one person in reconciliation, at the command line and in the dashboard', async (t) => {
  const { shop, bank, run, compare, exceptions } = await aBank(t)
  bank.addLine({ amount: kobo(-10_000n), bankReference: 'SMS', narration: 'SMS ALERTS', isFee: true })
  const [found] = await compare()
  const id = found?.id ?? ''
  const [ada, ben] = [await anOperator(shop, 'operator'), await anOperator(shop, 'operator')]
  await ada.call(contract.decideException, { params: { id }, body: { as: 'cost', because: 'their price list' } })
  const decide = (by: string) =>
    ['reconcile', 'decide', id, '--by', by, '--because', 'their price list', '--as', 'cost'] as const
  const as = async (operator: typeof ada) => {
    const { token } = await operator.call(contract.createOperatorToken, {})
    return commandsFor(shop, { KOBO_OPERATOR_TOKEN: token })
  }
  assert.match((await run(...decide('Bayo'))).stderr, /KOBO_OPERATOR_TOKEN is required/)
  const adas = await as(ada)
  assert.match((await adas.run(...decide(ben.email))).stderr, /--by must be the email address of an operator/)
  assert.match((await adas.run(...decide(ada.email))).stderr, /another operator must/)
  assert.equal((await exceptions()).length, 1, 'nothing is booked yet')
  const { prints } = await as(ben)
  assert.equal((await prints(...decide(ben.email))).state, 'CARRIED_OUT')
  assert.deepEqual(await exceptions(), [])
})

test('a credit that was booked for two merchants, or under the payer’s text as well, is named when the statement is matched', async (t) => {
  const { shop, bank, compare } = await aBank(t)
  const other = await shop.anotherMerchant()
  const [mine, theirs] = [await reserveAccount(shop), await reserveAccount(other)]
  const report = (railReference: string, { bankCode, accountNumber }: typeof mine, amount: number) =>
    reportCreditFrom(shop, 'wema', { railReference, bankCode, accountNumber, amount })
  // An earlier version, which had no directory of credits, could leave two effects under one bank reference.
  assert.deepEqual(await report('FT0001', mine, 500_000), { kind: 'accepted' })
  await asOwner(
    shop.databaseUrl,
    'alter table credit_name disable trigger credit_name_insert_only',
    `delete from credit_name where rail_reference = 'FT0001'`,
    'alter table credit_name enable trigger credit_name_insert_only',
  )
  assert.deepEqual(await report('FT0001', theirs, 500_000), { kind: 'accepted' })
  bank.addLine({ amount: kobo(500_000n), bankReference: 'FT0001' })
  // It could also book one credit twice: from a statement under the payer's text, and then from the bank's
  // notification.
  assert.deepEqual(await report('INV-77', mine, 660_000), { kind: 'accepted' })
  assert.deepEqual(await report('SESSION-1', mine, 660_000), { kind: 'accepted' })
  bank.addLine({ amount: kobo(660_000n), reference: 'INV-77', bankReference: 'SESSION-1' })
  assert.ok(isClean(await verifyLedger(shop.db)), 'the ledger alone cannot know it')
  const found = await compare()
  assert.deepEqual(found.map(named).toSorted(), [
    ['DOUBLED_NOTICE', '-6600.00', 'collection/SESSION-1'],
    ['MISSING_LINE', '-5000.00', 'collection/FT0001'],
  ])
})
