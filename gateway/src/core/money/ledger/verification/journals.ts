import type { Tx } from '../../../../platform/postgres/db.ts'
import { findBrokenJournals, type Sum, sumMoves } from '../ledger-checks.ts'
import { movesWithin } from '../moves.ts'
import {
  FINDINGS_SHOWN_MAX,
  type Finding,
  type JournalKey,
  type JournalOwner,
  type Owned,
  type Range,
  type RowCheck,
  type RowKey,
  ranged,
  within,
} from './check.ts'
import { inPieces } from './walk.ts'

export interface Journals {
  readonly findings: readonly Finding[]
  readonly sums: readonly Sum[]
  readonly journals: number
  readonly moves: number
  /** The rows that journals were posted for, by check. */
  readonly owners: ReadonlyMap<string, readonly RowKey[]>
}

/** Checks the journals in ranges, in bounded steps. Each must have moves and a row that it was posted for. */
export async function checkJournals(tx: Tx, checks: readonly RowCheck[], ranges: readonly Range[]): Promise<Journals> {
  const findings: Finding[] = []
  const sums: Sum[] = []
  const owners: Ownership['rows'][number][] = []
  let [journals, moves] = [0, 0]
  for await (const piece of inPieces(tx, 'journal', ranges)) {
    const [broken, summed, keys, counted] = await Promise.all([
      findBrokenJournals(tx, piece),
      sumMoves(tx, piece),
      selectKeys(tx, piece),
      countMoves(tx, piece),
    ])
    const owned = await findOwners(tx, checks, keys)
    findings.push(...broken, ...owned.withoutOwner)
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
  /** Journals without an owner. */
  readonly withoutOwner: readonly Finding[]
  readonly rows: readonly (RowKey & { readonly name: string })[]
}

async function findOwners(tx: Tx, checks: readonly RowCheck[], journals: readonly JournalKey[]): Promise<Ownership> {
  const kinds = checks.flatMap(({ name, owned = [] }) => owned.map((one) => ({ name, ...one })))
  const ofKind = Map.groupBy(journals, ({ key }) => kindOf(kinds, key))
  const found = await Promise.all(
    [...ofKind].map(async ([kind, some]) => ({ kind, some, owners: (await kind?.find(tx, some)) ?? [] })),
  )
  const textOf = ({ merchantId, key }: JournalKey): string => `${merchantId} ${key}`
  return {
    withoutOwner: found
      .flatMap(({ some, owners }) => {
        const known = new Set(owners.map(textOf))
        return some.filter((journal) => !known.has(textOf(journal)))
      })
      .slice(0, FINDINGS_SHOWN_MAX)
      .map(({ merchantId, key }) => ({ merchantId, reference: key, what: `journal ${key} has no source record` })),
    rows: found.flatMap(({ kind, owners }) => owners.flatMap((owner) => rowOf(kind?.name ?? '', owner))),
  }
}

const rowOf = (name: string, { merchantId, id }: JournalOwner) => (id === undefined ? [] : [{ name, merchantId, id }])

/** Returns the kind of a journal, by the longest prefix that matches its key. */
function kindOf<Kind extends Owned>(kinds: readonly Kind[], key: string): Kind | undefined {
  const matching = kinds.filter(({ prefix }) => key.startsWith(prefix))
  return matching.toSorted((a, b) => b.prefix.length - a.prefix.length)[0]
}
