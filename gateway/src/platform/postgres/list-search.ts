import { monotonic } from '../../kernel/clock.ts'
import { firstIdAt, firstTransactionIdAt, ID_MAX, momentOfId, momentOfTransactionId } from '../../kernel/ids.ts'
import type { Kobo } from '../../kernel/money.ts'
import type { Db } from './db.ts'
import { type Fragment, names, sql } from './sql.ts'
import { columnName, type Table } from './table.ts'

export interface ListFilter {
  /** Only rows created at `from` or later and up to `to`. */
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  /** Only rows with one of these statuses. */
  readonly statuses?: readonly string[] | undefined
  readonly method?: string | undefined
  readonly amountFrom?: Kobo | undefined
  readonly amountTo?: Kobo | undefined
  /** An email address in any case, or a part of a name. A text with an @ is an address. */
  readonly customer?: string | undefined
  /** A part of a reference, in any case. */
  readonly reference?: string | undefined
}

export interface PlaceInList {
  /** The id at which the previous page ended: only rows below it, or above it if the oldest come first. */
  readonly before?: bigint | undefined
  readonly isOldestFirst?: boolean | undefined
  readonly size: number
}

export interface ListPage<R> {
  readonly rows: readonly R[]
  /** The id at which the next page starts; undefined on the last page. */
  readonly next: bigint | undefined
  /** Set if the search ended early: rows back to this time were searched, and the caller may continue. */
  readonly searchedBackTo: Date | undefined
}

export type Listing<R> = (
  db: Db,
  merchantId: bigint,
  filter: ListFilter,
  place: PlaceInList,
  /** A further restriction that has an index, for example to a wallet or a batch. */
  scope?: Fragment,
) => Promise<ListPage<R>>

interface Searched<R> {
  /** `transaction` if the ids that order the list are ids of transactions, which count whole seconds. */
  readonly idFormat: 'standard' | 'transaction'
  /** The ordering column, if not the id. */
  readonly id?: keyof R & string
  readonly status?: keyof R & string
  readonly method?: keyof R & string
  readonly amount?: keyof R & string
  readonly customer?: { readonly email: keyof R & string; readonly name: keyof R & string }
  readonly reference?: keyof R & string
  /** Set if the list has only the newest matching row of each customer. */
  readonly isPerCustomer?: boolean
}

/**
 * How far one request searches if few rows match. The response says how far it got, so that the caller can continue.
 */
export interface SearchBounds {
  /** The most rows per step, so that no query is long. */
  readonly stepRows: number
  readonly stepsMax: number
  /** Each step has as many rows as fit into this time at the previous step's speed, within a growth limit. */
  readonly stepMillisecondsMax: number
  /** No further step starts after this time. */
  readonly milliseconds: number
}
export const SEARCH_BOUNDS: SearchBounds = { stepRows: 5_000, stepsMax: 50, stepMillisecondsMax: 30, milliseconds: 120 }

/** The first step is small, so that on a slow disk it takes a hundred reads instead of a thousand. */
const FIRST_STEP_ROWS = 250
const GROWTH_MAX = 4

const ID_FORMATS = {
  standard: { firstAt: firstIdAt, momentOf: momentOfId, stepMilliseconds: 1 },
  transaction: { firstAt: firstTransactionIdAt, momentOf: momentOfTransactionId, stepMilliseconds: 1_000 },
} as const

/**
 * Lists a table's rows by id, which grows with time. A distant page costs as much as the first, and a time range is an
 * id range. It never counts rows. Every filter is part of the query, so there are few query texts per list.
 */
export function listing<R extends object>(
  table: Table<R, string>,
  searched: Searched<R>,
  bounds = SEARCH_BOUNDS,
): Listing<R> {
  const { firstAt, momentOf, stepMilliseconds } = ID_FORMATS[searched.idFormat]
  const key = searched.id ?? ('id' as keyof R & string)
  const id = names(columnName(key))
  const isRequested = conditionsOf(searched)
  const email = names(columnName(searched.customer?.email ?? key))

  return async (db, merchantId, filter, { before, size, isOldestFirst = false }, scope = sql`true`) => {
    const { from, to } = filter
    const below = isOldestFirst ? ID_MAX : smallest(before ?? ID_MAX, ID_MAX)
    const end = to === undefined ? below : smallest(below, firstAt(new Date(to.getTime() + stepMilliseconds)))
    const above = isOldestFirst ? (before ?? -1n) + 1n : 0n
    const start = from === undefined ? above : largest(above, firstAt(from))
    const direction = isOldestFirst ? sql`asc` : sql`desc`
    // An address has an index, so its rows are not searched for.
    const ofAddress =
      isAddress(filter.customer) && searched.customer !== undefined
        ? sql`lower(${email}) = lower(${filter.customer})`
        : sql`true`
    // Ordered, so that PostgreSQL has only one plan for it: a lookup by the index for each row.
    const isNewest =
      searched.isPerCustomer === true
        ? sql`(select true from ${table.name} newer
                where merchant_id = ${merchantId} and lower(newer.${email}) = lower(looked_at.${email})
                  and newer.${id} > looked_at.${id} and ${isRequested(filter)}
                order by newer.${id} desc
                limit 1) is null`
        : sql`true`
    const idOf = (row: R | undefined): bigint | undefined => row?.[key] as bigint | undefined
    // An address has one newest row, found without a search even if a shop uses one address for all its customers.
    if (searched.isPerCustomer === true && isAddress(filter.customer)) {
      const newest = await db<R[]>`
      select ${table.columns} from ${table.name}
       where merchant_id = ${merchantId} and ${scope} and ${ofAddress} and ${isRequested(filter)}
       order by ${id} desc
       limit 1`
      const rows = newest.filter((row) => start <= (row[key] as bigint) && (row[key] as bigint) < end)
      return { rows, next: undefined, searchedBackTo: undefined }
    }
    const { rows, lookedTo } = await searchBack(
      isOldestFirst ? start - 1n : end,
      size + 1,
      bounds,
      async (place, limit, stepRows) => {
        const [lowest, bound] = isOldestFirst ? [place + 1n, end] : [start, place]
        const within = sql`merchant_id = ${merchantId} and ${scope} and ${ofAddress} and ${id} >= ${lowest} and ${id} < ${bound}`
        const found = await db<R[]>`
        select ${table.columns}
          from (select ${table.columns} from ${table.name} where ${within} order by ${id} ${direction} limit ${stepRows}) looked_at
         where ${isRequested(filter)} and ${isNewest}
         order by ${id} ${direction}
         limit ${limit}`
        if (found.length === limit) return { rows: found, lookedTo: idOf(found.at(-1)) }
        const [last] = await db<{ id: bigint }[]>`
        select ${id} as id from ${table.name} where ${within} order by ${id} ${direction} offset ${stepRows - 1} limit 1`
        return { rows: found, lookedTo: last?.id }
      },
    )
    if (rows.length > size) return { rows: rows.slice(0, size), next: idOf(rows[size - 1]), searchedBackTo: undefined }
    return { rows, next: lookedTo, searchedBackTo: lookedTo === undefined ? undefined : momentOf(lookedTo) }
  }
}

/** The rows found, and the last id inspected; that id is undefined once all rows were inspected. */
export interface Looked<R> {
  readonly rows: readonly R[]
  readonly lookedTo: bigint | undefined
}

/** Searches rows from an id on in steps: until enough are found, all were inspected, or the limit is reached. */
export async function searchBack<R>(
  end: bigint,
  limit: number,
  { stepRows: most, stepsMax, stepMillisecondsMax, milliseconds }: SearchBounds,
  look: (before: bigint, count: number, stepRows: number) => Promise<Looked<R>>,
): Promise<Looked<R>> {
  const began = monotonic()
  const found: R[] = []
  let stepRows = Math.min(FIRST_STEP_ROWS, most)
  let lookedTo: bigint | undefined = end
  for (let step = 0; step < stepsMax && lookedTo !== undefined; step++) {
    const stepBegan = monotonic()
    const looked: Looked<R> = await look(lookedTo, limit - found.length, stepRows)
    found.push(...looked.rows)
    lookedTo = looked.lookedTo
    const now = monotonic()
    if (found.length === limit || now - began >= milliseconds) break
    const growth = Math.min(GROWTH_MAX, stepMillisecondsMax / Math.max(1, now - stepBegan))
    stepRows = Math.min(most, Math.ceil(stepRows * growth))
  }
  return { rows: found, lookedTo }
}

const isAddress = (customer: string | undefined): customer is string => customer?.includes('@') === true

const smallest = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const largest = (a: bigint, b: bigint): bigint => (a > b ? a : b)
const contains = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** The SQL condition for a filter. A filter without a column in this list matches nothing. */
function conditionsOf<R>({
  status,
  method,
  amount,
  customer,
  reference,
}: Searched<R>): (filter: ListFilter) => Fragment {
  const column = (name: string | undefined): Fragment => (name === undefined ? sql`null` : names(columnName(name)))
  const none = sql`true`
  return ({ statuses, method: by, amountFrom, amountTo, customer: who, reference: part }) => sql`
    ${status === undefined ? none : sql`(${statuses ?? null}::text[] is null or ${column(status)} = any(${statuses ?? null}::text[]))`}
    and ${method === undefined ? none : sql`(${by ?? null}::text is null or ${column(method)} = ${by ?? null}::text)`}
    and ${amount === undefined ? none : sql`(${amountFrom ?? null}::bigint is null or ${column(amount)} >= ${amountFrom ?? null}::bigint)`}
    and ${amount === undefined ? none : sql`(${amountTo ?? null}::bigint is null or ${column(amount)} <= ${amountTo ?? null}::bigint)`}
    and ${reference === undefined ? none : sql`(${part ?? null}::text is null or ${column(reference)} ilike ${part === undefined ? null : contains(part)}::text)`}
    and ${
      customer === undefined
        ? none
        : sql`(${who ?? null}::text is null
               or case when strpos(${who ?? null}::text, '@') > 0 then lower(${column(customer.email)}) = lower(${who ?? null}::text)
                       else ${column(customer.name)} ilike ${who === undefined ? null : contains(who)}::text end)`
    }`
}
