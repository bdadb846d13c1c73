import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as contract from '@kobo/contract'
import pg from 'pg'
import { openDispute } from '../harness/dispute-samples.ts'
import { gateway, type TestGateway } from '../harness/gateway.ts'
import { type OwnDatabase, ownDatabase } from '../harness/postgres.ts'
import { paid, refund, refundWithStatus } from '../harness/refund-samples.ts'
import { advanceToHour, anAccount, pay, reserveAccount, transferTo } from '../harness/samples.ts'
import { until } from '../harness/until.ts'
import { checkBooks, findViolations, type Options } from './check-books.ts'

const EVENING = 23

/** A day at a gateway with two merchants: paid, settled, sent, failed, refunded, disputed and owed. */
async function aDay(shop: TestGateway): Promise<void> {
  const another = await shop.anotherMerchant()
  await advanceToHour(shop, 9)
  await shop.call(contract.changeSettings, { body: { otpEnabled: false, settlementDestination: 'BANK' } })
  const account = await reserveAccount(shop)
  await pay(shop, account, 6_600)
  await pay(shop, account, 6_600)
  await pay(another, await reserveAccount(another), 6_600)
  const [sub] = await shop.call(contract.createSubAccounts, {
    body: [
      {
        currencyCode: 'NGN',
        accountNumber: '0123456789',
        bankCode: '058',
        email: 'bisola@example.com',
        defaultSplitPercentage: 20,
      },
    ],
  })
  const incomeSplitConfig = [{ subAccountCode: sub?.subAccountCode ?? '', feeBearer: true, feePercentage: 20 }]
  await pay(shop, await anAccount(shop, { incomeSplitConfig }), 5_000)
  for (const ending of ['789', '001', '003']) await transferTo(shop, ending)
  await refundWithStatus(shop, await refund(shop, await paid(shop, 5_000)), 'COMPLETED')
  await advanceToHour(shop, EVENING, 0)
  await until('all orders are concluded', async () => {
    await shop.advance(400)
    const [open] = await shop.db<
      { count: bigint }[]
    >`select count(*) as count from rail_order where state <> 'CONCLUDED'`
    return open?.count === 0n
  })
  await shop.call(contract.fundWallet, { body: { amount: 1_000 } })
  assert.ok((await openDispute(shop, await paid(shop, 30_000_000))).amountOwed > 0)
}

let database: OwnDatabase
before(async () => {
  database = await ownDatabase()
})
after(() => database.drop())

test('the books of a real day have nothing wrong', async (t) => {
  await aDay(await gateway(t, { databaseUrl: database.url }))
  assert.deepEqual(await checkBooks(database.url), [])
})

/** SQL statements that plant a fault. */
type Plant = readonly string[]

const INSERT_ONLY = [
  'journal',
  'account',
  'wallet_entry',
  'payment',
  'statement_account',
  'statement_file',
  'statement_line',
  'debt_repayment',
  'audit',
] as const

/** Plants a fault into the real books, keeps the books, and expects the book-keeper to name the fault. */
function finds(title: string, named: RegExp, plant: Plant, options?: (client: pg.Client) => Promise<Options>): void {
  test(`the book-keeper names ${title}`, async () => {
    const client = new pg.Client({ connectionString: database.ownerUrl })
    await client.connect()
    try {
      await client.query('begin')
      for (const table of INSERT_ONLY) await client.query(`alter table ${table} disable trigger user`)
      for (const statement of plant) {
        const { rowCount } = await client.query(statement)
        assert.ok(rowCount !== 0, `there is something to change: ${statement}`)
      }
      const found = await findViolations(client, await options?.(client))
      assert.ok(
        found.some((violation) => named.test(violation)),
        found.join('\n') || 'nothing was found',
      )
    } finally {
      await client.end()
    }
  })
}

/** Posts a journal and changes the balances, as the gateway would: each move is [source, target, amount]. */
const post = (row: string, key: string, ...moves: readonly (readonly [string, string, string])[]): Plant => [
  `insert into journal (merchant_id, id, key, memo, posted_at, sources, targets, amounts)
   select r.merchant_id, (select max(id) + 1 from journal), ${key}, 'planted', (select max(posted_at) from journal),
          array[${moves.map(([source]) => source)}], array[${moves.map(([, target]) => target)}], array[${moves.map(([, , amount]) => amount)}]::bigint[]
     from ${row}`,
  `insert into balance_change (merchant_id, id, code, change)
   select merchant_id, (select coalesce(max(id), 0) from balance_change) + row_number() over (), code, change
     from (${moves
       .flatMap(([source, target, amount]) => [
         `select r.merchant_id, ${target} as code, ${amount} as change from ${row}`,
         `select r.merchant_id, ${source}, -(${amount}) from ${row}`,
       ])
       .join(' union all ')}) sides`,
]

const SENT = `(select * from transfer where status in ('SUCCESS', 'REVERSED') and destination_account_number like '%789' order by id limit 1) r`
const FAILED = `(select * from transfer where status = 'FAILED' order by id limit 1)`

// A request that left counts as unsent: another partner pays it too, or its money goes back to the wallet.
finds(
  'a transfer that two partners paid',
  /was paid 2 times: KFDS\w+ by providus, KFDS\w+ by simulated/,
  [],
  async (client) => {
    const { rows } = await client.query<{ reference: string; amount: string }>(
      `select o.reference, o.amount from rail_order o join ${SENT} on r.id = o.id`,
    )
    const { reference = '', amount = '0' } = rows[0] ?? {}
    return {
      simulatedBanks: {
        partners: ['providus'],
        effects: [{ partner: 'providus', reference, amount: BigInt(amount), outcome: 'paid' }],
      },
    }
  },
)
finds('a failed transfer that the bank has paid', /is failed in the books, but simulated has paid it/, [
  `update simulated_entry set facts = jsonb_set(facts::jsonb, '{accountNumber}', '"0123456789"')::json
    where rail = 'transfer' and reference = (select transaction_reference from ${FAILED} t)`,
])

// The second attempt was paid, but a late response to the first returns the money to the wallet.
finds(
  'a paid transfer that a late answer reversed',
  /transfer KFDS\w+~2 .* is returned in the books, but simulated has paid it/,
  [
    `update simulated_entry set reference = reference || '~2'
    where rail = 'transfer' and reference = (select transaction_reference from ${SENT})`,
    `update rail_order o set reference = o.reference || '~2', tries = 2 from ${SENT} where o.id = r.id`,
    ...post(
      SENT,
      `'transfer/' || r.transaction_reference || '/reversed'`,
      [`'clearing/transfers/simulated'`, `'wallet/' || r.source_account_number`, 'r.amount'],
      [`'fees/transfer'`, `'wallet/' || r.source_account_number`, 'r.fee'],
    ),
    `insert into wallet_entry (merchant_id, account_number, id, type, amount, balance_before, balance_after, reference, transaction_reference, message, at)
   select r.merchant_id, r.source_account_number, e.id + 1, 'CREDIT', r.amount + r.fee, e.balance_after, e.balance_after + r.amount + r.fee,
          r.reference, r.transaction_reference, 'planted', e.at
     from ${SENT}
     join lateral (select * from wallet_entry e where e.merchant_id = r.merchant_id and e.account_number = r.source_account_number
                    order by id desc limit 1) e on true`,
    `update transfer t set status = 'REVERSED' from ${SENT} where t.id = r.id`,
  ],
)

const OF_ANOTHER = `(select p.* from payment p where p.merchant_id <> (select merchant_id from payment order by id limit 1) order by p.id limit 1)`
const MINE = '(select * from payment order by id limit 1)'

/** Gives another merchant's payment the bank reference of the first payment. */
const SAME_NAME: Plant = [
  `update journal j set key = 'collection/' || m.rail_reference
     from ${OF_ANOTHER} o, ${MINE} m where j.merchant_id = o.merchant_id and j.key = 'collection/' || o.rail_reference`,
  `update payment p set rail_reference = m.rail_reference from ${OF_ANOTHER} o, ${MINE} m
    where p.merchant_id = o.merchant_id and p.id = o.id`,
]
finds(
  'a credit that is booked for two merchants',
  /credit \S+ of bank \d+ at simulated has 2 effects: booked 6600\.00 on \d+ of merchant \d+, booked 6600\.00 on \d+ of merchant \d+/,
  SAME_NAME,
)
finds('a credit that is booked, and sent back to its payer', /has 2 effects: sent back 6600\.00 .*, booked 6600\.00/, [
  `insert into credit_return (merchant_id, id, reference, partner, bank_code, rail_reference, account_number, amount, purpose, owner_id, reason, received_at, state)
   select 0, 1, 'RETURN-1', partner, bank_code, rail_reference, account_number, amount, 'transaction', 0, 'ALREADY_PAID', received_at, 'BY_PARTNER' from ${MINE} m`,
])
finds(
  'a repeated notification that the next holder of the number was paid for',
  /when the number was another holder’s/,
  [
    `insert into earlier_account (bank_code, account_number, merchant_id, purpose, owner_id, account_name, opened_at, closes_at)
   select v.bank_code, v.account_number, v.merchant_id, v.purpose, v.owner_id, v.account_name, v.opened_at, p.received_at + interval '1 hour'
     from ${MINE} p join virtual_account v on v.bank_code = p.bank_code and v.account_number = p.account_number`,
    `update virtual_account v set merchant_id = o.merchant_id, opened_at = m.received_at + interval '1 hour'
     from ${MINE} m, ${OF_ANOTHER} o where v.bank_code = m.bank_code and v.account_number = m.account_number`,
    `update payment p set bank_code = m.bank_code, account_number = m.account_number from ${OF_ANOTHER} o, ${MINE} m
    where p.merchant_id = o.merchant_id and p.id = o.id`,
  ],
)

// One credit is booked twice: from a statement under the payer's text, and later from the bank's notification.
const SECOND = `(select * from payment where merchant_id = (select merchant_id from ${MINE} m) order by id offset 1 limit 1)`
const renamed = (row: string, reference: string): Plant => [
  `update journal j set key = 'collection/${reference}' from ${row} p where j.merchant_id = p.merchant_id and j.key = 'collection/' || p.rail_reference`,
  `update payment p set rail_reference = '${reference}' from ${row} r where p.merchant_id = r.merchant_id and p.id = r.id`,
]
finds(
  'a statement’s line that is booked twice',
  /named INV-77, SESSION-77, was booked 2 times: booked INV-77, booked SESSION-77/,
  [
    ...renamed(MINE, 'INV-77'),
    ...renamed(SECOND, 'SESSION-77'),
    `insert into statement_account (partner, mapping, began_on, opening_balance, opening_held, gathered_until, created_at)
   values ('simulated', '{}', 1, 0, 0, now(), now())`,
    `insert into statement_file (partner, id, hash, name, lines, new_lines, imported_at) values ('simulated', 1, 'h', 'n', 1, 1, now())`,
    `insert into reconciliation_item (partner, id, state, day, settled_on, difference) values ('simulated', 1, 'MATCHED', 1, 1, 0)`,
    `insert into statement_line (partner, id, file_id, key, day, amount, is_fee, bank_reference, named, item_id)
   values ('simulated', 1, 1, 'k', 1, 660000, false, 'SESSION-77', array['INV-77', 'SESSION-77'], 1)`,
    `insert into reconciliation_decision (id, partner, item_id, wanted, difference, proposed_by, proposed_because, proposed_at, confirmed_by, confirmed_because, confirmed_at, state)
   values (1, 'simulated', 1, '{"as": "credit"}', 660000, 'Ada', 'seen', now(), 'Bayo', 'seen', now(), 'CARRIED_OUT')`,
  ],
)

// A refund with a named destination is a payout that one person makes.
const ELSEWHERE: Plant = [
  `update refund set destination_account_number = '0999999990'`,
  `insert into audit (merchant_id, id, act, actor, reference, details, at)
   select merchant_id, 1, 'refund.initiate', 'person/1', refund_reference, '{}', created_at from refund limit 1`,
]
finds(
  'a refund to another account that no one approved',
  /to account 0999999990, which is not the payer’s, was requested by one person and approved by no one/,
  ELSEWHERE,
)
finds('a payout that left without its approval', /refund \S+ of 1000\.00 has left with 0 of 1 approvals/, [
  ...ELSEWHERE,
  `insert into approval_request (merchant_id, owner_id, kind, approvals_needed, hash, created_at)
   select merchant_id, id, 'REFUND', 1, 'h', created_at from refund limit 1`,
])

// A sub account is paid although the merchant owes.
finds(
  'a settlement that paid sub accounts past a debt',
  /paid \S+ and \S+ to sub accounts, although merchant \d+ owed \S+ after it/,
  [`update merchant_debt set since = (select min(settled_at) - interval '1 hour' from settlement)`],
)

// A payout came back after its last attempt, but counts as arrived.
const PAYOUT = `(select * from settlement_payout where beneficiary_type = 'MERCHANT' order by id limit 1) r`
const CAME_BACK: Plant = [
  `update rail_order o set state = 'UNRESOLVED', tries = 20, reference = o.reference || '~20' from ${PAYOUT} where o.id = r.id`,
  ...post(PAYOUT, `'payout/KFST' || r.id || '~20'`, [
    `'in-flight/settlement'`,
    `'clearing/transfers/simulated'`,
    'r.amount',
  ]),
  ...post(PAYOUT, `'payout/KFST' || r.id || '~20/reversed'`, [
    `'clearing/transfers/simulated'`,
    `'in-flight/settlement'`,
    'r.amount',
  ]),
  ...post(PAYOUT, `'payout/KFST' || r.id || '/reversed'`, [
    `'clearing/transfers/simulated'`,
    `'in-flight/settlement'`,
    'r.amount',
  ]),
  `update settlement s set status = 'PENDING', completed_at = null from ${PAYOUT} where s.id = r.settlement_id`,
  `update settlement_payout p set status = 'DUE', completed_at = null from ${PAYOUT} where p.id = r.id`,
]
finds(
  'a payout that came back and counts as arrived',
  /needs manual review as if it had arrived, but its money came back/,
  CAME_BACK,
)
finds(
  'money in transit that no order holds',
  /account in-flight\/settlement of merchant \d+ holds \S+, but open orders that have not arrived hold 0\.00/,
  CAME_BACK,
)
finds('a decision that can never be carried out', /the decision on order \S+~20 \(succeeded\) cannot be carried out/, [
  ...CAME_BACK,
  `insert into order_decision (merchant_id, id, order_id, reference, verdict, told, proposed_by, proposed_because, proposed_at, confirmed_by, confirmed_because, confirmed_at, state)
   select r.merchant_id, 1, r.id, 'KFST' || r.id || '~20', 'succeeded', '{}', 'Ada', 'seen', now(), 'Bayo', 'seen', (select max(posted_at) from journal), 'CONFIRMED' from ${PAYOUT}`,
])

// Single changes to the books, one of each kind.
finds('a balance that its moves do not make', /account fees\/collection of merchant \d+ holds/, [
  `update account set balance = balance + 1 where code = 'fees/collection'`,
])
finds('a wallet whose lines do not continue each other', /begins with \S+, but the line before it ends with/, [
  `update wallet_entry e set balance_before = balance_before + 1, balance_after = balance_after + 1
    where e.id = (select max(id) from wallet_entry)`,
])
finds('a payment that its transaction does not know', /its payments sum to/, [
  `update transaction t set amount_paid = amount_paid + 1 from ${MINE} p where t.merchant_id = p.merchant_id and t.id = p.transaction_id`,
])
finds('a journal that its record does not explain', /journal refund\/\S+ of merchant \d+ changes/, [
  `update refund set status = 'PENDING', completed_at = null where status = 'COMPLETED'`,
])
finds('refunds above the payment', /sum to \S+, but \S+ was paid/, [`update refund set amount = amount * 100`])
finds('a missing event', /asks for 1 SUCCESSFUL_DISBURSEMENT, but 0 were written/, [
  `delete from event where event_type = 'SUCCESSFUL_DISBURSEMENT'`,
])
finds('an event with another amount', /SUCCESSFUL_REFUND of \S+ says \S+, but the books say/, [
  `update event set body = replace(body, '"refundAmount":', '"refundAmount":1') where event_type = 'SUCCESSFUL_REFUND'`,
])
finds('a duplicated event', /asks for 1 SUCCESSFUL_TRANSACTION, but 2 were written/, [
  `insert into event (merchant_id, id, kind, event_type, refs, body, status, created_at)
   select merchant_id, id + 1, kind, event_type, refs, body, status, created_at from event
    where event_type = 'SUCCESSFUL_TRANSACTION' order by id limit 1`,
])
finds('a payout that the bank does not know', /is paid in the books, but simulated has not paid it/, [
  `delete from simulated_entry where rail = 'transfer' and reference like 'KFST%'`,
])
finds('one reference for two orders', /reference \S+ names [23] orders/, [
  `update rail_order set reference = (select reference from rail_order where purpose = 'refund' limit 1) where purpose = 'settlement-payout'`,
])
finds('one dispute against two payments', /dispute \S+ of \S+ is held against 2 payments/, [
  `insert into dispute select 0, id + 1, reference || '-2', partner, partner_reference, kind, status, transaction_id, transaction_reference,
          payment_id, method, clearing_partner, amount, currency_code, reason, wallet_account_number, from_wallet, from_reserve, from_debt, repaid_debts,
          evidence_due_at, evidence, evidence_at, opened_at, ended_at, comment
     from (select * from dispute limit 1) d`,
])
finds('an order that no process continues', /is SENT and was due at/, [
  `update rail_order set state = 'SENT', due_at = created_at - interval '2 days' where purpose = 'transfer'`,
])
finds('an item that stays to be credited', /item 1 of simulated is CREDITING/, [
  `insert into statement_account (partner, mapping, began_on, opening_balance, opening_held, gathered_until, created_at)
   values ('simulated', '{}', 1, 0, 0, now(), now())`,
  `insert into reconciliation_item (partner, id, state, day, difference, note) values ('simulated', 1, 'CREDITING', 1, 5, 'accepted')`,
  `insert into reconciliation_decision (id, partner, item_id, wanted, difference, proposed_by, proposed_because, proposed_at, confirmed_by, confirmed_because, confirmed_at, state)
   values (1, 'simulated', 1, '{"as": "credit"}', 5, 'Ada', 'seen', 'epoch', 'Bayo', 'seen', 'epoch', 'CARRIED_OUT')`,
])
finds('a closed merchant whose account number is open', /number \d+ of the closed merchant \d+ is open/, [
  `insert into audit (merchant_id, id, act, actor, details, at)
   select merchant_id, 2, 'merchant.close', 'command line', '{}', opened_at from virtual_account where purpose = 'transaction' limit 1`,
])
