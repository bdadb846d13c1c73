import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { verifyLedger } from '../../../../src/app/ledger.ts'
import {
  databaseCheckpoints,
  isClean,
  type LedgerVerdict,
  type Wrong,
} from '../../../../src/core/money/ledger/index.ts'
import { type Db, inTransaction } from '../../../../src/platform/postgres/db.ts'
import { twoBusyDays } from '../../../harness/busy-days.ts'
import { disputedDays } from '../../../harness/dispute-samples.ts'
import { gateway, type TestGateway } from '../../../harness/gateway.ts'
import { long } from '../../../harness/long.ts'
import { asOwner } from '../../../harness/postgres.ts'
import { anAccount, makePaidTransactions, pay, transferTo } from '../../../harness/samples.ts'
import { isShort, slow } from '../../../harness/slow.ts'
import { until } from '../../../harness/until.ts'

const HOUR_SECONDS = 3_600

const assertClean = (verdict: LedgerVerdict): void => assert.ok(isClean(verdict), JSON.stringify(verdict, null, 2))

/** Runs queries on a table with its triggers off, as an attacker would. */
async function damage({ url }: Db, table: string, ...statements: readonly string[]): Promise<void> {
  const [off, on] = [`alter table "${table}" disable trigger user`, `alter table "${table}" enable trigger user`]
  await asOwner(url, off, ...statements, on)
}

/** Deletes or changes rows, runs the check, and restores them. */
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

/** Each kind of damage: where it is done, and the expected finding. `NAME` is read from the damaged row's column. */
interface Damage {
  readonly what: string
  readonly table: string
  /** A condition; one of the rows that meet it is damaged. */
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
    what: 'a balance that is too high',
    table: 'account',
    where: `code = 'payable'`,
    by: 'balance = balance + 1',
    named: 'code',
    says: /holds \d+, its moves sum to \d+/,
  },
  {
    what: 'a missing account',
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
    what: 'a journal without its moves',
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
    what: 'a missing journal',
    table: 'journal',
    where: journal('collection/%'),
    by: 'delete',
    named: `'payable'`,
    says: /account payable holds \d+, its moves sum to \d+/,
  },
  {
    what: 'a payment that is posted under another key',
    table: 'journal',
    where: journal('collection/%'),
    by: `key = 'collection/nobody'`,
    named: `'collection/nobody'`,
    says: /has no source record/,
  },
  {
    what: 'a journal that no feature knows',
    table: 'journal',
    where: journal('bill/%'),
    by: `key = 'gift/1'`,
    named: `'gift/1'`,
    says: /has no source record/,
  },
  {
    what: 'a payment without its row',
    table: 'payment',
    where: `method = 'CARD'`,
    by: 'delete',
    named: `'collection/' || rail_reference`,
    says: /has no source record/,
  },
  {
    what: 'a payment of another amount',
    table: 'payment',
    where: `method = 'ACCOUNT_TRANSFER' and splits is not null`,
    by: 'amount = amount + 1',
    named: '(select transaction_reference from transaction t where t.id = transaction_id)',
    says: /moves .*, expected /,
  },
  {
    what: 'a transaction with too high an amount paid',
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
    says: /is PAID, but 0 of/,
  },
  {
    what: 'money that will never be settled',
    table: 'transaction',
    where: 'settles_at is not null',
    by: 'settles_at = null',
    named: `'payable'`,
    says: /unsettled collections sum to/,
  },
  {
    what: 'a card charge that is APPROVED without money',
    table: 'card_attempt',
    where: `status = 'DECLINED'`,
    by: `status = 'APPROVED'`,
    named: '(select transaction_reference from transaction t where t.id = transaction_id)',
    says: /is APPROVED, but nothing arrived/,
  },
  {
    what: 'a card charge that is declined though its money arrived',
    table: 'card_attempt',
    where: `status = 'APPROVED'`,
    by: `status = 'DECLINED'`,
    named: '(select transaction_reference from transaction t where t.id = transaction_id)',
    says: /is DECLINED, but \d+ arrived/,
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
    what: 'a transfer that is FAILED though it was posted as sent',
    table: 'transfer',
    where: `status = 'SUCCESS'`,
    by: `status = 'FAILED'`,
    named: 'reference',
    says: /but journal \S.* exists/,
  },
  {
    what: 'a transfer of another amount',
    table: 'transfer',
    where: `status = 'SUCCESS' and batch_id is null`,
    by: 'amount = amount + 1',
    named: 'reference',
    says: /moves .*, expected /,
  },
  {
    what: 'a missing transfer',
    table: 'transfer',
    where: `status = 'REVERSED' and batch_id is null`,
    by: 'delete',
    named: `'transfer/' || transaction_reference || '/sent'`,
    says: /has no source record/,
  },
  {
    what: 'a pending transfer without an open order',
    table: 'rail_order',
    where: `purpose = 'transfer' and state = 'SENT'`,
    by: `state = 'CONCLUDED', due_at = null`,
    named: '(select t.reference from transfer t where t.id = rail_order.id)',
    says: /its order is completed/,
  },
  {
    what: 'money in flight without an open order',
    table: 'rail_order',
    where: `purpose = 'transfer' and state = 'HELD'`,
    by: 'delete',
    named: 'account',
    says: /holds \d+, pending orders hold \d+/,
  },
  {
    what: 'a batch of another sum',
    table: 'transfer_batch',
    where: 'total_amount > 0',
    by: 'total_amount = total_amount + 1',
    named: 'batch_reference',
    says: /moves .*, expected /,
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
    what: 'a refund that is FAILED though it was posted as completed',
    table: 'refund',
    where: `status = 'COMPLETED'`,
    by: `status = 'FAILED'`,
    named: 'refund_reference',
    says: /but journal \S.* exists/,
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
    what: 'a dispute that is WON though it was posted as lost',
    table: 'dispute',
    where: `status = 'LOST'`,
    by: `status = 'WON'`,
    named: 'reference',
    says: /but journal \S.* exists/,
  },
  {
    what: 'a missing dispute',
    table: 'dispute',
    where: `status = 'OPEN'`,
    by: 'delete',
    named: `'dispute/' || reference || '/opened'`,
    says: /has no source record/,
  },
  {
    what: 'a dispute without its event',
    table: 'event',
    where: `event_type = 'DISPUTE_LOST'`,
    by: 'delete',
    named: 'refs[1]',
    says: /no DISPUTE_LOST event exists/,
  },
  {
    what: 'a debt with too low a repaid amount',
    table: 'merchant_debt',
    where: 'repaid > 0',
    by: 'repaid = repaid - 1',
    named: `'debt'`,
    says: /account debt holds -?\d+, open debts sum to \d+/,
  },
  {
    what: 'a missing repayment',
    table: 'debt_repayment',
    where: 'true',
    by: 'delete',
    named: '(select reference from merchant_debt d where d.id = debt_repayment.debt_id)',
    says: /is repaid, its repayments sum to/,
  },
  {
    what: 'a settlement with too low a repayment',
    table: 'settlement',
    where: 'debt_repaid > 0',
    by: 'debt_repaid = debt_repaid - 1',
    named: 'settlement_reference',
    says: /has \d+, but its \d+ transactions sum to \d+/,
  },
  {
    what: 'a reserve with too high a taken amount',
    table: 'reserve_lot',
    where: 'released_at is null and taken < amount',
    by: 'taken = taken + 1',
    named: `'reserve'`,
    says: /account reserve holds \d+, unreleased reserves sum to \d+/,
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
    what: 'a transaction missing from its settlement',
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
    what: 'a payout that is due though it was posted as paid',
    table: 'settlement_payout',
    where: `status = 'COMPLETED'`,
    by: `status = 'DUE', completed_at = null`,
    named: `'KFST' || id`,
    says: /is DUE, but its journals pay out \d+/,
  },
  {
    what: 'a debit that is PAID with another amount',
    table: 'debit',
    where: `status = 'PAID'`,
    by: 'amount = amount + 1',
    named: 'payment_reference',
    says: /is PAID, but \d+ arrived/,
  },
  {
    what: 'an accepted mandate token without its journal',
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
    says: /top-up of \d+ exists, but journal/,
  },
  {
    what: 'a missing wallet line',
    table: 'wallet_entry',
    where: `exists (select from wallet_entry l where l.id > wallet_entry.id) and type = 'CREDIT'`,
    by: 'delete',
    named: '(select l.reference from wallet_entry l where l.id > kept.id order by l.id limit 1)',
    says: /begins with \d+, but the line before it ends with/,
  },
  {
    what: 'a missing last wallet line',
    table: 'wallet_entry',
    where: 'id = (select max(id) from wallet_entry)',
    by: 'delete',
    named: `'wallet/' || account_number`,
    says: /its last line ends with/,
  },
  {
    what: 'a payment without its event',
    table: 'event',
    where: `event_type = 'SUCCESSFUL_TRANSACTION'`,
    by: 'delete',
    named: 'refs[1]',
    says: /no SUCCESSFUL_TRANSACTION event exists/,
  },
  {
    what: 'a rejected payment without its event',
    table: 'event',
    where: `event_type = 'REJECTED_PAYMENT'`,
    by: 'delete',
    named: 'null',
    says: /no REJECTED_PAYMENT event exists/,
  },
  {
    what: 'a transfer without its event',
    table: 'event',
    where: `event_type = 'SUCCESSFUL_DISBURSEMENT'`,
    by: 'delete',
    named: 'refs[1]',
    says: /no SUCCESSFUL_DISBURSEMENT event exists/,
  },
  {
    what: 'a failed transfer without its event',
    table: 'event',
    where: `event_type = 'FAILED_DISBURSEMENT'`,
    by: 'delete',
    named: 'refs[1]',
    says: /no FAILED_DISBURSEMENT event exists/,
  },
  {
    what: 'a reversed transfer without its event',
    table: 'event',
    where: `event_type = 'REVERSED_DISBURSEMENT'`,
    by: 'delete',
    named: 'refs[1]',
    says: /no REVERSED_DISBURSEMENT event exists/,
  },
  {
    what: 'a refund without its event',
    table: 'event',
    where: `event_type = 'SUCCESSFUL_REFUND'`,
    by: 'delete',
    named: 'refs[1]',
    says: /no SUCCESSFUL_REFUND event exists/,
  },
  {
    what: 'a settlement without its event',
    table: 'event',
    where: `event_type = 'SETTLEMENT'`,
    by: 'delete',
    named: 'refs[1]',
    says: /no SETTLEMENT event exists/,
  },
  {
    what: 'a wallet line without its event',
    table: 'event',
    where: `event_type = 'ACCOUNT_ACTIVITY'`,
    by: 'delete',
    named: 'refs[1]',
    says: /no ACCOUNT_ACTIVITY event exists/,
  },
]

/** A condition that picks one of the matching rows. */
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

long('the ledger of a busy gateway verifies, and each kind of damage to it is found and named', async (t) => {
  const shop = await gateway(t)
  const { db } = shop
  await twoBusyDays(shop, disputedDays)
  // Background work would write between the damage and the check.
  await shop.advance(1)
  const clean = await verifyLedger(db)
  assertClean(clean)
  assert.ok(clean.isWhole && clean.journals > 100)
  const [merchant] = await db<{ code: string }[]>`select code from merchant`

  for (const one of DAMAGES.filter((_, number) => !isShort || number % 4 === 0))
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

test('journals of the previous version, with their moves in separate rows, are verified as ours are', async (t) => {
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
    assert.match(JSON.stringify((await verifyLedger(db)).wrong), /expected \d+ from clearing/)
  })
  assertClean(await verifyLedger(db))
})

test('money posted at the wrong partner is found, though every balance matches its moves', async (t) => {
  const shop = await gateway(t)
  await shop.call(contract.changeSettings, { body: { otpEnabled: false } })
  await pay(shop, await anAccount(shop), 5_000)
  await transferTo(shop, '123')
  await until(
    'the transfer arrived',
    async () => (await shop.db`select from journal where key like '%/sent'`).count === 1,
  )
  assertClean(await verifyLedger(shop.db))
  const rename = (before: string, after: string) =>
    damage(
      shop.db,
      'journal',
      'lock table balance_change in exclusive mode', // no fold meanwhile
      `update account set code = '${after}' where code = '${before}'`,
      `update balance_change set code = '${after}' where code = '${before}'`,
      `update journal set sources = array_replace(sources, '${before}', '${after}'), targets = array_replace(targets, '${before}', '${after}')`,
    )
  for (const rail of ['bank-transfer', 'transfers']) {
    await rename(`clearing/${rail}/simulated`, `clearing/${rail}/another`)
    assert.match(
      JSON.stringify((await verifyLedger(shop.db)).wrong),
      new RegExp(`clearing/${rail}/another.*, expected .*clearing/${rail}/simulated`),
    )
    // As the previous version posted it.
    await rename(`clearing/${rail}/another`, `clearing/${rail}`)
    assertClean(await verifyLedger(shop.db))
  }
})

test('a separate move of a journal that holds its own is found when its merchant’s ledger is verified', async (t) => {
  const shop = await gateway(t)
  const { apiKey } = (await shop.anotherMerchant()).credentials
  const { id: other } = (await shop.core.directory.byApiKey(apiKey)) ?? assert.fail('there is a merchant')
  await pay(shop, await anAccount(shop), 5_000)
  await shop.db`
    insert into move (merchant_id, journal_id, line, source, target, amount)
    select merchant_id, id, 0, 'clearing/bank-transfer', 'payable', 5 from journal where key like 'collection/%'`
  assert.match(
    JSON.stringify((await verifyLedger(shop.db)).wrong),
    /moves .*5 from clearing\/bank-transfer to payable.*, expected/,
  )
  const proven = async (merchants: readonly bigint[]) => {
    const verdict = await verifyLedger(shop.db, { merchants })
    return [verdict.merchants, verdict.isWhole, verdict.wrong.some(({ what }) => /, expected /.test(what))]
  }
  assert.deepEqual(await proven([other]), [1, false, false])
  assert.deepEqual(await proven([other, shop.merchantId]), [2, false, true])
})

test('the database rejects a journal with incomplete moves', async (t) => {
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

test('a ledger without a merchant is found', async (t) => {
  const { db } = await gateway(t)
  await damage(db, 'account', `insert into account (merchant_id, code, balance) values (7, 'payable', 5)`)
  const { wrong } = await verifyLedger(db)
  assert.deepEqual(
    wrong.filter(({ what }) => what === 'has ledger entries, but is not a merchant').map(({ merchant }) => merchant),
    ['7'],
  )
})

/** Verifies from the last checkpoint on, and stores the next. */
const sinceLast = ({ db }: TestGateway): Promise<LedgerVerdict> =>
  verifyLedger(db, { checkpoints: databaseCheckpoints(db, true) })

test('a second verification reads only what is new or could still change', async (t) => {
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
  assert.equal(second.accounts, (await verifyLedger(db)).accounts, 'all balances are checked')

  // A transfer that was open at the checkpoint and was completed since, without a journal.
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
  // A balance that was changed without a move.
  await damaged(db, { table: 'account', where: `code like 'wallet/%'`, by: 'balance = balance + 1' }, async () =>
    assert.ok(!isClean(await sinceLast(shop))),
  )
  assertClean(await sinceLast(shop))

  // A change by hand to work completed before the checkpoint is found only by the full check.
  await shop.advance(HOUR_SECONDS)
  await pay(shop, await anAccount(shop), 5_000)
  assertClean(await sinceLast(shop))
  await damaged(db, { table: 'transfer', where: `reference = 'failed'`, by: `status = 'SUCCESS'` }, async () => {
    assertClean(await sinceLast(shop))
    assert.ok(!isClean(await verifyLedger(db)))
  })
})

test('a slow transaction that commits behind a checkpoint is no false alarm', async (t) => {
  const shop = await gateway(t)
  await pay(shop, await anAccount(shop), 5_000)
  await shop.advance(HOUR_SECONDS)
  await pay(shop, await anAccount(shop), 5_000)
  assertClean(await sinceLast(shop))
  // The stored sums lack a journal that is older than they are.
  const { db } = shop
  await damage(
    db,
    'ledger_proof',
    `update ledger_proof set checkpoint = jsonb_set(checkpoint::jsonb, '{sums,payable}', '"1"')::json`,
  )
  assertClean(await sinceLast(shop))
})

slow('a long history is verified in steps', async (t) => {
  const shop = await gateway(t)
  for (let n = 0; n < 5; n++) {
    await makePaidTransactions(shop, 1_000, 100)
    await shop.advance(HOUR_SECONDS)
  }
  const { db } = shop
  const verdict = await sinceLast(shop)
  assertClean(verdict)
  assert.ok(verdict.journals >= 5_000)
  const [sum] = await db<{ count: bigint }[]>`select count(*) from journal`
  assert.equal(BigInt(verdict.journals), sum?.count, 'each journal is checked once')
  const later = await sinceLast(shop)
  assertClean(later)
  // Only those of the last hour, with settlements if it is the hour for them, and not those of an earlier one.
  assert.ok(later.journals < 2_000, String(later.journals))
  await damage(
    db,
    'journal',
    `update journal set amounts[1] = amounts[1] + 1 where id = (select min(id) from journal where sources[1] = 'clearing/bank-transfer')`,
  )
  assert.ok(!isClean(await verifyLedger(db)))
})

slow('a ledger verified while payments continue is consistent at every moment', async (t) => {
  const shop = await gateway(t, { hasCheckedBooks: true })
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

test('an account that must not be negative is found if it is, though the database should reject it', async (t) => {
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
