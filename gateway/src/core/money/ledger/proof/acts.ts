import { rowSet, type Tx } from '../../../../platform/db.ts'
import { ofMerchants, ofThose } from '../../../../platform/table.ts'
import { withoutPartner } from '../accounts.ts'
import type { Journal, Move } from '../journal.ts'
import { movesOf } from '../moves.ts'
import {
  type Answer,
  type Consequences,
  FINDINGS_TOLD_MAX,
  type Finding,
  type JournalKey,
  NOTHING,
  type Owned,
  type Range,
  type RowKey,
  type RowQuestion,
} from './question.ts'
import { findUntold, type TellingOf } from './told.ts'

/** How a feature says what must be true beside its rows. */
export interface Acts<Fact extends RowKey> {
  /** What one of them is: `transfer`. */
  readonly name: string
  readonly rows: RowQuestion['rows'] & {}
  readonly read: (tx: Tx, ranges: readonly Range[]) => Promise<readonly Fact[]>
  readonly reference: (fact: Fact) => string
  /** How it stands, as people say it: its status. */
  readonly standing: (fact: Fact) => string
  readonly consequences: (fact: Fact) => Consequences
  readonly mayChange?: (fact: Fact) => boolean
  readonly owned?: readonly Owned[]
}

/**
 * A question to the rows of a feature: each has exactly the journals that follow from how it stands, with their amounts,
 * was told, and does not contradict itself.
 */
export const acts = <Fact extends RowKey>(of: Acts<Fact>): RowQuestion => ({
  name: of.name,
  rows: of.rows,
  ...(of.owned === undefined ? {} : { owned: of.owned }),
  ask: async (tx, ranges): Promise<Answer> => {
    const facts = await of.read(tx, ranges)
    if (facts.length === 0) return NOTHING
    const seen = facts.map((fact) => ({
      merchantId: fact.merchantId,
      id: fact.id,
      reference: of.reference(fact),
      standing: `${of.name} is ${of.standing(fact)}`,
      ...of.consequences(fact),
    }))
    const [misbooked, untold] = await Promise.all([findMisbooked(tx, seen), findUntold(tx, seen.flatMap(tellings))])
    return {
      findings: [...seen.flatMap(contradictions), ...misbooked, ...untold].slice(0, FINDINGS_TOLD_MAX),
      open: facts.filter((fact) => of.mayChange?.(fact) === true).map(({ merchantId, id }) => ({ merchantId, id })),
      held: seen.flatMap(({ merchantId, holds }) => (holds === undefined ? [] : { merchantId, ...holds })),
    }
  },
})

/** A row with what follows from it. */
interface Seen extends Consequences, RowKey {
  readonly reference: string
  readonly standing: string
}

const contradictions = ({ merchantId, reference, wrong = [] }: Seen): readonly Finding[] =>
  wrong.map((what) => ({ merchantId, reference, what }))

const tellings = ({ told = [], ...seen }: Seen): readonly TellingOf[] => told.map((one) => ({ ...seen, told: one }))

/** Compares what must be booked with what is. */
async function findMisbooked(tx: Tx, seen: readonly Seen[]): Promise<readonly Finding[]> {
  const keys = seen.flatMap(({ merchantId, booked = [], unbooked = [] }) => [
    ...booked.map(({ key }) => ({ merchantId, key })),
    ...unbooked.map((key) => ({ merchantId, key })),
  ])
  const found = await readMoves(tx, keys)
  return seen.flatMap(({ merchantId, reference, standing, booked = [], unbooked = [] }) => {
    const actual = (key: string): readonly Move[] | undefined => found.get(textOf({ merchantId, key }))
    const whats = [
      ...booked.map((journal) => difference(journal, actual(journal.key))),
      ...unbooked.map((key) => (actual(key) === undefined ? undefined : `journal ${key} must not be there`)),
    ]
    return whats.flatMap((what) =>
      what === undefined ? [] : { merchantId, reference, what: `${standing}, but ${what}` },
    )
  })
}

/** How a journal differs from what must be booked, in words; undefined where it does not. */
function difference({ key, moves }: Journal, actual: readonly Move[] | undefined): string | undefined {
  if (moves.length === 0) return actual === undefined ? undefined : `journal ${key} must not be there`
  if (actual === undefined) return `journal ${key} is missing`
  const [wanted, found] = [wordsOf(moves), wordsOf(actual)]
  // The version before did not say which partner.
  return wanted === found || wordsOf(moves.map(unsaid)) === found
    ? undefined
    : `journal ${key} moves ${found}, and not ${wanted}`
}

/** A move as it was booked before accounts said which partner. */
const unsaid = ({ from, to, amount }: Move): Move => ({ from: withoutPartner(from), to: withoutPartner(to), amount })

/** Moves in words, in one order. */
const wordsOf = (moves: readonly Move[]): string =>
  moves
    .map(({ from, to, amount }) => `${amount} from ${from} to ${to}`)
    .sort()
    .join(', ') || 'nothing'

const textOf = ({ merchantId, key }: JournalKey): string => `${merchantId} ${key}`

/** The moves of journals that exist, by merchant and key. */
async function readMoves(tx: Tx, keys: readonly JournalKey[]): Promise<ReadonlyMap<string, readonly Move[]>> {
  if (keys.length === 0) return new Map()
  const rows = await tx<(JournalKey & { source: string | null; target: string; amount: bigint })[]>`
    select j.merchant_id, j.key, m.source, m.target, m.amount
      from json_to_recordset(${rowSet(keys, ['merchantId', 'key'])}::text::json) as k (merchant_id bigint, key text)
      join journal j on ${ofMerchants('j', keys)} and j.merchant_id = k.merchant_id and j.key = k.key
      left join ${movesOf('j', ofThose(keys))} m on true`
  return new Map(
    [...Map.groupBy(rows, textOf)].map(([text, moves]) => [
      text,
      moves.flatMap(({ source, target, amount }) =>
        source === null ? [] : { from: source, to: target, amount: amount as Move['amount'] },
      ),
    ]),
  )
}
