import type { EventType } from '@kobo/contract'
import type { Kobo } from '../../../../kernel/money.ts'
import { rowSet, type Tx } from '../../../../platform/postgres/db.ts'
import { type Fragment, names, plain, sql } from '../../../../platform/postgres/sql.ts'
import { type MerchantScope, ofMerchants } from '../../../../platform/postgres/table.ts'
import type { Journal } from '../journal.ts'

/** An error in the ledger. */
export interface Finding {
  readonly merchantId: bigint
  /** The reference by which a person can find the record. */
  readonly reference: string
  readonly what: string
}

/** At most this many findings of one kind are reported. */
export const FINDINGS_SHOWN_MAX = 20

/** A merchant's rows with ids above `after` and up to `upTo`. */
export interface Range {
  readonly merchantId: bigint
  readonly after: bigint
  readonly upTo: bigint
}

export const ID_MAX = 2n ** 63n - 1n
export const ID_MIN = -(2n ** 63n)

export interface RowKey {
  readonly merchantId: bigint
  readonly id: bigint
}

export const single = ({ merchantId, id }: RowKey): Range => ({ merchantId, after: id - 1n, upTo: id })

/**
 * Turns ranges into a table `k`, as in: from ${ranged(ranges)} join transfer r on ${within('r', ranges)}. Other joins
 * need the merchants too: on ${ofMerchants('o', ranges)} and …
 */
export const ranged = (ranges: readonly Range[]): Fragment =>
  sql`json_to_recordset(${rowSet(ranges, ['merchantId', 'after', 'upTo'])}::text::json) as k (merchant_id bigint, after bigint, up_to bigint)`

/** The condition that a table's rows are in the ranges `k`. An index must have the merchant and then the column. */
export const within = (alias: string, ranges: readonly Range[], column = 'id'): Fragment => sql`
  ${ofMerchants(alias, ranges)} and ${plain(
    `${alias}.merchant_id = k.merchant_id and ${alias}.${column} > k.after and ${alias}.${column} <= k.up_to`,
  )}`

/** An event that must exist in the outbox. */
export interface ExpectedEvent {
  readonly eventType: EventType
  /** The event's main reference; if undefined, any reference matches. */
  readonly reference?: string
  readonly at: Date
  /** Whether the event may also be later than `at`. By default its time must be exactly `at`. */
  readonly atLeast?: boolean
}

/** Everything that a row's state requires: in the ledger, in the outbox and in the row itself. */
export interface Consequences {
  /** Journals that must be posted exactly like this. A journal without moves is not posted. */
  readonly booked?: readonly Journal[]
  /** Keys that must not be posted. */
  readonly unbooked?: readonly string[]
  readonly events?: readonly ExpectedEvent[]
  /** Money in flight that belongs to the row. */
  readonly holds?: { readonly account: string; readonly amount: Kobo } | undefined
  /** Contradictions within the row, in words. */
  readonly wrong?: readonly string[]
}

export interface Held {
  readonly merchantId: bigint
  readonly account: string
  readonly amount: bigint
}

export interface CheckResult {
  readonly findings: readonly Finding[]
  /** Rows that can still change and are checked again. */
  readonly open: readonly RowKey[]
  readonly held: readonly Held[]
}

export const NOTHING: CheckResult = { findings: [], open: [], held: [] }

export interface JournalKey {
  readonly merchantId: bigint
  readonly key: string
}

/** The row that a journal was posted for. It has no id if no check covers that row. */
export interface JournalOwner extends JournalKey {
  readonly id?: bigint
}

/** How to find the owner of journals, by the prefix of their keys. */
export interface Owned {
  readonly prefix: string
  /** Finds the rows that journals were posted for. Leaves out journals without such a row. */
  readonly find: (tx: Tx, journals: readonly JournalKey[]) => Promise<readonly JournalOwner[]>
}

/**
 * Declares journals whose key contains the value of an indexed column, after the prefix and up to the next slash or the
 * end.
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

export const withoutRows = (prefix: string): Owned => ({ prefix, find: async (_, journals) => journals })

/** An incremental check of rows: it runs on new rows, and again on rows that can still change. */
export interface RowCheck {
  readonly name: string
  /**
   * The table whose ids order the rows, and the format of these ids (`transaction` if they are ids of transactions).
   * Without a table, the check runs once over everything new.
   */
  readonly rows?: { readonly table: string; readonly idFormat: 'standard' | 'transaction' }
  readonly run: (tx: Tx, ranges: readonly Range[]) => Promise<CheckResult>
  readonly owned?: readonly Owned[]
}

/** A check of the current state of all merchants on a shard. */
export type StateCheck = (tx: Tx, whose: MerchantScope) => Promise<readonly Finding[]>

/** A check that a feature adds to the ledger's own checks. */
export type LedgerCheck = RowCheck | StateCheck
