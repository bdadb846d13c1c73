import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import * as contract from '@kobo/contract'
import pg from 'pg'
import { sandbox } from '../../connectors/test/connectors.ts'
import { addSource, countLeft } from '../../gateway/src/core/account-numbers/index.ts'
import { unitOfWork } from '../../gateway/src/core/unit-of-work.ts'
import { putStatementAccount } from '../../gateway/src/features/reconciliation/index.ts'
import { secondsAfter } from '../../gateway/src/kernel/clock.ts'
import { lagosDay } from '../../gateway/src/kernel/dates.ts'
import { ZERO } from '../../gateway/src/kernel/money.ts'
import { anotherNumber, declined, GUARDED, payFrom } from '../../gateway/test/harness/card-testing.ts'
import { testWall } from '../../gateway/test/harness/clock.ts'
import { openDispute } from '../../gateway/test/harness/dispute-samples.ts'
import { gateway, start, type TestGateway } from '../../gateway/test/harness/gateway.ts'
import { freePort } from '../../gateway/test/harness/ports.ts'
import { asOwner, ownDatabase, ownerOf } from '../../gateway/test/harness/postgres.ts'
import { startProgram } from '../../gateway/test/harness/processes.ts'
import { paid } from '../../gateway/test/harness/refund-samples.ts'
import { anAccount, aTransaction, aTransfer, inBatches, pay, transferTo } from '../../gateway/test/harness/samples.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { syslogServer } from '../../gateway/test/harness/syslog-server.ts'
import { reportCreditFrom, secretOf } from '../../gateway/test/harness/test-banks.ts'
import { until } from '../../gateway/test/harness/until.ts'
import { webhookEndpoint } from '../../gateway/test/harness/webhook-endpoint.ts'
import { type CausedFaults, isAbove, record, recordFaults } from './recording.ts'
import { without } from './tools.ts'

const skip = without('promtool', 'prometheus')

/** Makes every new transaction wait in the database; returns a function that ends this. */
async function slowDatabase({ databaseUrl }: TestGateway, seconds: number): Promise<() => Promise<unknown>> {
  await asOwner(
    databaseUrl,
    `create function wait_first() returns trigger language plpgsql as 'begin perform pg_sleep(${seconds}); return null; end'`,
    'create trigger wait_first before insert on transaction for each statement execute function wait_first()',
  )
  return () => asOwner(databaseUrl, 'drop trigger wait_first on transaction', 'drop function wait_first()')
}

/** Faults of requests, each in a healthy gateway, and the minutes until its alert. */
const REQUEST_FAULTS: CausedFaults = {
  KoboSlow: async (shop, { minutes }) => {
    const end = await slowDatabase(shop, 1.2)
    for (let round = 0; round < 4; round++) {
      await shop.call(contract.initTransaction, { body: aTransaction(shop) })
      await minutes(4)
    }
    await end()
  },
  KoboLaneFilling: async (shop, { minutes, untilMeasured }) => {
    const end = await slowDatabase(shop, 2)
    let isOver = false
    // They continue until the queue is measured, because a slow machine sends them more slowly than the lane empties.
    const callers = Array.from({ length: 2_900 }, async () => {
      while (!isOver) await shop.send('POST', contract.initTransaction.path, { body: aTransaction(shop) })
    })
    await untilMeasured(isAbove('kobo_lane_depth', 'init-transaction', 2_500))
    await minutes(2)
    isOver = true
    await end()
    await Promise.all(callers)
  },
  KoboBusy: async (shop, { minutes }) => {
    const session = new pg.Client(shop.db.url)
    await session.connect()
    await session.query('begin')
    await session.query('select from wallet where merchant_id = $1 for update', [shop.merchantId])
    for (let round = 0; round < 3; round++) {
      const body = await aTransfer(shop, { amount: 2_000 + round })
      assert.equal((await shop.send('POST', contract.initiateTransfer.path, { body })).status, 503)
      await minutes(4)
    }
    await session.query('rollback')
    await session.end()
  },
  KoboPoolUsedUp: async (shop, { minutes }) => {
    const session = new pg.Client(ownerOf(shop.databaseUrl))
    await session.connect()
    await session.query('begin; lock table dispute in access exclusive mode')
    let isOver = false
    const callers = Array.from({ length: 12 }, async () => {
      while (!isOver) await shop.send('GET', contract.listDisputes.path)
    })
    await minutes(7)
    isOver = true
    await session.query('rollback')
    await session.end()
    await Promise.all(callers)
  },
  KoboCardTesting: async (shop, { minutes }) => {
    const tryCards = async (count: number): Promise<void> => {
      for (let n = 0; n < count; n++) await payFrom(shop, '203.0.113.7', declined(anotherNumber()))
    }
    await tryCards(31)
    await minutes(1)
    await tryCards(25)
    await minutes(1)
  },
}

slow('requests that fail, wait or are rejected fire their alerts, and not before', { skip }, async (t) => {
  const shop = await gateway(t, { env: { KOBO_RATE_LIMIT: '100000', ...GUARDED } })
  await shop.call(contract.changeSettings, { body: { otpEnabled: false } })
  await recordFaults(shop, REQUEST_FAULTS)
})

/** Faults outside the gateway and work that needs people; each records the minutes until its alert. */
const WORK_FAULTS: CausedFaults = {
  KoboFaults: async (shop, { minutes }) => {
    await asOwner(shop.databaseUrl, 'alter table dispute rename to dispute_away')
    assert.equal((await shop.send('GET', contract.listDisputes.path)).status, 500)
    await minutes(1)
  },
  // The table is still renamed, and a metric reads it.
  KoboBlind: async (shop, { minutes }) => {
    await minutes(20)
    await asOwner(shop.databaseUrl, 'alter table dispute_away rename to dispute')
  },
  KoboForeignScript: async ({ url }, { minutes }) => {
    const report = { 'violated-directive': 'script-src', 'blocked-uri': 'https://evil.example' }
    const headers = { 'content-type': 'application/csp-report' }
    await fetch(`${url}/csp-reports`, { method: 'POST', headers, body: JSON.stringify({ 'csp-report': report }) })
    await minutes(1)
  },
  KoboMailFailing: async (shop, { minutes, untilMeasured }) => {
    for (let mail = 0; mail < 4; mail++) await transferTo(shop, '789', { amount: 700 + mail }) // its code is emailed
    await untilMeasured(isAbove('kobo_mails_total', 'failed', 3))
    await minutes(7)
  },
  KoboDisputesDue: async (shop, { minutes }) => {
    await openDispute(shop, await paid(shop, 5_000), { disputeType: 'RECALL' })
    await shop.advance(2.5 * 86_400)
    await minutes(62)
  },
  KoboReceiverPaused: async (shop, { minutes, untilMeasured }) => {
    await shop.call(contract.changeSettings, { body: { webhookUrl: 'http://127.0.0.1:1/' } }) // no server listens there
    await shop.db`update webhook_endpoint set given_up_in_a_row = 99 where merchant_id = ${shop.merchantId}`
    await pay(shop, await anAccount(shop), 5_000)
    await shop.advance(4 * 86_400)
    await pay(shop, await anAccount(shop), 5_000)
    await untilMeasured(isAbove('kobo_events', 'state="paused"'))
    await minutes(17)
  },
  KoboStatementsLate: async (shop, { minutes }) => {
    const from = lagosDay(shop.core.clock.now())
    const account = { partner: 'wema', accountNumber: '0123456789', mapping: undefined, from, opening: ZERO }
    await unitOfWork(shop.core, (unit) => putStatementAccount(unit, account))
    await shop.advance(4 * 86_400)
    await minutes(62)
  },
  KoboPartitionsMissing: async (shop, { minutes, untilMeasured }) => {
    // As if no partition had been created for days.
    await asOwner(shop.databaseUrl, 'drop function make_partitions', DROP_PARTITIONS)
    await shop.send('GET', contract.listDisputes.path)
    await until('a request is stored', async () => {
      const [row] = await shop.db`select from request_log where merchant_id = ${shop.merchantId}`
      return row !== undefined
    })
    await asOwner(shop.databaseUrl, MORE_REQUESTS)
    await untilMeasured(isAbove('kobo_partition_outside_rows', 'request_log', 10_000))
    await minutes(62)
  },
}

const DROP_PARTITIONS = `do $$
declare one regclass;
begin
  for one in select partition from partitions_of('request_log') where not catches_all loop
    execute format('drop table %s', one);
  end loop;
end $$`
const MORE_REQUESTS = `insert into request_log
  select (jsonb_populate_record(null::request_log, to_jsonb(r) || jsonb_build_object('id', r.id + n))).*
    from (select * from request_log limit 1) r, generate_series(1, 10000) n`

slow('faults, and work waiting for people, fire their alerts, and not before', { skip }, async (t) => {
  const shop = await gateway(t, { env: { SMTP_URL: 'smtp://127.0.0.1:1' } })
  await recordFaults(shop, WORK_FAULTS)
})

const PARTNERS = ['wema', 'providus']

/** A gateway with two banks behind a real connector process. The first bank has its own account numbers. */
async function withConnectors(t: TestContext) {
  const KOBO_RAILS_SECRET = PARTNERS.map((code) => `${code}=${secretOf(code)}`).join(',')
  const KOBO_CONNECTORS = 'wema=sandbox,providus=sandbox?capabilities=credits'
  const rails = await sandbox(t, { wall: testWall, env: { KOBO_CONNECTORS, KOBO_RAILS_SECRET } })
  const KOBO_RAILS_URL = PARTNERS.map((code) => `${code}=${rails.at(code).url}`).join(',')
  const shop = await gateway(t, { env: { KOBO_RAILS_URL, KOBO_RAILS_SECRET } })
  await shop.call(contract.changeSettings, { body: { otpEnabled: false } })
  await unitOfWork(shop.core, (unit) =>
    addSource(
      unit,
      {
        ...{ kind: 'prefix', code: 'own', partner: 'wema', bankCode: '011', prefix: '99', checkDigit: 'nuban' },
        ...{ restDays: 90, settlementAccount: null, forWallets: false },
      },
      false,
    ),
  )
  return { shop, faults: rails.at('wema').faults }
}

slow('partners that fail, are slow or report others’ orders fire their alerts, and not before', { skip }, async (t) => {
  const { shop, faults } = await withConnectors(t)
  const enquire = (nth: number) =>
    shop.send('GET', `${contract.validateAccount.path}?accountNumber=01234567${10 + nth}&bankCode=058`)
  let amount = 1_000
  const send = (ending: string) => transferTo(shop, ending, { amount: amount++ })
  await recordFaults(shop, {
    KoboPartnerOutOfBounds: async (_, { minutes }) => {
      const { transactionReference } = await shop.call(contract.initTransaction, { body: aTransaction(shop) })
      const body = { transactionReference, bankCode: '011' }
      const { bankCode, accountNumber } = await shop.call(contract.initBankTransfer, { body })
      const payer = { name: 'ADA OBI', accountNumber: '0123456789', bankCode: '058', bvn: null }
      await reportCreditFrom(shop, 'providus', {
        railReference: 'FT-1',
        bankCode,
        accountNumber,
        amount: 5_000,
        payer,
      })
      await minutes(1)
    },
    KoboPartnerFailing: async (_, { minutes }) => {
      faults.inject('busy', { operation: 'transfer/name-enquiry', every: 3 })
      for (let round = 0; round < 12; round++) {
        await inBatches(3, enquire)
        await minutes(1)
      }
      faults.clear()
    },
    KoboPartnerSlow: async (_, { minutes, hold }) => {
      hold(11) // the earlier responses no longer count
      faults.inject('delay', { operation: 'transfer/name-enquiry', milliseconds: 10_500 })
      for (let round = 0; round < 2; round++) {
        await enquire(round)
        await minutes(6)
      }
      faults.clear()
    },
    KoboPayoutsFailing: async (_, { minutes }) => {
      for (let transfer = 0; transfer < 7; transfer++) {
        await send('001')
        await minutes(1)
      }
      await minutes(5)
    },
    KoboOrderUnresolved: async (_, { minutes }) => {
      faults.inject('wrong amount', { operation: 'transfer/send', times: 1 })
      await send('789')
      await minutes(1)
    },
    KoboOutcomeUnknown: async (_, { minutes }) => {
      faults.inject('busy', { operation: 'transfer/send' })
      faults.inject('page', { operation: 'transfer/find' })
      await send('789')
      await shop.advance(3_700)
      await minutes(6)
    },
    KoboSlotResting: async (_, { minutes, untilMeasured }) => {
      faults.inject('lost answer', { operation: 'transfer/send' })
      for (let transfer = 0; transfer < 5; transfer++) await send('789')
      await untilMeasured(isAbove('kobo_order_slots_resting', ''))
      await minutes(11)
    },
    KoboPartnerLeftAlone: async (_, { minutes, untilMeasured }) => {
      faults.inject('lost answer', { operation: 'transfer/name-enquiry' })
      await inBatches(10, enquire)
      await untilMeasured(isAbove('kobo_partner_breaker_open', ''))
      await minutes(6)
    },
  })
})

slow('webhooks that fail, or that a session keeps from being delivered, fire their alerts', { skip }, async (t) => {
  const endpoint = await webhookEndpoint(t, () => 500)
  const shop = await gateway(t)
  await shop.call(contract.changeSettings, { body: { webhookUrl: endpoint.url } })
  await recordFaults(shop, {
    KoboEventsFailing: async (_, { minutes, untilMeasured }) => {
      for (let round = 0; round < 13; round++) {
        await pay(shop, await anAccount(shop), 5_000)
        await untilMeasured(isAbove('kobo_event_attempts_total', 'failed', round))
        await minutes(5)
      }
    },
    KoboEventsOverdue: async (_, { minutes, untilMeasured }) => {
      const session = new pg.Client(shop.db.url)
      await session.connect()
      await session.query('begin')
      const hold = `select from event where merchant_id = $1 and status = 'PENDING' for update`
      let held: Promise<unknown> | undefined
      endpoint.respond = async () => {
        held ??= session.query(hold, [shop.merchantId])
        await held
        return 200
      }
      const count = endpoint.received.length
      await pay(shop, await anAccount(shop), 5_000)
      await endpoint.count(count + 1)
      await shop.core.clock.moveTo(secondsAfter(shop.core.clock.now(), 600))
      await untilMeasured(isAbove('kobo_event_overdue_seconds', '', 60))
      await minutes(6)
      await session.query('rollback')
      await session.end()
    },
  })
})

slow(
  'audit records that are deleted, or that a syslog server does not take, fire their alerts',
  { skip },
  async (t) => {
    const port = await freePort()
    const syslog = await syslogServer(t, port)
    const shop = await gateway(t, { env: { KOBO_AUDIT_SYSLOG: `tcp://127.0.0.1:${port}` } })
    const change = (lowBalanceThreshold: number): Promise<unknown> =>
      shop.call(contract.changeSettings, { body: { lowBalanceThreshold } })
    for (let nth = 1; nth <= 10; nth++) await change(nth * 1_000)
    await until('all records are sent', () => syslog.messages.length >= 10)
    await recordFaults(shop, {
      KoboAuditNotStreamed: async (_, { minutes, untilMeasured }) => {
        await syslog.stop()
        await change(500)
        await untilMeasured(isAbove('kobo_audit_unsent', ''))
        await minutes(17)
        await syslog.listen()
      },
      KoboAuditShorter: async ({ databaseUrl }, { minutes }) => {
        await asOwner(databaseUrl, DELETE_NEWEST_RECORDS)
        await minutes(2)
      },
    })
  },
)

const DELETE_NEWEST_RECORDS = `do $$ begin
  set local session_replication_role = replica;
  delete from audit where id in (select audit_id from audit_seal order by number desc limit 5);
  delete from audit_seal where number > (select max(number) - 5 from audit_seal);
end $$`

slow('a bank’s prefix that is nearly used up fires KoboAccountNumbersLow', { skip }, async (t) => {
  const { url: databaseUrl, drop } = await ownDatabase()
  t.after(drop)
  const shop = await gateway(t, { databaseUrl })
  await unitOfWork(shop.core, (unit) => addSource(unit, SMALL_SOURCE, true))
  const recording = record(shop.url)
  await recording.minutes(62)
  recording.quiet('KoboAccountNumbersLow')
  await until('the source is used', async () => (await anAccount(shop)).accountNumber.startsWith(SMALL_SOURCE.prefix))
  const isPlenty = async () =>
    (await countLeft(shop.db, shop.core.ids.cell, shop.core.clock.now())).some(
      ({ source, left }) => source === SMALL_SOURCE.code && left >= 10,
    )
  while (await isPlenty()) await anAccount(shop)
  const next = await start({ databaseUrl }) // a process counts them every five minutes
  t.after(next.close)
  recording.moveTo(next.url)
  await recording.minutes(62)
  recording.fires('KoboAccountNumbersLow')
  recording.evaluate()
})

/** A hundred numbers: the prefix leaves two digits before the check digit. */
const SMALL_SOURCE = {
  code: 'small',
  partner: 'simulated',
  bankCode: '011',
  kind: 'prefix',
  prefix: '7777777',
  checkDigit: 'nuban',
  restDays: 90,
  settlementAccount: null,
  forWallets: false,
} as const

slow('a gateway that has ended fires KoboDown', { skip }, async (t) => {
  const { url: DATABASE_URL, drop } = await ownDatabase()
  t.after(drop)
  const program = startProgram(t, 'gateway/src/main.ts', [], { PORT: '0', DATABASE_URL })
  const recording = record(await program.says(/^Kobo is ready at (\S+)/m))
  await recording.minutes(5)
  recording.quiet('KoboDown')
  program.child.kill('SIGKILL')
  await program.ended
  await recording.minutes(3)
  recording.fires('KoboDown')
  recording.evaluate()
})

const DAY_MINUTES = 1_440

slow(
  'payments that stop fire KoboPaymentsStopped, also if a new version has not counted any yet',
  { skip },
  async (t) => {
    const { url: databaseUrl, drop } = await ownDatabase()
    t.after(drop)
    const shop = await gateway(t, { databaseUrl })
    const recording = record(shop.url)
    const payments = async (count: number): Promise<void> => {
      for (let minute = 0; minute < count; minute++) {
        await pay(shop, await anAccount(shop), 5_000)
        await recording.minutes(1)
      }
    }
    await payments(120)
    recording.hold(DAY_MINUTES - 120) // the night
    await payments(20)
    recording.quiet('KoboPaymentsStopped')
    await recording.minutes(31)
    recording.fires('KoboPaymentsStopped')
    await payments(1)
    recording.quiet('KoboPaymentsStopped')
    const next = await start({ databaseUrl })
    t.after(next.close)
    recording.moveTo(next.url)
    await recording.minutes(40)
    recording.fires('KoboPaymentsStopped')
    recording.evaluate()
  },
)
