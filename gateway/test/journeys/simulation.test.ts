import assert from 'node:assert/strict'
import { randomInt, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { verifyLedger } from '../../src/app/ledger.ts'
import { inDatabase, isClean } from '../../src/core/money/ledger/index.ts'
import type { Answer } from '../harness/answers.ts'
import { type Client, client, gateway, type Shop, type TestGateway } from '../harness/gateway.ts'
import { ownDatabase } from '../harness/postgres.ts'
import { type Receiver, receiver } from '../harness/receiver.ts'
import { aRefund } from '../harness/refund-samples.ts'
import { aCard, aTransaction, aTransfer, CARDS, chance, opened, pay, statusOf } from '../harness/samples.ts'
import { until } from '../harness/wait.ts'

const STEPS = 40
const BURST_MAX = 8
/** Long enough for every event to be delivered, and for every card to be settled whatever the holidays. */
const IN_THE_END_DAYS = 14
/** Far more than a wallet holds. */
const TOO_MUCH = 50_000_000

/** What the simulation itself knows of a transaction, to hold against what the gateway says. */
interface Expected {
  readonly client: Client
  readonly transactionReference: string
  readonly bankCode: string
  readonly accountNumber: string
  readonly payable: number
  kept: number
}

test('whatever merchants, customers and clocks do, on two nodes at once, every kobo is where it belongs', async (t) => {
  const seed = Number(process.env['KOBO_TEST_SEED'] ?? randomInt(2 ** 31))
  t.diagnostic(`KOBO_TEST_SEED=${seed}`)
  const dice = chance(seed)
  const own = await ownDatabase()
  const first = await gateway(t, { databaseUrl: own.url })
  const second = await gateway(t, { databaseUrl: own.url })
  t.after(own.drop)
  const shops = await Promise.all(
    [first, await first.anotherMerchant()].map((shop) => onBothNodes(shop, [first, second])),
  )
  const events = await receiver(t)
  for (const [here] of shops)
    await here?.call(contract.changeSettings, {
      body: { webhookUrl: events.url, otpEnabled: false, permissions: { bills: true } },
    })
  // Receivers fail as they please; every event still arrives in the end.
  events.answering = () => dice.oneOf([200, 200, 200, 500, 429, 404])

  const subAccountsOf = new Map<string, readonly string[]>()
  for (const [here] of shops)
    if (here !== undefined) subAccountsOf.set(here.credentials.apiKey, await subAccounts(here))
  const open: Expected[] = []
  const accepted = new Set<string>()
  const rejected = new Set<string>()
  const byCard: Pick<Expected, 'client' | 'transactionReference'>[] = []

  const splits = (codes: readonly string[]) =>
    dice.oneOf([[], [], codes.slice(0, 1), codes]).map((subAccountCode) => ({
      subAccountCode,
      ...dice.oneOf([{}, { splitPercentage: 24.9999 }, { splitAmount: 4.99 }]),
      feeBearer: dice.oneOf([true, false]),
      feePercentage: dice.oneOf([0, 12.5, 24.9999]),
    }))

  const acts: Readonly<Record<string, () => Promise<void>>> = {
    ask: async () => {
      const node = dice.oneOf(dice.oneOf(shops))
      const amount = (20 + dice.below(1_000_000) / 100).toFixed(2)
      const { transactionReference } = await node.call(contract.initTransaction, {
        body: aTransaction(node, {
          amount,
          incomeSplitConfig: splits(subAccountsOf.get(node.credentials.apiKey) ?? []),
        }),
      })
      const account = await node.call(contract.initBankTransfer, { body: { transactionReference } })
      open.push({ client: node, ...account, payable: account.totalPayable, kept: 0 })
    },
    pay: async () => {
      const wanted = dice.oneOf(open)
      if (wanted === undefined) return
      const missing = Math.max(0.01, wanted.payable - wanted.kept)
      const amount = dice.oneOf([missing, missing, missing / 2, missing / 3, missing * 2, 0.01])
      const text = Math.max(0.01, amount).toFixed(2)
      const senderAccountNumber = `0123452${dice.oneOf(['190', '190', '001', '002', '003', '005'])}`
      const { status, sessionId } = await pay(dice.oneOf(dice.oneOf(shops)), wanted, text, { senderAccountNumber })
      if (status === 'ACCEPTED') {
        accepted.add(sessionId)
        wanted.kept = Math.round((wanted.kept + Number(text)) * 100) / 100
      } else rejected.add(sessionId)
    },
    topUp: async () => {
      const node = dice.oneOf(dice.oneOf(shops))
      const accountNumber = node.credentials.walletAccountNumber
      await pay(node, { bankCode: '50515', accountNumber }, (1 + dice.below(500_000) / 100).toFixed(2))
    },
    refund: async () => {
      const wanted = dice.oneOf(open)
      if (wanted === undefined) return
      const refundAmount = Math.max(100, wanted.kept / dice.times(3)).toFixed(2)
      const body = aRefund(wanted.transactionReference, { refundAmount })
      const { status, text } = await wanted.client.send('POST', contract.initiateRefund.path, { body })
      assert.ok(status === 200 || status === 400, text)
    },
    charge: async () => {
      const node = dice.oneOf(dice.oneOf(shops))
      const amount = (20 + dice.below(1_000_000) / 100).toFixed(2)
      const card = aCard(dice.oneOf([CARDS.success, CARDS.success, CARDS.silent, CARDS.insufficientFunds]))
      // All dice are cast before the first wait, so that a seed tells the same story again.
      const transactionReference = await opened(node, { amount })
      byCard.push({ client: node, transactionReference })
      // Whichever answers come, what was paid is counted in the end.
      await atOnce([node, node], contract.chargeCard.path, { transactionReference, card })
    },
    transfer: async () => {
      const nodes = dice.oneOf(shops)
      const body = await aTransfer(dice.oneOf(nodes), {
        amount: dice.oneOf([100, 20_000.01, 3_000_000, TOO_MUCH]),
        destinationAccountNumber: `0123456${dice.oneOf(['789', '001', '002', '003', '004', '005'])}`,
      })
      await onceAtMost(nodes, contract.initiateTransfer.path, body)
    },
    vend: async () => {
      const customerId = `08142223${dice.oneOf(['149', '001', '002', '003'])}`
      const amount = dice.oneOf([100, 2_500, 50_000])
      const body = { productCode: 'MTN-AIRTIME', customerId, amount, reference: `bill-${randomUUID()}` }
      await onceAtMost(dice.oneOf(shops), contract.vendBill.path, body)
    },
    cancel: async () => {
      const wanted = dice.oneOf(open)
      if (wanted !== undefined) await wanted.client.send('DELETE', cancelPath(wanted.transactionReference))
    },
    terms: async () => {
      const body = {
        feeBearer: dice.oneOf(['MERCHANT', 'CUSTOMER'] as const),
        underpayment: dice.oneOf(['ACCEPT', 'ACCEPT', 'REJECT'] as const),
        settlement: dice.oneOf(['DAILY', 'INSTANT'] as const),
        settlementDestination: dice.oneOf(['WALLET', 'BANK'] as const),
      }
      await dice.oneOf(dice.oneOf(shops)).call(contract.changeSettings, { body })
    },
    wait: () => dice.oneOf([first, second]).advance(dice.oneOf([1, 30, 600, 2_400, 40_000])),
  }

  for (let step = 0; step < STEPS; step++) {
    const kind = dice.oneOf([
      'ask',
      'ask',
      'ask',
      'pay',
      'pay',
      'pay',
      'pay',
      'topUp',
      'refund',
      'refund',
      'charge',
      'transfer',
      'transfer',
      'vend',
      'cancel',
      'terms',
      'wait',
    ])
    const burst = kind === 'cancel' || kind === 'terms' || kind === 'wait' ? 1 : dice.times(BURST_MAX)
    await Promise.all(Array.from({ length: burst }, () => acts[kind]?.()))
    await checkBooks(first)
  }

  await until('all has come to its end', async () => {
    await first.advance(400)
    const [left] = await first.db<{ count: bigint }[]>`
      select (select count(*) from refund where status = 'PENDING') + (select count(*) from transfer where status = 'PENDING')
           + (select count(*) from bill_vend where status = 'PENDING')
           + (select count(*) from card_attempt where status in ('CHARGING', 'UNKNOWN', 'REVERSING')) as count`
    return left?.count === 0n
  })
  for (const { client: owner, transactionReference, kept } of open) {
    const record = await statusOf(owner, transactionReference)
    assert.equal(Number(record.amountPaid), kept, `${transactionReference} kept what was accepted`)
  }
  const cards = await Promise.all(byCard.map((one) => statusOf(one.client, one.transactionReference)))
  const charged = cards.filter(({ paymentStatus }) => paymentStatus === 'PAID').length
  const [counts] = await first.db<{ payments: bigint; journals: bigint; told: bigint; refused: bigint }[]>`
    select (select count(*) from payment) as payments,
           (select count(*) from journal where key like 'collection/%') as journals,
           (select count(*) from event where event_type = 'SUCCESSFUL_TRANSACTION') as told,
           (select count(*) from event where event_type = 'REJECTED_PAYMENT') as refused`
  const expected = BigInt(accepted.size + charged)
  assert.deepEqual(counts, { payments: expected, journals: expected, told: expected, refused: BigInt(rejected.size) })

  events.answering = () => 200
  await first.advance(IN_THE_END_DAYS * 86_400)
  const undelivered = await first.db`select id, status from event where status <> 'DELIVERED'`
  assert.deepEqual([...undelivered], [], 'every event arrived')
  await checkWallets(first)
  const unsettled = await first.db`select transaction_reference from transaction where settles_at is not null`
  assert.deepEqual([...unsettled], [], 'all that was paid is settled')
  await checkBooks(first, true)
  const told = sessionsTold(events)
  assert.deepEqual(
    [...accepted].filter((session) => !told.has(session)),
    [],
    'every accepted credit was told',
  )
})

/** Banks of every kind: one takes money, one later, one never, one sends it back. */
async function subAccounts(client: Client): Promise<readonly string[]> {
  const body = ['0123456789', '0123456002', '0123456001', '0123456003'].map((accountNumber) => ({
    currencyCode: 'NGN',
    accountNumber,
    bankCode: '058',
    email: 'bisola@example.com',
    defaultSplitPercentage: 0.07,
  }))
  const created = await client.call(contract.createSubAccounts, { body })
  return created.map(({ subAccountCode }) => subAccountCode)
}

const cancelPath = (reference: string): string =>
  contract.cancelTransaction.path.replace(':transactionReference', encodeURIComponent(reference))

/** The same merchant, calling either node. */
const onBothNodes = (shop: Client, nodes: readonly TestGateway[]): Promise<Client[]> =>
  Promise.all(nodes.map(({ url }) => client(url, shop.credentials)))

/** Sends one request several times at once. */
async function atOnce(clients: readonly Client[], path: string, body: object): Promise<readonly Answer[]> {
  const answers = await Promise.all(clients.map((each) => each.send('POST', path, { body })))
  for (const { status, text } of answers) assert.ok(status < 500, text)
  return answers
}

/** The same where a reference is used up: it is taken once, or refused. */
async function onceAtMost(clients: readonly Client[], path: string, body: object): Promise<void> {
  const taken = (await atOnce(clients, path, body)).filter(({ status }) => status === 200)
  assert.ok(taken.length <= 1, 'a reference is taken once')
}

/** What must hold after every step of what is new, and in the end of everything. */
async function checkBooks({ db }: Shop, isWhole = false): Promise<void> {
  const verdict = await verifyLedger(db, isWhole ? {} : { checkpoints: inDatabase(db, true) })
  assert.ok(isClean(verdict), JSON.stringify(verdict))
}

/** What must hold once all has come to its end: no payment was refunded twice, nothing is in flight, wallets hold the rest. */
async function checkWallets({ db }: Shop): Promise<void> {
  const wrong = await db`
    select 'refunded too much' as what, transaction_reference as of
      from transaction t
     where amount_paid < (select sum(amount) from refund r
                           where r.merchant_id = t.merchant_id and r.transaction_id = t.id and r.status <> 'FAILED')
    union all
    select 'in flight', code from account
     where code like 'in-flight/%' and code not like 'in-flight/settlement%' and balance <> 0 -- one bank never takes its payouts
    union all
    select 'wallet', w.account_number
      from wallet w
      left join account a on a.merchant_id = w.merchant_id and a.code = 'wallet/' || w.account_number
     where coalesce(a.balance, 0) <>
           (select coalesce(sum(m.amount), 0) from move m
             where m.merchant_id = w.merchant_id and m.source in ('clearing/funding', 'payable') and m.target = a.code)
         + (select coalesce(sum(amount), 0) from top_up t where t.merchant_id = w.merchant_id)
         - (select coalesce(sum(amount + fee), 0) from refund r where r.merchant_id = w.merchant_id and r.status = 'COMPLETED')
         - (select coalesce(sum(amount + fee), 0) from transfer o where o.merchant_id = w.merchant_id and o.status = 'SUCCESS')
         - (select coalesce(sum(vend_amount - commission), 0) from bill_vend v where v.merchant_id = w.merchant_id and v.status = 'SUCCESS')`
  assert.deepEqual([...wrong], [])
}

/** The session ids of all credits that were told. */
function sessionsTold({ received }: Receiver): Set<string> {
  const collections = received.filter(({ event }) => event.eventType === 'SUCCESSFUL_TRANSACTION')
  return new Set(
    collections.flatMap(({ event }) =>
      (event.eventData['paymentSourceInformation'] as { sessionId: string }[]).map(({ sessionId }) => sessionId),
    ),
  )
}
