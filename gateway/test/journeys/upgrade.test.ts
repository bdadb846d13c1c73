import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import * as contract from '@kobo/contract'
import pg from 'pg'
import { assertBooks } from '../harness/checked-books.ts'
import { type Client, client } from '../harness/gateway.ts'
import { emptyDatabase, ownDatabase } from '../harness/postgres.ts'
import { extractPreviousVersion, PREVIOUS_VERSION, whyNoPreviousVersion } from '../harness/previous-version.ts'
import { command, type Program, startProgram } from '../harness/processes.ts'
import type { ApiResponse } from '../harness/responses.ts'
import { aCard, aTransaction, aTransfer, CARDS } from '../harness/samples.ts'
import { slow } from '../harness/slow.ts'
import { until } from '../harness/until.ts'

const CALLERS = 2
/** How often each node must have done everything before a phase ends. */
const DONE_MIN = 5

const KINDS = ['bought', 'charged', 'transferred'] as const
type Done = Record<(typeof KINDS)[number], number>

/** A node under constant load until it is released. */
interface Node {
  readonly program: Program
  readonly merchant: Client
  readonly done: Done
  /** Unsuccessful responses to valid requests, and requests without a response. */
  readonly failures: unknown[]
  /** Acknowledged payments by transaction reference. */
  readonly paid: Set<string>
  /** Does something while no request is in progress. */
  readonly inPeace: <T>(work: () => Promise<T>) => Promise<T>
  /** Ends the load once every open request has its response. */
  readonly leaveAlone: () => Promise<void>
}

const settings = (url: string): NodeJS.ProcessEnv => ({
  PORT: '0',
  DATABASE_URL: url,
  KOBO_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
})

/** Starts a node, and its load. */
async function join(t: TestContext, file: string, url: string): Promise<Node> {
  const program = startProgram(t, file, [], settings(url))
  const baseUrl = await program.says(/^Kobo is ready at (\S+)/m)
  const shown = (label: string): string => new RegExp(`^ +${label} +(\\S+)$`, 'm').exec(program.stdout())?.[1] ?? ''
  const merchant = await client(baseUrl, {
    baseUrl,
    apiKey: shown('API key'),
    secretKey: shown('Secret key'),
    contractCode: shown('Contract code'),
    walletAccountNumber: shown('Wallet account'),
  })
  const settled = await merchant.send('PUT', contract.changeSettings.path, { body: { otpEnabled: false } })
  assert.equal(settled.status, 200, settled.text)
  return underLoad(t, program, merchant)
}

let transfers = 0

async function underLoad(t: TestContext, program: Program, merchant: Client): Promise<Node> {
  const done: Done = { bought: 0, charged: 0, transferred: 0 }
  const failures: unknown[] = []
  const paid = new Set<string>()
  let ended = false
  t.after(() => {
    ended = true
  })
  /** By the path alone: the previous version's responses may differ from our contract. */
  const request = async <R extends contract.Route>(route: R, body: object): Promise<contract.Reply<R> | undefined> => {
    const response = await merchant.send(route.method, route.path, { body }).catch((error: unknown) => {
      failures.push(error)
    })
    // All requests are valid, so an error is a failure too; but a rate limit may be reached.
    if (response !== undefined && response.status !== 200 && response.status !== 429) failures.push(shown(response))
    return response?.status === 200 ? (response.body.responseBody as contract.Reply<R>) : undefined
  }
  const open = async (): Promise<string | undefined> =>
    (await request(contract.initTransaction, aTransaction(merchant, { amount: 100 })))?.transactionReference
  const buy = async (): Promise<void> => {
    const transactionReference = await open()
    const account = transactionReference && (await request(contract.initBankTransfer, { transactionReference }))
    if (!account) return
    const { bankCode, accountNumber, totalPayable } = account
    const credit = await request(contract.payIntoAccount, { bankCode, accountNumber, amount: totalPayable })
    if (credit?.status !== 'ACCEPTED') return
    paid.add(transactionReference)
    done.bought++
  }
  const charge = async (): Promise<void> => {
    const transactionReference = await open()
    if (transactionReference === undefined) return
    const charged = await request(contract.chargeCard, { transactionReference, card: aCard(CARDS.success) })
    if (charged?.status === 'SUCCESS') done.charged++
  }
  const sample = await aTransfer(merchant)
  const transfer = async (): Promise<void> => {
    const nth = ++transfers
    // The same amount to the same account would be rejected as a duplicate.
    const sent = await request(contract.initiateTransfer, {
      ...sample,
      reference: `pay-${nth}`,
      amount: (10_000 + nth) / 100,
    })
    if (sent?.status === 'SUCCESS') done.transferred++
  }
  let gate = Promise.resolve()
  let resting = 0
  const callers = Promise.all(
    Array.from({ length: CALLERS }, async () => {
      while (!ended) {
        resting++
        await gate
        resting--
        await buy()
        await transfer()
        if (done.charged < done.bought / 4) await charge()
      }
    }),
  )
  const inPeace = async <T>(work: () => Promise<T>): Promise<T> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    gate = promise
    await until('every caller is paused', () => resting === CALLERS)
    return work().finally(resolve)
  }
  const leaveAlone = async (): Promise<void> => {
    ended = true
    await callers
  }
  return { program, merchant, done, failures, paid, inPeace, leaveAlone }
}

const shown = ({ status, text }: ApiResponse): string => `${status} ${text}`

/** Waits until each of these nodes has done everything a few more times, and checks that none of them failed. */
async function allGoOn(what: string, ...nodes: readonly Node[]): Promise<void> {
  const before = nodes.map(({ done }) => ({ ...done }))
  const hasDone = ({ done }: Node, index: number): boolean =>
    KINDS.every((kind) => done[kind] >= (before[index]?.[kind] ?? 0) + DONE_MIN)
  await until(what, () => nodes.every((node, index) => node.failures.length > 0 || hasDone(node, index)))
  for (const node of nodes) checkUnharmed(what, node)
}

/** No request failed, and no background work did. */
function checkUnharmed(what: string, { program, failures }: Node): void {
  assert.deepEqual(failures, [], what)
  const faults = program
    .stdout()
    .split('\n')
    .filter((line) => /"level":"(error|fatal)"/.test(line))
  assert.deepEqual([faults, program.stderr()], [[], ''], what)
}

async function stop(node: Node): Promise<void> {
  await node.leaveAlone()
  node.program.child.kill('SIGTERM')
  assert.equal(await node.program.ended, 0, node.program.stderr())
  checkUnharmed('until the end', node)
}

async function verifyLedger(url: string): Promise<void> {
  await assertBooks(url)
  const { code, stdout, stderr } = await command(settings(url), 'ledger', 'verify')
  assert.equal(code, 0, stdout + stderr)
}

slow(
  `nodes of the previous version (${PREVIOUS_VERSION}) and of this one share a database under load, in any order of starts and stops`,
  async (t) => {
    const skipped = await whyNoPreviousVersion()
    if (skipped !== undefined) return t.skip(skipped)
    const before = await extractPreviousVersion()
    const { url, drop } = await emptyDatabase()
    t.after(drop)

    const old = await join(t, before, url)
    await allGoOn('the previous version works alone', old)
    const young = await join(t, 'gateway/src/main.ts', url)
    await allGoOn('a new node joins and migrates, and the old one continues', old, young)
    const restarted = await join(t, before, url)
    await allGoOn('an old node is started on the new schema', old, young, restarted)
    await stop(young)
    await allGoOn('the new one stops', old, restarted)
    const youngAgain = await join(t, 'gateway/src/main.ts', url)
    await allGoOn('and starts again', old, restarted, youngAgain)
    await stop(old)
    await stop(restarted)
    await allGoOn('the old ones stop for good', youngAgain)
    await youngAgain.leaveAlone()

    for (const { paid } of [old, young, restarted, youngAgain])
      for (const transactionReference of paid) {
        const found = await youngAgain.merchant.call(contract.getTransaction, { params: { transactionReference } })
        assert.equal(found.paymentStatus, 'PAID', transactionReference)
      }
    await stop(youngAgain)
    await verifyLedger(url)
  },
)

slow('whatever a later version adds to any table, nodes of this one continue', async (t) => {
  const { url, ownerUrl, drop } = await ownDatabase()
  t.after(drop)
  const node = await join(t, 'gateway/src/main.ts', url)
  await allGoOn('it works', node)

  const later = new pg.Client(ownerUrl)
  await later.connect()
  const { rows } = await later.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and not c.relispartition and n.nspname !~ '^(pg_|information_schema$)' order by 1`,
  )
  assert.ok(rows.length > 30, 'there are tables')
  // One by one, as each waits for users of the table and blocks others.
  for (const { name } of rows)
    await later.query(`alter table ${name} add column added_later integer not null default 7`)
  await later.end()

  await allGoOn('every table has one more column', node)
  // With no request in progress: a payment opened before would expire before it is paid.
  const advanced = await node.inPeace(() =>
    node.merchant.send('POST', contract.advanceClock.path, { body: { seconds: 2 * 86_400 } }),
  )
  assert.equal(advanced.status, 200, advanced.text)
  await allGoOn('days pass, and due work is done', node)
  const restarted = await join(t, 'gateway/src/main.ts', url)
  await allGoOn('another starts on it', node, restarted)
  await stop(node)
  await stop(restarted)
  await verifyLedger(url)
})
