import type { EventType } from '@kobo/contract'
import type { Kobo } from '../../../../kernel/money.ts'
import { rowSet, type Tx } from '../../../../platform/db.ts'
import { type Fragment, names, plain, sql } from '../../../../platform/sql.ts'
import { ofMerchants, type Whose } from '../../../../platform/table.ts'
import type { Journal } from '../journal.ts'

/** Something in the books that is not as it must be. */
export interface Finding {
  readonly merchantId: bigint
  /** What a person looks for it by. */
  readonly reference: string
  readonly what: string
}

/** So many findings of one kind are told at once: whoever reads them has seen enough. */
export const FINDINGS_TOLD_MAX = 20

/** Rows of a merchant that are looked at: those with ids above one and up to another. */
export interface Range {
  readonly merchantId: bigint
  readonly after: bigint
  readonly upTo: bigint
}

/** No id is above it, */
export const ID_MAX = 2n ** 63n - 1n
/** and none below this one. */
export const ID_MIN = -(2n ** 63n)

export interface RowKey {
  readonly merchantId: bigint
  readonly id: bigint
}

/** The range that holds one row. */
export const single = ({ merchantId, id }: RowKey): Range => ({ merchantId, after: id - 1n, upTo: id })

/**
 * Ranges as something to select from, called `k`: from ${ranged(ranges)} join transfer r on ${within('r', ranges)}. What else
 * is joined lists its merchants too: on ${ofMerchants('o', ranges)} and …
 */
export const ranged = (ranges: readonly Range[]): Fragment =>
  sql`json_to_recordset(${rowSet(ranges, ['merchantId', 'after', 'upTo'])}::text::json) as k (merchant_id bigint, after bigint, up_to bigint)`

/** The condition that rows of an alias are in the ranges `k`, by a column that comes after the merchant in an index. */
export const within = (alias: string, ranges: readonly Range[], column = 'id'): Fragment => sql`
  ${ofMerchants(alias, ranges)} and ${plain(
    `${alias}.merchant_id = k.merchant_id and ${alias}.${column} > k.after and ${alias}.${column} <= k.up_to`,
  )}`

/** Something that a merchant must have been told. */
export interface Told {
  readonly eventType: EventType
  /** The main reference of the event; undefined where any will do. */
  readonly reference?: string
  readonly at: Date
  /** Whether the event was made at that very moment; where it is not said otherwise, it was. */
  readonly atLeast?: boolean
}

/** What follows from a row as it stands. */
export interface Consequences {
  /** Journals that are booked, and exactly so. One without moves is not. */
  readonly booked?: readonly Journal[]
  /** Keys under which nothing is booked. */
  readonly unbooked?: readonly string[]
  readonly told?: readonly Told[]
  /** Money that it holds in an account in flight. */
  readonly holds?: { readonly account: string; readonly amount: Kobo } | undefined
  /** What of it contradicts itself. */
  readonly wrong?: readonly string[]
}

export interface Held {
  readonly merchantId: bigint
  readonly account: string
  readonly amount: bigint
}

/** What came of looking at rows. */
export interface Answer {
  readonly findings: readonly Finding[]
  /** Rows that may still change, and so are looked at again. */
  readonly open: readonly RowKey[]
  readonly held: readonly Held[]
}

export const NOTHING: Answer = { findings: [], open: [], held: [] }

/** A journal, by its key. */
export interface JournalKey {
  readonly merchantId: bigint
  readonly key: string
}

/** The row that a journal was booked for; without an id where it is not to be looked at by itself. */
export interface JournalOwner extends JournalKey {
  readonly id?: bigint
}

/** Whose journals these are, by how their keys begin. */
export interface Owned {
  readonly prefix: string
  /** Finds the rows that journals were booked for. Those that have none are left out. */
  readonly find: (tx: Tx, journals: readonly JournalKey[]) => Promise<readonly JournalOwner[]>
}

/**
 * Journals whose keys name a row: what follows the beginning, to the end or up to the next slash, stands in a column for
 * which there is an index.
 */
export const ownedBy = (
  prefix: string,
  table: string,
  column: string,
  upTo: 'the end' | 'a slash' = 'a slash',
): Owned => ({
  prefix,
  find: (tx, journals) => {
    const named = journals.map(({ merchantId, key }) => {
      const rest = key.slice(prefix.length)
      return { merchantId, key, reference: upTo === 'the end' ? rest : (rest.split('/')[0] ?? '') }
    })
    return tx<JournalOwner[]>`
      select k.merchant_id, k.key, r.id
        from json_to_recordset(${rowSet(named)}::text::json) as k (merchant_id bigint, key text, reference text)
        join ${names(table)} r on ${ofMerchants('r', named)} and r.merchant_id = k.merchant_id and r.${names(column)} = k.reference`
  },
})

/** Journals that no row of their own stands for. */
export const withoutRows = (prefix: string): Owned => ({ prefix, find: async (_, journals) => journals })

/** A question to rows, as they become: asked of new ones, and again of those that could still change. */
export interface RowQuestion {
  readonly name: string
  /**
   * The table by whose ids rows are found, in order: ids of moments, or of transactions. Undefined where they have none:
   * then it is asked once, of all that is new.
   */
  readonly rows?: { readonly table: string; readonly idsAre: 'moments' | 'transactions' }
  readonly ask: (tx: Tx, ranges: readonly Range[]) => Promise<Answer>
  readonly owned?: readonly Owned[]
}

/** A question to all merchants whose rows are together, about how things stand. */
export type StateQuestion = (tx: Tx, whose: Whose) => Promise<readonly Finding[]>
