import assert from 'node:assert/strict'
import { verifyLedger } from '../../src/app/ledger.ts'
import { BALANCES, isClean, partnerBalances } from '../../src/core/money/ledger/index.ts'
import { CODES, type Code, ENDS, type Ending, type World } from './three-partners.ts'

/** An effect at a partner, by its own records. */
interface Effect {
  readonly rail: string
  readonly reference: string
  readonly facts: { readonly amount: string; readonly accountNumber?: string }
}

const effectsAt = async ({ control }: World, code: Code): Promise<readonly Effect[]> =>
  (await control(code, 'effects'))['effects'] as readonly Effect[]

/** An order as in our ledger. */
interface Order {
  readonly reference: string
  readonly partner: Code
  readonly purpose: string
  readonly amount: bigint
  readonly state: string
}

const ordersOf = ({ db }: World): Promise<Order[]> =>
  db<Order[]>`select reference, partner, purpose, amount, state from rail_order`

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)

/** The money that has left a partner for good by an effect. */
function leftBy({ rail, facts }: Effect): bigint {
  if (rail === 'send-back') return BigInt(facts.amount)
  if (rail !== 'transfer') return 0n
  return ENDS[facts.accountNumber?.slice(-3) as Ending] === 'SUCCESS' ? BigInt(facts.amount) : 0n
}

const isSend = ({ rail }: Effect): boolean => rail === 'transfer' || rail === 'send-back'

const allSends = async (world: World): Promise<readonly (Effect & { readonly by: Code })[]> =>
  (
    await Promise.all(
      CODES.map(async (by) => (await effectsAt(world, by)).filter(isSend).map((one) => ({ ...one, by }))),
    )
  ).flat()

/** The first reference of an order that was sent several times. */
export const firstOf = (reference: string): string => reference.replace(/~\d+$/, '')

/** The first references of all that any partner has sent. */
export const carriedOut = async (world: World): Promise<ReadonlySet<string>> =>
  new Set((await allSends(world)).map(({ reference }) => firstOf(reference)))

/** The references that partners have sent with an amount other than requested. */
export async function wrongAmounts(world: World): Promise<ReadonlySet<string>> {
  const expected = new Map((await ordersOf(world)).map(({ reference, amount }) => [reference, amount]))
  const wrong = (await allSends(world)).filter(
    ({ reference, facts }) => expected.get(reference) !== BigInt(facts.amount),
  )
  return new Set(wrong.map(({ reference }) => reference))
}

/**
 * Compares the partners' own books with ours. Each order ran once, at the partner that it names, and nothing ran that
 * we did not request. A partner holds its credits less its payments. That must be its balance in our ledger, less the
 * money that it has sent and that our ledger still has in flight.
 */
export async function checkPartners(world: World, credited: Readonly<Record<Code, number>>): Promise<void> {
  const orders = new Map((await ordersOf(world)).map((order) => [order.reference, order]))
  const sends = await allSends(world)
  for (const { reference, by } of sends) assert.equal(orders.get(reference)?.partner, by, `${by} was sent ${reference}`)
  assert.equal(new Set(sends.map(({ reference }) => reference)).size, sends.length, 'nothing ran twice')
  const books = new Map((await partnerBalances(world.db)).map(({ partner, held }) => [partner, held]))
  assert.deepEqual([...books.keys()].sort(), [...CODES].sort(), 'all money is at a partner')
  for (const code of CODES) {
    const own = sends.filter(({ by }) => by === code)
    assert.ok(own.length > 0, `${code} has sent something`)
    const inFlight = sum(own.filter(({ reference }) => orders.get(reference)?.state !== 'CONCLUDED').map(leftBy))
    assert.equal(
      BigInt(credited[code]) - sum(own.map(leftBy)),
      (books.get(code) ?? 0n) - inFlight,
      `the balance at ${code}`,
    )
  }
}

/** The ledger check finds nothing wrong, and the money in flight is that of open orders. */
export async function checkBooks({ db }: World): Promise<void> {
  const verdict = await verifyLedger(db)
  assert.ok(isClean(verdict), JSON.stringify(verdict))
  const [row] = await db<{ inFlight: bigint; held: bigint }[]>`
    select (select coalesce(sum(balance), 0)::bigint from ${BALANCES} account where code like 'in-flight/%') as in_flight,
           (select coalesce(sum(held), 0)::bigint from rail_order where state <> 'CONCLUDED' and concluded_at is null) as held`
  assert.equal(row?.inFlight, row?.held, 'the money in flight is that of open orders')
}

/** A readable summary of what was checked. */
export async function figures(world: World): Promise<string> {
  const [row] = await world.db<Record<string, bigint>[]>`
    select (select count(*) from arrived_money) as credits, (select count(*) from transfer) as transfers,
           (select count(*) from settlement_payout) as payouts, (select count(*) from credit_return) as returns,
           (select count(*) from rail_order where tries > 1) as sent_again,
           (select count(*) from rail_order where state <> 'CONCLUDED') as open`
  const sends = Map.groupBy(await allSends(world), ({ by }) => by)
  const counts = [...Object.entries(row ?? {}), ...[...sends].map(([by, all]) => [`sent by ${by}`, all.length])]
  return counts.map(([name, count]) => `${name} ${count}`).join(', ')
}
