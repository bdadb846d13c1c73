import type { Tx } from '../../../../platform/db.ts'
import { findTorn, type Sum, sumMoves } from '../ledger-questions.ts'
import { movesWithin } from '../moves.ts'
import {
  FINDINGS_TOLD_MAX,
  type Finding,
  type JournalKey,
  type JournalOwner,
  type Owned,
  type Range,
  type RowKey,
  type RowQuestion,
  ranged,
  within,
} from './question.ts'
import { inPieces } from './walk.ts'

/** What came of looking at journals. */
export interface Journals {
  readonly findings: readonly Finding[]
  readonly sums: readonly Sum[]
  readonly journals: number
  readonly moves: number
  /** The rows that journals were booked for, by the question to which they are rows. */
  readonly owners: ReadonlyMap<string, readonly RowKey[]>
}

/** Looks at journals in ranges, a bounded number at a time: they are whole, and each was booked for something. */
export async function askOfJournals(
  tx: Tx,
  questions: readonly RowQuestion[],
  ranges: readonly Range[],
): Promise<Journals> {
  const findings: Finding[] = []
  const sums: Sum[] = []
  const owners: Ownership['rows'][number][] = []
  let [journals, moves] = [0, 0]
  for await (const piece of inPieces(tx, 'journal', ranges)) {
    const [torn, summed, keys, counted] = await Promise.all([
      findTorn(tx, piece),
      sumMoves(tx, piece),
      selectKeys(tx, piece),
      countMoves(tx, piece),
    ])
    const owned = await findOwners(tx, questions, keys)
    findings.push(...torn, ...owned.strays)
    sums.push(...summed)
    owners.push(...owned.rows)
    journals += keys.length
    moves += counted
  }
  return { findings, sums, journals, moves, owners: Map.groupBy(owners, ({ name }) => name) }
}

const selectKeys = (tx: Tx, ranges: readonly Range[]): Promise<JournalKey[]> =>
  tx<JournalKey[]>`select j.merchant_id, j.key from ${ranged(ranges)} join journal j on ${within('j', ranges)}`

async function countMoves(tx: Tx, ranges: readonly Range[]): Promise<number> {
  const [row] = await tx<{ count: bigint }[]>`
    select count(*) from ${ranged(ranges)} cross join ${movesWithin(ranges)} m`
  return Number(row?.count ?? 0n)
}

interface Ownership {
  /** Journals that were booked for nothing. */
  readonly strays: readonly Finding[]
  readonly rows: readonly (RowKey & { readonly name: string })[]
}

async function findOwners(
  tx: Tx,
  questions: readonly RowQuestion[],
  journals: readonly JournalKey[],
): Promise<Ownership> {
  const kinds = questions.flatMap(({ name, owned = [] }) => owned.map((one) => ({ name, ...one })))
  const ofKind = Map.groupBy(journals, ({ key }) => kindOf(kinds, key))
  const found = await Promise.all(
    [...ofKind].map(async ([kind, some]) => ({ kind, some, owners: (await kind?.find(tx, some)) ?? [] })),
  )
  const textOf = ({ merchantId, key }: JournalKey): string => `${merchantId} ${key}`
  return {
    strays: found
      .flatMap(({ some, owners }) => {
        const known = new Set(owners.map(textOf))
        return some.filter((journal) => !known.has(textOf(journal)))
      })
      .slice(0, FINDINGS_TOLD_MAX)
      .map(({ merchantId, key }) => ({ merchantId, reference: key, what: `journal ${key} was booked for nothing` })),
    rows: found.flatMap(({ kind, owners }) => owners.flatMap((owner) => rowOf(kind?.name ?? '', owner))),
  }
}

const rowOf = (name: string, { merchantId, id }: JournalOwner) => (id === undefined ? [] : [{ name, merchantId, id }])

/** Whose a journal is: the longest beginning of its key that someone owns. */
function kindOf<Kind extends Owned>(kinds: readonly Kind[], key: string): Kind | undefined {
  const matching = kinds.filter(({ prefix }) => key.startsWith(prefix))
  return matching.toSorted((a, b) => b.prefix.length - a.prefix.length)[0]
}
