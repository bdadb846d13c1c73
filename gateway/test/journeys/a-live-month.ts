// Run by a-live-month.test.ts under a system clock that this program sets; its PostgreSQL has the same clock.
import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { type TestContext, test } from 'node:test'
import * as contract from '@kobo/contract'
import { sandbox } from '../../../connectors/test/connectors.ts'
import { heldByPartner } from '../../src/features/reconciliation/index.ts'
import { wallClock } from '../../src/kernel/clock.ts'
import { dayText, lagosDay, lagosMoment } from '../../src/kernel/dates.ts'
import { hidden } from '../../src/kernel/hidden.ts'
import { kobo } from '../../src/kernel/money.ts'
import { signRequest } from '../../src/rails/protocol/index.ts'
import { checkedDatabase } from '../harness/checked-books.ts'
import { ownFolder } from '../harness/clear-up.ts'
import { setClock } from '../harness/faketime.ts'
import { type Client, client, gateway, type TestGateway } from '../harness/gateway.ts'
import { urlsOf } from '../harness/postgres.ts'
import { commandAt } from '../harness/processes.ts'
import { proxyFor } from '../harness/proxy-for.ts'
import { aTransfer, openTransaction } from '../harness/samples.ts'
import { testBank } from '../harness/test-banks.ts'
import { until } from '../harness/until.ts'
import { anOperator } from '../harness/users.ts'
import { BANKS, CODES, type Code, KOBO_RAILS_SECRET, secretOf, setUp } from './three-partners.ts'

/** Four days also have everything: KOBO_TEST_DAYS=4 npm test -- gateway/test/journeys/a-live-month.test.ts */
const DAYS = Number(process.env['KOBO_TEST_DAYS'] ?? 30)
const FORMATS = { wema: 'mt940', providus: 'camt', easypay: 'csv' } as const
const NUMBERS = { wema: '0100000001', providus: '0100000002', easypay: '0100000003' } as const
/** The only days that need manual decisions, by their number in the month. */
const PLANTED: Readonly<Record<number, { readonly code: Code; readonly reason: string }>> = {
  0: { code: 'wema', reason: 'MISSING_LINE' },
  1: { code: 'easypay', reason: 'UNBOOKED_FEE' },
  2: { code: 'providus', reason: 'MISSING_NOTICE' },
}
/** How the transfers of each day end; one comes back a few minutes after it was sent. */
const ENDINGS = ['789', '003', '789', '001'] as const
const DISPUTED_EVERY = 7
const STRAY_EVERY = 5
/** After this time of the night, the day before can be closed. */
const NIGHT_MINUTES = 70

type Bank = ReturnType<typeof testBank>
interface Month {
  readonly shop: TestGateway
  readonly merchant: Client
  readonly banks: Readonly<Record<Code, Bank>>
  /** The orders that the partner has carried out since the last call. */
  readonly newEffects: (code: Code) => Promise<readonly Effect[]>
  /** A partner reports a credit; returns the gateway's response. */
  readonly reportCredit: (code: Code, credit: object) => Promise<{ readonly kind: string }>
}
interface Effect {
  readonly rail: string
  readonly reference: string
  readonly facts: { readonly amount: string; readonly accountNumber?: string }
}

/** Sends a partner's signed notification to the gateway. */
const reporter =
  ({ url }: TestGateway): Month['reportCredit'] =>
  async (code, credit) => {
    const body = JSON.stringify(credit)
    const { headers } = signRequest({ secret: hidden(secretOf(code)) }, wallClock, { operation: 'credits', body })
    const response = await fetch(`${url}/rails/credits`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    })
    return (await response.json()) as { kind: string }
  }

let payments = 0

/** A payment, as the partner notified it. */
interface Credit {
  readonly transactionReference: string
  readonly railReference: string
  readonly amount: number
}

/** A customer pays by bank transfer; returns the notification. */
async function collect({ merchant, banks, reportCredit }: Month, code: Code, isLate: boolean): Promise<Credit> {
  const naira = 2_000 + ++payments
  const transactionReference = await openTransaction(merchant, { amount: naira })
  let accountNumber = ''
  await until(`${transactionReference} has a number`, async () => {
    const body = { transactionReference, bankCode: BANKS[code] }
    const { status, text } = await merchant.send('POST', contract.initBankTransfer.path, { body })
    if (status === 200) accountNumber = JSON.parse(text).responseBody.accountNumber
    return status === 200
  })
  const [railReference, amount] = [`NIP${payments}`, naira * 100]
  const credit = { railReference, bankCode: BANKS[code], accountNumber, amount }
  assert.deepEqual(await reportCredit(code, credit), { kind: 'accepted' })
  const day = lagosDay(wallClock.now()) + (isLate ? 1 : 0)
  banks[code].addLine({ day, amount: kobo(BigInt(amount)), bankReference: railReference })
  return { transactionReference, railReference, amount }
}

/** The payer's bank recalls a payment by email, the merchant accepts it, and the bank takes the money. */
async function recall({ shop, merchant, banks }: Month, credit: Credit): Promise<void> {
  const { transactionReference, railReference, amount } = credit
  const bankReference = `RECALL-${railReference}`
  const code = (await shop.core.directory.byApiKey(merchant.credentials.apiKey))?.code ?? ''
  const [one, two] = [await anOperator(shop, 'operator'), await anOperator(shop, 'operator')]
  const reported = {
    transactionReference,
    disputeType: 'RECALL',
    partner: 'wema',
    partnerReference: bankReference,
  } as const
  const body = { ...reported, reason: 'the payer asks for it' }
  const requested = await one.call(contract.requestDispute, { params: { code }, body })
  await two.call(contract.approveChange, { params: requested })
  const { content } = await merchant.call(contract.listDisputes, { query: {} })
  const { disputeReference } = content.find((one) => one.transactionReference === transactionReference) ?? assert.fail()
  await merchant.call(contract.acceptDispute, { params: { disputeReference } })
  banks.wema.addLine({ amount: kobo(-BigInt(amount)), bankReference })
}

/** A day's business; returns the references of transfers that come back, and the credit at Wema. */
async function play(month: Month, index: number, yesterday: Credit | undefined) {
  const { merchant, banks, reportCredit } = month
  const planted = PLANTED[index]
  if (index % DISPUTED_EVERY === 3 && yesterday !== undefined) await recall(month, yesterday)
  let atWema: Credit | undefined
  for (const code of CODES) {
    const isLate = planted?.code === code && planted.reason === 'MISSING_LINE'
    const credit = await collect(month, code, isLate)
    if (code === 'wema') atWema = credit
  }
  if (index % STRAY_EVERY === 2) {
    const stray = { railReference: `STRAY${index}`, bankCode: BANKS.wema, accountNumber: '9000000001', amount: 70_000 }
    const payer = { name: 'ADA OBI', accountNumber: '0123456789', bankCode: '058', bvn: null }
    assert.equal((await reportCredit('wema', { ...stray, payer })).kind, 'held')
    banks.wema.addLine({ amount: kobo(70_000n), bankReference: stray.railReference })
  }
  if (planted?.reason === 'UNBOOKED_FEE')
    banks[planted.code].addLine({ amount: kobo(-10_000n), bankReference: 'SMS', narration: 'SMS charge', isFee: true })
  if (planted?.reason === 'MISSING_NOTICE')
    banks[planted.code].addLine({ amount: kobo(660_000n), bankReference: 'NIPMISSED', narration: 'NIP FROM ADA' })
  const destinationAccountNumber = `0123456${ENDINGS[index % ENDINGS.length]}`
  const body = await aTransfer(merchant, { amount: 1_600 + index, destinationAccountNumber })
  const { reference } = await merchant.call(contract.initiateTransfer, { body })
  return { comingBack: destinationAccountNumber.endsWith('003') ? [reference] : [], atWema }
}

/** Waits until the gateway knows that a transfer came back. */
const untilReversed = ({ merchant }: Month, reference: string): Promise<void> =>
  until(`${reference} is reversed`, async () => {
    const { status } = await merchant.call(contract.getTransfer, { query: { reference } })
    return status === 'REVERSED'
  })

/** Waits until everything that was started today has its outcome, and writes the bank's lines for it. */
async function endDay({ shop: { db }, banks, newEffects }: Month): Promise<void> {
  await until('all orders of the day have an outcome', async () => {
    const [row] = await db<{ open: bigint; settled: bigint; waiting: bigint }[]>`
      select (select count(*) from rail_order where state in ('WAITING', 'SENT')) as open,
             (select count(*) from settlement_item) as settled,
             (select count(*) from credit_return where state <> 'RETURNED') as waiting`
    return row?.open === 0n && row.waiting === 0n && row.settled === BigInt(payments)
  })
  for (const code of CODES)
    for (const { rail, reference, facts } of await newEffects(code)) {
      if (rail !== 'transfer' && rail !== 'send-back') continue
      const ending = rail === 'transfer' ? facts.accountNumber?.slice(-3) : undefined
      if (ending === '001') continue
      banks[code].addLine({ amount: kobo(-BigInt(facts.amount)), reference })
      // It comes back tomorrow.
      if (ending === '003')
        banks[code].addLine({ day: lagosDay(wallClock.now()) + 1, amount: kobo(BigInt(facts.amount)), reference })
    }
}

/** Moves the clock of the whole system to the next night, and waits until the gateway serves again. */
async function sleepUntilNextNight({ url }: TestGateway): Promise<void> {
  setClock(lagosMoment(lagosDay(wallClock.now()) + 1, NIGHT_MINUTES))
  await until('the gateway serves again', async () => (await fetch(`${url}/health/ready`)).status === 200)
}

interface Collected {
  readonly partner: Code
  readonly files: readonly { readonly rejected?: string; readonly exceptions?: number }[]
  readonly closed: readonly string[]
  readonly open?: string
}

/** Two operators decide what was planted: a cost, a credit, or an explanation. */
async function decide({ shop, merchant }: Month, code: Code, reason: string): Promise<void> {
  const [one, two] = [await anOperator(shop, 'operator'), await anOperator(shop, 'operator')]
  const exceptions = async () =>
    (await one.call(contract.listExceptions, {})).exceptions.filter(({ state }) => state === 'OPEN')
  const [found, ...more] = await exceptions()
  assert.deepEqual([found?.partner, found?.reason, more], [code, reason, []])
  const params = { id: found?.id ?? '' }
  if (reason === 'MISSING_LINE') {
    await one.call(contract.explainException, { params, body: { because: 'the bank books it tomorrow' } })
    return
  }
  const account = { bankCode: BANKS.providus, accountNumber: merchant.credentials.walletAccountNumber }
  const body =
    reason === 'MISSING_NOTICE'
      ? { as: 'credit' as const, because: 'on the statement', ...account }
      : { as: 'cost' as const, because: 'their price list' }
  for (const operator of [one, two]) await operator.call(contract.decideException, { params, body })
  await until('it is booked', async () => (await exceptions()).length === 0)
  await until('its credit is received', async () => {
    const { count } = await shop.db`select from reconciliation_item where state = 'CREDITING'`
    return count === 0
  })
}

/** Runs commands with the configuration of the gateway. */
function commandsAt({ databaseUrl }: TestGateway) {
  const env = {
    KOBO_ENVIRONMENT: 'live',
    DATABASE_URL: databaseUrl,
    KOBO_VAULT_DATABASE_URL: urlsOf(databaseUrl).vault,
    KOBO_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
  }
  const run = (...args: readonly string[]) => commandAt(wallClock, env, ...args)
  return {
    run,
    /** Expects success and returns the output. */
    prints: async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await run(...args)
      assert.deepEqual([code, stderr], [0, ''], args.join(' '))
      return JSON.parse(stdout)
    },
  }
}

/** A live gateway with three partners, whose statements are read from now on. */
async function begin(t: TestContext): Promise<Month> {
  const [partnersDoor, gatewayDoor] = [await proxyFor(t), await proxyFor(t)]
  const env = {
    KOBO_ENVIRONMENT: 'live',
    KOBO_RAILS_URL: CODES.map((code) => `${code}=${partnersDoor.url}/${code}`).join(','),
    KOBO_RAILS_SECRET,
    KOBO_RAILS_PROTOCOL: '2',
    KOBO_RATE_LIMIT: '600000',
  }
  const { url: databaseUrl, drop } = await checkedDatabase()
  t.after(drop)
  const credentials = await setUp(wallClock, databaseUrl, env)
  const KOBO_CONNECTORS = CODES.map((code) => `${code}=sandbox`).join(',')
  const partners = await sandbox(t, { env: { KOBO_CONNECTORS, KOBO_RAILS_SECRET, KOBO_GATEWAY_URL: gatewayDoor.url } })
  partnersDoor.forwardTo(Number(new URL(partners.url).port))
  const shop = await gateway(t, { wall: wallClock, env, databaseUrl })
  gatewayDoor.forwardTo(Number(new URL(shop.url).port))
  const seen = new Map<Code, number>()
  const bankOf = (code: Code): Bank => testBank(NUMBERS[code], { core: { clock: wallClock } })
  return {
    shop,
    merchant: await client(shop.url, credentials),
    banks: { wema: bankOf('wema'), providus: bankOf('providus'), easypay: bankOf('easypay') },
    newEffects: async (code) => {
      const { effects } = (await partners.at(code).control('effects')) as unknown as { effects: readonly Effect[] }
      const from = seen.get(code) ?? 0
      seen.set(code, effects.length)
      return effects.slice(from)
    },
    reportCredit: reporter(shop),
  }
}

test('a live month', async (t) => {
  const begun = await begin(t)
  const { shop, banks, reportCredit } = begun
  const { run, prints } = commandsAt(shop)
  const first = lagosDay(wallClock.now()) + 1
  const folder = ownFolder('statements')
  await sleepUntilNextNight(shop)
  for (const code of CODES) {
    mkdirSync(join(folder, code))
    const start = ['--number', NUMBERS[code], '--from', dayText(first), '--opening', '0']
    const mapping = FORMATS[code] === 'csv' ? ['--mapping', banks[code].mapping()] : []
    await prints('statement', 'account', code, ...start, ...mapping)
  }
  const wallet = { bankCode: BANKS.providus, accountNumber: begun.merchant.credentials.walletAccountNumber }
  const funds = { ...wallet, railReference: 'FUNDS', amount: 40_000_000 }
  assert.deepEqual(await reportCredit('providus', funds), { kind: 'accepted' })
  banks.providus.addLine({ amount: kobo(40_000_000n), bankReference: 'FUNDS' })

  const collectAll = async (): Promise<readonly Collected[]> => {
    const { stdout, stderr } = await run('statement', 'collect', folder, '--close', '--still', '0')
    assert.equal(stderr, '')
    return JSON.parse(stdout)
  }
  let comingBack: readonly string[] = []
  let yesterday: Credit | undefined
  for (let index = 0; index < DAYS; index++) {
    const day = first + index
    // A token lasts an hour.
    const month = { ...begun, merchant: await client(shop.url, begun.merchant.credentials) }
    for (const reference of comingBack) await untilReversed(month, reference)
    const played = await play(month, index, yesterday)
    ;[comingBack, yesterday] = [played.comingBack, played.atWema]
    await endDay(month)
    await sleepUntilNextNight(shop)
    for (const code of CODES) copyFileSync(banks[code].write(day, FORMATS[code]), join(folder, code, `${day}.txt`))
    const collected = await collectAll()
    const planted = PLANTED[index]
    for (const { partner, files, closed, open } of collected) {
      assert.deepEqual(
        files.map(({ rejected }) => rejected),
        [undefined],
        partner,
      )
      if (partner !== planted?.code) assert.deepEqual(closed, [dayText(day)], `${partner}: ${open}`)
      else assert.deepEqual(closed, [], `${partner} waits for people`)
    }
    if (planted === undefined) continue
    await decide(month, planted.code, planted.reason)
    const again = (await collectAll()).find(({ partner }) => partner === planted.code)
    assert.deepEqual(again?.closed, [dayText(day)], again?.open)
  }
  const last = first + DAYS - 1
  for (const code of CODES) {
    const [status] = await prints('reconcile', 'status', code)
    assert.deepEqual([status.closedThrough, status.proof.unexplained], [dayText(last), '0.00'], code)
    const held = await heldByPartner(shop.db, code, lagosMoment(last + 1, 0))
    t.diagnostic(`${code}: ${DAYS} days closed, ${held} kobo in the ledger`)
  }
  await prints('ledger', 'verify')
})
