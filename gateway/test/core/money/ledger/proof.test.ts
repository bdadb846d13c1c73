import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { verifyLedger } from '../../../../src/app/ledger.ts'
import { inDatabase, isClean, type LedgerVerdict, type Wrong } from '../../../../src/core/money/ledger/index.ts'
import { type Db, inTransaction } from '../../../../src/platform/db.ts'
import { twoBusyDays } from '../../../harness/busy.ts'
import { disputedDays } from '../../../harness/dispute-samples.ts'
import { gateway, type TestGateway } from '../../../harness/gateway.ts'
import { asOwner } from '../../../harness/postgres.ts'
import { anAccount, manyPaid, pay, transferTo } from '../../../harness/samples.ts'
import { until } from '../../../harness/wait.ts'

const HOUR_SECONDS = 3_600

const assertClean = (verdict: LedgerVerdict): void => assert.ok(isClean(verdict), JSON.stringify(verdict, null, 2))

/** Runs statements on a table as whoever damages the books would: with its triggers off. */
async function damage({ url }: Db, table: string, ...statements: readonly string[]): Promise<void> {
  const [off, on] = [`alter table "${table}" disable trigger user`, `alter table "${table}" enable trigger user`]
  await asOwner(url, off, ...statements, on)
}

/** Takes rows away or changes them, has a look at that, and puts them back as they were. */
async function damaged(
  db: Db,
  { table, where, by }: { readonly table: string; readonly where: string; readonly by: string },
  look: () => Promise<void>,
): Promise<void> {
  const key = await primaryKey(db, table)
  const isKept = `(${key}) in (select ${key} from kept)`
  await damage(
    db,
    table,
    `create table kept as select * from "${table}" where ${where}`,
    by === 'delete' ? `delete from "${table}" where ${isKept}` : `update "${table}" set ${by} where ${isKept}`,
  )
  const all = await columnsOf(db, table)
  await look().finally(() =>
    damage(
      db,
      table,
      by === 'delete'
        ? `insert into "${table}" select * from kept`
        : `update "${table}" t set (${all}) = (select ${all} from kept where (${key}) = (${prefixed('t', key)})) where ${isKept}`,
      'drop table kept',
    ),
  )
}

const prefixed = (alias: string, columns: string): string => columns.replaceAll(/\w+/g, (name) => `${alias}.${name}`)

async function columnsOf(db: Db, table: string): Promise<string> {
  const rows = await db<{ name: string }[]>`
    select attname as name from pg_attribute
     where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`
  return rows.map(({ name }) => name).join(', ')
}

async function primaryKey(db: Db, table: string): Promise<string> {
  const rows = await db<{ name: string }[]>`
    select a.attname as name
      from pg_index i
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
     where i.indrelid = ${table}::regclass and i.indisprimary
     order by a.attnum`
  return rows.map(({ name }) => name).join(', ')
}

/** Each kind of damage: where it is done, and what is to be found. `NAME` is told by the column of the damaged row. */
interface Damage {
  readonly what: string
  readonly table: string
  /** The row, by a condition that some rows meet; one of them is damaged. */
  readonly where: string
  readonly by: string
  /** The column by which the finding names the row, or the reference itself. */
  readonly named: string
  readonly says: RegExp
}

const journal = (like: string): string => `key like '${like}'`
const JOURNAL_LOST = /but journal \S.* is missing/

const DAMAGES: readonly Damage[] = [
  {
    what: 'a balance with more in it',
    table: 'account',
    where: `code = 'payable'`,
    by: 'balance = balance + 1',
    named: 'code',
    says: /holds \d+, its moves sum to \d+/,
  },
  {
    what: 'an account that is gone',
    table: 'account',
    where: `code = 'fees/transfer'`,
    by: 'delete',
    named: 'code',
    says: /holds 0, its moves sum to \d+/,
  },
  {
    what: 'a move of another amount',
    table: 'journal',
    where: `sources[1] = 'clearing/card/simulated' and targets[1] = 'payable'`,
    by: 'amounts[1] = amounts[1] - 1',
    named: `'payable'`,
    says: /account payable holds/,
  },
  {
    what: 'a journal whose moves are gone',
    table: 'journal',
    where: `sources[1] = 'clearing/funding'`,
    by: 'sources = null, targets = null, amounts = null',
    named: `'opening'`,
    says: /journal opening moves nothing/,
  },
  {
    what: 'a move from an account to itself',
    table: 'journal',
    where: journal('collection/%'),
    by: 'targets = sources',
    named: 'key',
    says: /from an account to itself/,
  },
  {
    what: 'a journal that is gone',
    table: 'journal',
    where: journal('collection/%'),
    by: 'delete',
    named: `'payable'`,
    says: /account payable holds \d+, its moves sum to \d+/,
  },
  {
    what: 'a payment that is booked under another key',
    table: 'journal',
    where: journal('collection/%'),
    by: `key = 'collection/nobody'`,
    named: `'collection/nobody'`,
    says: /was booked for nothing/,
  },
  {
    what: 'a journal that no feature knows',
    table: 'journal',
    where: journal('bill/%'),
    by: `key = 'gift/1'`,
    named: `'gift/1'`,
    says: /was booked for nothing/,
  },
  {
    what: 'a payment without its row',
    table: 'payment',
    where: `method = 'CARD'`,
    by: 'delete',
    named: `'collection/' || rail_reference`,
    says: /was booked for nothing/,
  },
  {
    what: 'a payment of another amount',
    table: 'payment',
    where: `method = 'ACCOUNT_TRANSFER' and splits is not null`,
    by: 'amount = amount + 1',
    named: '(select transaction_reference from transaction t where t.id = transaction_id)',
    says: /moves .* and not /,
  },
  {
    what: 'a transaction that says more was paid',
    table: 'transaction',
    where: `status = 'PAID'`,
    by: 'amount_paid = amount_paid + 1',
    named: 'transaction_reference',
    says: /its payments sum to/,
  },
  {
    what: 'a transaction that is PAID without money',
    table: 'transaction',
    where: `status = 'FAILED' and amount_paid = 0`,
    by: `status = 'PAID'`,
    named: 'transaction_reference',
    says: /is PAID, though 0 of/,
  },
  {
    what: 'money that will never be settled',
    table: 'transaction',
    where: 'settles_at is not null',
    by: 'settles_at = null',
    named: `'payable'`,
    says: /what is to be settled sums to/,
  },
  {
    what: 'a card charge that is APPROVED without money',
    table: 'card_attempt',
    where: `status = 'DECLINED'`,
    by: `status = 'APPROVED'`,
    named: '(select transaction_reference from transaction t where t.id = transaction_id)',
    says: /is APPROVED, and nothing arrived/,
  },
  {
    what: 'a card charge that is declined though its money is here',
    table: 'card_attempt',
    where: `status = 'APPROVED'`,
    by: `status = 'DECLINED'`,
    named: '(select transaction_reference from transaction t where t.id = transaction_id)',
    says: /is DECLINED, and \d+ arrived/,
  },
  {
    what: 'a transfer that is SUCCESS without its journal',
    table: 'transfer',
    where: `status = 'FAILED' and batch_id is null`,
    by: `status = 'SUCCESS'`,
    named: 'reference',
    says: JOURNAL_LOST,
  },
  {
    what: 'a transfer that is FAILED though it was booked as sent',
    table: 'transfer',
    where: `status = 'SUCCESS'`,
    by: `status = 'FAILED'`,
    named: 'reference',
    says: /must not be there/,
  },
  {
    what: 'a transfer of another amount',
    table: 'transfer',
    where: `status = 'SUCCESS' and batch_id is null`,
    by: 'amount = amount + 1',
    named: 'reference',
    says: /moves .* and not /,
  },
  {
    what: 'a transfer that is gone',
    table: 'transfer',
    where: `status = 'REVERSED' and batch_id is null`,
    by: 'delete',
    named: `'transfer/' || transaction_reference || '/sent'`,
    says: /was booked for nothing/,
  },
  {
    what: 'a transfer that waits for nothing',
    table: 'rail_order',
    where: `purpose = 'transfer' and state = 'SENT'`,
    by: `state = 'CONCLUDED', due_at = null`,
    named: '(select t.reference from transfer t where t.id = rail_order.id)',
    says: /its order is over/,
  },
  {
    what: 'money in flight with nothing under way',
    table: 'rail_order',
    where: `purpose = 'transfer' and state = 'HELD'`,
    by: 'delete',
    named: 'account',
    says: /holds \d+, what is under way holds \d+/,
  },
  {
    what: 'a batch of another sum',
    table: 'transfer_batch',
    where: 'total_amount > 0',
    by: 'total_amount = total_amount + 1',
    named: 'batch_reference',
    says: /moves .* and not /,
  },
  {
    what: 'a refund that is COMPLETED without its journal',
    table: 'refund',
    where: `status = 'PENDING'`,
    by: `status = 'COMPLETED', completed_at = created_at`,
    named: 'refund_reference',
    says: JOURNAL_LOST,
  },
  {
    what: 'a refund that is FAILED though it was booked as completed',
    table: 'refund',
    where: `status = 'COMPLETED'`,
    by: `status = 'FAILED'`,
    named: 'refund_reference',
    says: /must not be there/,
  },
  {
    what: 'a dispute that is LOST without its journal',
    table: 'dispute',
    where: `status = 'OPEN'`,
    by: `status = 'LOST', ended_at = opened_at`,
    named: 'reference',
    says: JOURNAL_LOST,
  },
  {
    what: 'a dispute that is WON though it was booked as lost',
    table: 'dispute',
    where: `status = 'LOST'`,
    by: `status = 'WON'`,
    named: 'reference',
    says: /must not be there/,
  },
  {
    what: 'a dispute that is gone',
    table: 'dispute',
    where: `status = 'OPEN'`,
    by: 'delete',
    named: `'dispute/' || reference || '/opened'`,
    says: /was booked for nothing/,
  },
  {
    what: 'a dispute that was not told',
    table: 'event',
    where: `event_type = 'DISPUTE_LOST'`,
    by: 'delete',
    named: 'refs[1]',
    says: /no DISPUTE_LOST tells of it/,
  },
  {
    what: 'a debt of which less is said to be repaid',
    table: 'merchant_debt',
    where: 'repaid > 0',
    by: 'repaid = repaid - 1',
    named: `'debt'`,
    says: /account debt holds -?\d+, what is owed sums to \d+/,
  },
  {
    what: 'a repayment that is gone',
    table: 'debt_repayment',
    where: 'true',
    by: 'delete',
    named: '(select reference from merchant_debt d where d.id = debt_repayment.debt_id)',
    says: /is repaid, its repayments sum to/,
  },
  {
    what: 'a settlement that repaid less',
    table: 'settlement',
    where: 'debt_repaid > 0',
    by: 'debt_repaid = debt_repaid - 1',
    named: 'settlement_reference',
    says: /is of \d+, its \d+ transactions sum to \d+/,
  },
  {
    what: 'a reserve of which more was taken',
    table: 'reserve_lot',
    where: 'released_at is null and taken < amount',
    by: 'taken = taken + 1',
    named: `'reserve'`,
    says: /account reserve holds \d+, what is kept back sums to \d+/,
  },
  {
    what: 'a reserve that is released without its journal',
    table: 'reserve_lot',
    where: 'released_at is null and taken < amount',
    by: 'released_at = releases_at',
    named: `'RESERVE-' || id`,
    says: JOURNAL_LOST,
  },
  {
    what: 'a settlement of another amount',
    table: 'settlement',
    where: `destination = 'WALLET'`,
    by: 'amount = amount + 1',
    named: 'settlement_reference',
    says: /transactions sum to/,
  },
  {
    what: 'a settlement without its journal',
    table: 'journal',
    where: journal('settlement/%'),
    by: 'delete',
    named: `split_part(key, '/', 2)`,
    says: JOURNAL_LOST,
  },
  {
    what: 'a transaction that fell out of its settlement',
    table: 'settlement_item',
    where: 'share > 0',
    by: 'delete',
    named: '(select settlement_reference from settlement s where s.id = settlement_id)',
    says: /transactions sum to/,
  },
  {
    what: 'a payout that is COMPLETED without its journal',
    table: 'journal',
    where: `key like 'payout/%' and not exists (select from journal o where o.key = journal.key || '/reversed' or o.key || '/reversed' = journal.key)`,
    by: 'delete',
    named: `split_part(key, '/', 2)`,
    says: /is COMPLETED, but its journals pay out 0/,
  },
  {
    what: 'a payout that is due though it was booked as paid',
    table: 'settlement_payout',
    where: `status = 'COMPLETED'`,
    by: `status = 'DUE', completed_at = null`,
    named: `'KFST' || id`,
    says: /is DUE, but its journals pay out \d+/,
  },
  {
    what: 'a debit that is PAID with other money',
    table: 'debit',
    where: `status = 'PAID'`,
    by: 'amount = amount + 1',
    named: 'payment_reference',
    says: /is PAID, and \d+ arrived/,
  },
  {
    what: 'a mandate token that is kept without its journal',
    table: 'mandate_token',
    where: 'reason is not null',
    by: 'reason = null',
    named: '(select mandate_reference from mandate m where m.id = mandate_id)',
    says: JOURNAL_LOST,
  },
  {
    what: 'a bill that is SUCCESS without its journal',
    table: 'bill_vend',
    where: `status = 'FAILED'`,
    by: `status = 'SUCCESS'`,
    named: 'reference',
    says: JOURNAL_LOST,
  },
  {
    what: 'a paycode that is SUCCESS without its journal',
    table: 'paycode',
    where: `status = 'PENDING'`,
    by: `status = 'SUCCESS', completed_at = created_at`,
    named: 'paycode_reference',
    says: JOURNAL_LOST,
  },
  {
    what: 'a top-up without its journal',
    table: 'top_up',
    where: 'amount > 0',
    by: 'amount = amount + 1',
    named: 'rail_reference',
    says: /top-up of \d+ is there, but journal/,
  },
  {
    what: 'a wallet line that is gone',
    table: 'wallet_entry',
    where: `exists (select from wallet_entry l where l.id > wallet_entry.id) and type = 'CREDIT'`,
    by: 'delete',
    named: '(select l.reference from wallet_entry l where l.id > kept.id order by l.id limit 1)',
    says: /begins with \d+, but the line before it ends with/,
  },
  {
    what: 'the last wallet line that is gone',
    table: 'wallet_entry',
    where: 'id = (select max(id) from wallet_entry)',
    by: 'delete',
    named: `'wallet/' || account_number`,
    says: /its last line ends with/,
  },
  {
    what: 'a payment that was not told',
    table: 'event',
    where: `event_type = 'SUCCESSFUL_TRANSACTION'`,
    by: 'delete',
    named: 'refs[1]',
    says: /no SUCCESSFUL_TRANSACTION tells of it/,
  },
  {
    what: 'a rejected payment that was not told',
    table: 'event',
    where: `event_type = 'REJECTED_PAYMENT'`,
    by: 'delete',
    named: 'null',
    says: /no REJECTED_PAYMENT tells of it/,
  },
  {
    what: 'a transfer that was not told',
    table: 'event',
    where: `event_type = 'SUCCESSFUL_DISBURSEMENT'`,
    by: 'delete',
    named: 'refs[1]',
    says: /no SUCCESSFUL_DISBURSEMENT tells of it/,
  },
  {
    what: 'a failed transfer that was not told',
    table: 'event',
    where: `event_type = 'FAILED_DISBURSEMENT'`,
    by: 'delete',
    named: 'refs[1]',
    says: /no FAILED_DISBURSEMENT tells of it/,
  },
  {
    what: 'a reversed transfer that was not told',
    table: 'event',
    where: `event_type = 'REVERSED_DISBURSEMENT'`,
    by: 'delete',
    named: 'refs[1]',
    says: /no REVERSED_DISBURSEMENT tells of it/,
  },
  {
    what: 'a refund that was not told',
    table: 'event',
    where: `event_type = 'SUCCESSFUL_REFUND'`,
    by: 'delete',
    named: 'refs[1]',
    says: /no SUCCESSFUL_REFUND tells of it/,
  },
  {
    what: 'a settlement that was not told',
    table: 'event',
    where: `event_type = 'SETTLEMENT'`,
    by: 'delete',
    named: 'refs[1]',
    says: /no SETTLEMENT tells of it/,
  },
  {
    what: 'a wallet line that was not told',
    table: 'event',
    where: `event_type = 'ACCOUNT_ACTIVITY'`,
    by: 'delete',
    named: 'refs[1]',
    says: /no ACCOUNT_ACTIVITY tells of it/,
  },
]

/** The condition that picks one of the rows that meet it. */
async function oneOf(
  db: Db,
  { table, where, named }: Damage,
): Promise<{ readonly where: string; readonly name: string | null }> {
  const key = await primaryKey(db, table)
  const found = { rows: [] as { where: string; name: string | null }[] }
  await inTransaction(db, async (tx) => {
    await tx.script(
      `create temporary table kept on commit drop as select * from "${table}" where ${where} order by ${key} limit 1`,
    )
    const inKept = named.replaceAll(`${table}.`, 'kept.')
    await tx.script(
      `create temporary table picked on commit drop as select (${inKept})::text as name, (select string_agg(format('%I = %L', k.name, to_jsonb(kept) ->> k.name), ' and ') from unnest(string_to_array('${key}', ', ')) k (name)) as place from kept`,
    )
    found.rows = await tx<{ where: string; name: string | null }[]>`select place as where, name from picked`
  })
  const [row] = found.rows
  assert.ok(row !== undefined, `there is a row of ${table} with ${where}`)
  return row
}

test('the books of a gateway with something of everything read right, and each kind of damage to them is found and named', async (t) => {
  const shop = await gateway(t)
  const { db } = shop
  await twoBusyDays(shop, disputedDays)
  // What works in the background would write between the damage and the look.
  await shop.advance(1)
  const clean = await verifyLedger(db)
  assertClean(clean)
  assert.ok(clean.isWhole && clean.journals > 100)
  const [merchant] = await db<{ code: string }[]>`select code from merchant`

  for (const one of DAMAGES)
    await t.test(one.what, async () => {
      const { where, name } = await oneOf(db, one)
      await damaged(db, { table: one.table, where, by: one.by }, async () => {
        const verdict = await verifyLedger(db)
        assert.ok(!isClean(verdict))
        const isIt = ({ merchant: code, reference, what }: Wrong): boolean =>
          code === merchant?.code && (name === null || reference === name) && one.says.test(what)
        assert.ok(verdict.wrong.some(isIt), `${name}: ${JSON.stringify(verdict.wrong, null, 2)}`)
      })
    })
  assertClean(await verifyLedger(db))
})

test('journals of the version before, whose moves stand beside them, are proven as ours are', async (t) => {
  const shop = await gateway(t)
  for (let n = 0; n < 3; n++) await pay(shop, await anAccount(shop), 5_000)
  const { db } = shop
  const beside = `
    insert into move (merchant_id, journal_id, line, source, target, amount)
    select j.merchant_id, j.id, m.line - 1, m.source, m.target, m.amount
      from journal j
     cross join lateral unnest(j.sources, j.targets, j.amounts) with ordinality m (source, target, amount, line)
     where j.key like 'collection/%'`
  const { moves } = await verifyLedger(db)
  await damage(
    db,
    'journal',
    beside,
    `update journal set sources = null, targets = null, amounts = null where key like 'collection/%'`,
  )
  const verdict = await verifyLedger(db)
  assertClean(verdict)
  assert.equal(verdict.moves, moves)

  const one = `(merchant_id, journal_id, line) = (select merchant_id, journal_id, line from move where target = 'payable' order by 2 limit 1)`
  await damaged(db, { table: 'move', where: one, by: 'amount = amount - 1' }, async () => {
    assert.match(JSON.stringify((await verifyLedger(db)).wrong), /account payable holds/)
  })
  await damaged(db, { table: 'move', where: `target = 'payable'`, by: 'delete' }, async () => {
    assert.match(JSON.stringify((await verifyLedger(db)).wrong), /and not \d+ from clearing/)
  })
  assertClean(await verifyLedger(db))
})

test('money that is booked at another partner than its own is found, though every balance is as its moves', async (t) => {
  const shop = await gateway(t)
  await shop.call(contract.changeSettings, { body: { otpEnabled: false } })
  await pay(shop, await anAccount(shop), 5_000)
  await transferTo(shop, '123')
  await until('it arrived', async () => (await shop.db`select from journal where key like '%/sent'`).count === 1)
  assertClean(await verifyLedger(shop.db))
  const rename = (before: string, after: string) =>
    damage(
      shop.db,
      'journal',
      'lock table balance_change in exclusive mode', // nobody folds meanwhile
      `update account set code = '${after}' where code = '${before}'`,
      `update balance_change set code = '${after}' where code = '${before}'`,
      `update journal set sources = array_replace(sources, '${before}', '${after}'), targets = array_replace(targets, '${before}', '${after}')`,
    )
  for (const rail of ['bank-transfer', 'transfers']) {
    await rename(`clearing/${rail}/simulated`, `clearing/${rail}/another`)
    assert.match(
      JSON.stringify((await verifyLedger(shop.db)).wrong),
      new RegExp(`clearing/${rail}/another.*, and not .*clearing/${rail}/simulated`),
    )
    // As the version before booked it.
    await rename(`clearing/${rail}/another`, `clearing/${rail}`)
    assertClean(await verifyLedger(shop.db))
  }
})

test('a move beside a journal that holds its own is found, where the books of its merchant are proven', async (t) => {
  const shop = await gateway(t)
  const { apiKey } = (await shop.anotherMerchant()).credentials
  const { id: other } = (await shop.core.directory.byApiKey(apiKey)) ?? assert.fail('there is a merchant')
  await pay(shop, await anAccount(shop), 5_000)
  await shop.db`
    insert into move (merchant_id, journal_id, line, source, target, amount)
    select merchant_id, id, 0, 'clearing/bank-transfer', 'payable', 5 from journal where key like 'collection/%'`
  assert.match(
    JSON.stringify((await verifyLedger(shop.db)).wrong),
    /moves .*5 from clearing\/bank-transfer to payable.* and not/,
  )
  const proven = async (merchants: readonly bigint[]) => {
    const verdict = await verifyLedger(shop.db, { merchants })
    return [verdict.merchants, verdict.isWhole, verdict.wrong.some(({ what }) => /and not/.test(what))]
  }
  assert.deepEqual(await proven([other]), [1, false, false])
  assert.deepEqual(await proven([other, shop.merchantId]), [2, false, true])
})

test('the database refuses a journal whose moves are not whole', async (t) => {
  const { db } = await gateway(t)
  for (const moves of [
    `'{}', '{}', '{}'`,
    `'{a}', '{b}', '{0}'`,
    `'{a}', '{b}', '{-1}'`,
    `'{a}', '{b}', '{null}'`,
    `'{a}', '{b,c}', '{1}'`,
    `'{a,null}', '{b,c}', '{1,2}'`,
    `'{a}', '{b}', null`,
    `null, null, '{1}'`,
  ])
    await assert.rejects(
      damage(
        db,
        'journal',
        `insert into journal (merchant_id, id, key, memo, posted_at, sources, targets, amounts) values (1, 1, 'k', 'm', now(), ${moves})`,
      ),
      /journal_moves_are_whole/,
      moves,
    )
})

test('books of somebody who is no merchant are found', async (t) => {
  const { db } = await gateway(t)
  await damage(db, 'account', `insert into account (merchant_id, code, balance) values (7, 'payable', 5)`)
  const { wrong } = await verifyLedger(db)
  assert.deepEqual(
    wrong.filter(({ what }) => what === 'has books, but is no merchant').map(({ merchant }) => merchant),
    ['7'],
  )
})

/** Proves from the last checkpoint on, and keeps the next. */
const sinceLast = ({ db }: TestGateway): Promise<LedgerVerdict> =>
  verifyLedger(db, { checkpoints: inDatabase(db, true) })

test('a second proof looks at what is new alone, and at what could still change', async (t) => {
  const shop = await gateway(t)
  const { db } = shop
  await shop.call(contract.changeSettings, { body: { otpEnabled: true } })
  for (let n = 0; n < 5; n++) await pay(shop, await anAccount(shop), 5_000)
  await transferTo(shop, '789', { reference: 'left-open' })
  await shop.advance(HOUR_SECONDS / 2)
  await shop.call(contract.changeSettings, { body: { otpEnabled: false } })
  await transferTo(shop, '001', { reference: 'failed' })
  const first = await sinceLast(shop)
  assertClean(first)
  assert.ok(first.isWhole)

  await pay(shop, await anAccount(shop), 5_000)
  const second = await sinceLast(shop)
  assertClean(second)
  assert.ok(!second.isWhole && second.journals < first.journals, `${second.journals} of ${first.journals}`)
  assert.equal(second.accounts, (await verifyLedger(db)).accounts, 'all balances are looked at')

  // Open at the checkpoint, and ended since without a journal.
  await damaged(
    db,
    { table: 'transfer', where: `reference = 'left-open'`, by: `status = 'SUCCESS', completed_at = created_at` },
    async () => {
      const { wrong } = await sinceLast(shop)
      assert.ok(
        wrong.some(({ reference, what }) => reference === 'left-open' && JOURNAL_LOST.test(what)),
        JSON.stringify(wrong),
      )
    },
  )
  // A balance that no move has changed.
  await damaged(db, { table: 'account', where: `code like 'wallet/%'`, by: 'balance = balance + 1' }, async () =>
    assert.ok(!isClean(await sinceLast(shop))),
  )
  assertClean(await sinceLast(shop))

  // What had ended before the checkpoint and was changed by hand is found by the whole alone.
  await shop.advance(HOUR_SECONDS)
  await pay(shop, await anAccount(shop), 5_000)
  assertClean(await sinceLast(shop))
  await damaged(db, { table: 'transfer', where: `reference = 'failed'`, by: `status = 'SUCCESS'` }, async () => {
    assertClean(await sinceLast(shop))
    assert.ok(!isClean(await verifyLedger(db)))
  })
})

test('what a transaction that took its time adds behind a checkpoint is no false alarm', async (t) => {
  const shop = await gateway(t)
  await pay(shop, await anAccount(shop), 5_000)
  await shop.advance(HOUR_SECONDS)
  await pay(shop, await anAccount(shop), 5_000)
  assertClean(await sinceLast(shop))
  // The sums that are kept lack a journal that is older than they are.
  const { db } = shop
  await damage(
    db,
    'ledger_proof',
    `update ledger_proof set checkpoint = jsonb_set(checkpoint::jsonb, '{sums,payable}', '"1"')::json`,
  )
  assertClean(await sinceLast(shop))
})

test('a long history is proven in steps', async (t) => {
  const shop = await gateway(t)
  for (let n = 0; n < 5; n++) {
    await manyPaid(shop, 1_000, 100)
    await shop.advance(HOUR_SECONDS)
  }
  const { db } = shop
  const verdict = await sinceLast(shop)
  assertClean(verdict)
  assert.ok(verdict.journals >= 5_000)
  const [sum] = await db<{ count: bigint }[]>`select count(*) from journal`
  assert.equal(BigInt(verdict.journals), sum?.count, 'each journal is looked at once')
  const later = await sinceLast(shop)
  assertClean(later)
  assert.ok(later.journals <= 1_001, String(later.journals))
  await damage(
    db,
    'journal',
    `update journal set amounts[1] = amounts[1] + 1 where id = (select min(id) from journal where sources[1] = 'clearing/bank-transfer')`,
  )
  assert.ok(!isClean(await verifyLedger(db)))
})

test('books that are proven while payments go on read right at every moment', async (t) => {
  const shop = await gateway(t)
  await shop.call(contract.changeSettings, { body: { otpEnabled: false } })
  let isOver = false
  const paying = (async () => {
    for (let n = 0; n < 20; n++)
      await Promise.all([
        ...Array.from({ length: 5 }, async () => pay(shop, await anAccount(shop), 100)),
        transferTo(shop, '789', { amount: 100 + n }),
        transferTo(shop, '001', { amount: 100 + n }),
      ])
    isOver = true
  })()
  let proofs = 0
  for (; !isOver || proofs < 2; proofs++) assertClean(await sinceLast(shop))
  await paying
  assertClean(await verifyLedger(shop.db))
})

test('an account below zero that may not be is found, though the database should refuse it', async (t) => {
  const shop = await gateway(t)
  await damage(
    shop.db,
    'account',
    'alter table account drop constraint account_not_below_zero',
    `update account set balance = -1 where code like 'wallet/%'`,
  )
  const { wrong } = await verifyLedger(shop.db)
  assert.ok(wrong.some(({ reference, what }) => /^wallet/.test(reference) && /is below zero: -1/.test(what)))
})
