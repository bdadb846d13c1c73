import { rowSet, type Tx } from '../../../../platform/postgres/db.ts'
import { ofMerchants, scopeOf } from '../../../../platform/postgres/table.ts'
import { withoutPartner } from '../accounts.ts'
import type { Journal, Move } from '../journal.ts'
import { movesOf } from '../moves.ts'
import {
  type CheckResult,
  type Consequences,
  FINDINGS_SHOWN_MAX,
  type Finding,
  type JournalKey,
  NOTHING,
  type Owned,
  type Range,
  type RowCheck,
  type RowKey,
} from './check.ts'
import { type ExpectedEvents, findMissingEvents } from './events-sent.ts'

/** How a feature declares what must be true of its rows. */
export interface Acts<Fact extends RowKey> {
  /** The kind of row: `transfer`. */
  readonly name: string
  readonly rows: RowCheck['rows'] & {}
  readonly read: (tx: Tx, ranges: readonly Range[]) => Promise<readonly Fact[]>
  readonly reference: (fact: Fact) => string
  /** The row's status, as shown in findings. */
  readonly state: (fact: Fact) => string
  readonly consequences: (fact: Fact) => Consequences
  readonly mayChange?: (fact: Fact) => boolean
  readonly owned?: readonly Owned[]
}

/**
 * Checks a feature's rows. Each must have exactly the journals that its status requires, with their amounts; its events
 * must exist in the outbox; and its own columns must not contradict each other.
 */
export const acts = <Fact extends RowKey>(of: Acts<Fact>): RowCheck => ({
  name: of.name,
  rows: of.rows,
  ...(of.owned === undefined ? {} : { owned: of.owned }),
  run: async (tx, ranges): Promise<CheckResult> => {
    const facts = await of.read(tx, ranges)
    if (facts.length === 0) return NOTHING
    const seen = facts.map((fact) => ({
      merchantId: fact.merchantId,
      id: fact.id,
      reference: of.reference(fact),
      state: `${of.name} is ${of.state(fact)}`,
      ...of.consequences(fact),
    }))
    const [misposted, missing] = await Promise.all([
      findMisposted(tx, seen),
      findMissingEvents(tx, seen.flatMap(expectedEvents)),
    ])
    return {
      findings: [...seen.flatMap(contradictions), ...misposted, ...missing].slice(0, FINDINGS_SHOWN_MAX),
      open: facts.filter((fact) => of.mayChange?.(fact) === true).map(({ merchantId, id }) => ({ merchantId, id })),
      held: seen.flatMap(({ merchantId, holds }) => (holds === undefined ? [] : { merchantId, ...holds })),
    }
  },
})

/** A row, and everything that its state requires. */
interface Seen extends Consequences, RowKey {
  readonly reference: string
  readonly state: string
}

const contradictions = ({ merchantId, reference, wrong = [] }: Seen): readonly Finding[] =>
  wrong.map((what) => ({ merchantId, reference, what }))

const expectedEvents = ({ events = [], ...seen }: Seen): readonly ExpectedEvents[] =>
  events.map((event) => ({ ...seen, event }))

/** Compares the expected journals with the posted ones. */
async function findMisposted(tx: Tx, seen: readonly Seen[]): Promise<readonly Finding[]> {
  const keys = seen.flatMap(({ merchantId, booked = [], unbooked = [] }) => [
    ...booked.map(({ key }) => ({ merchantId, key })),
    ...unbooked.map((key) => ({ merchantId, key })),
  ])
  const found = await readMoves(tx, keys)
  return seen.flatMap(({ merchantId, reference, state, booked = [], unbooked = [] }) => {
    const actual = (key: string): readonly Move[] | undefined => found.get(textOf({ merchantId, key }))
    const problems = [
      ...booked.map((journal) => difference(journal, actual(journal.key))),
      ...unbooked.map((key) => (actual(key) === undefined ? undefined : `journal ${key} exists`)),
    ]
    return problems.flatMap((what) =>
      what === undefined ? [] : { merchantId, reference, what: `${state}, but ${what}` },
    )
  })
}

/** Describes how a posted journal differs from the expected one; undefined if it does not. */
function difference({ key, moves }: Journal, actual: readonly Move[] | undefined): string | undefined {
  if (moves.length === 0) return actual === undefined ? undefined : `journal ${key} exists`
  if (actual === undefined) return `journal ${key} is missing`
  const [expected, found] = [wordsOf(moves), wordsOf(actual)]
  // Journals of the previous version do not name the partner.
  return expected === found || wordsOf(moves.map(withoutPartners)) === found
    ? undefined
    : `journal ${key} moves ${found}, expected ${expected}`
}

/** Returns a move as it was posted before account names contained the partner. */
const withoutPartners = ({ from, to, amount }: Move): Move => ({
  from: withoutPartner(from),
  to: withoutPartner(to),
  amount,
})

/** Writes moves as text, in a fixed order. */
const wordsOf = (moves: readonly Move[]): string =>
  moves
    .map(({ from, to, amount }) => `${amount} from ${from} to ${to}`)
    .sort()
    .join(', ') || 'nothing'

const textOf = ({ merchantId, key }: JournalKey): string => `${merchantId} ${key}`

/** Reads the moves of those journals that exist, by merchant and key. */
async function readMoves(tx: Tx, keys: readonly JournalKey[]): Promise<ReadonlyMap<string, readonly Move[]>> {
  if (keys.length === 0) return new Map()
  const rows = await tx<(JournalKey & { source: string | null; target: string; amount: bigint })[]>`
    select j.merchant_id, j.key, m.source, m.target, m.amount
      from json_to_recordset(${rowSet(keys, ['merchantId', 'key'])}::text::json) as k (merchant_id bigint, key text)
      join journal j on ${ofMerchants('j', keys)} and j.merchant_id = k.merchant_id and j.key = k.key
      left join ${movesOf('j', scopeOf(keys))} m on true`
  return new Map(
    [...Map.groupBy(rows, textOf)].map(([text, moves]) => [
      text,
      moves.flatMap(({ source, target, amount }) =>
        source === null ? [] : { from: source, to: target, amount: amount as Move['amount'] },
      ),
    ]),
  )
}
