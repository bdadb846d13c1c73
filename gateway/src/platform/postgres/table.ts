import { columnText, type Db, rowSet, type Tx } from './db.ts'
import { type Fragment, fragmentOf, names, type Parameter, plain, qualified, sql } from './sql.ts'

/** A column with its TypeScript type. */
export interface Column<Value> {
  /** Used by the compiler only. */
  readonly value?: Value
  readonly type?: string | undefined
}

/**
 * Declares a column: `amount: column<Kobo>()`, or `completedAt: column<Date | null>()` if nullable. Tables that every
 * payment writes also declare PostgreSQL's types; then rows are written from one array per column, which costs the
 * database less than JSON.
 */
export const column = <Value>(type?: string): Column<Value> => ({ type })

type Columns = Readonly<Record<string, Column<unknown>>>
type RowOf<C extends Columns> = { readonly [Key in keyof C]: C[Key] extends Column<infer Value> ? Value : never }

export type Row<T> = T extends Table<infer R, string> ? R : never

/** A row's primary key. */
export type Key<T> = T extends Table<infer R, infer K> ? Pick<R, K & keyof R> : never

/**
 * A database table, declared once. All queries name their columns, so a column that a later version adds does not
 * matter.
 */
export interface Table<R extends object, K extends string> {
  readonly name: Fragment
  /** The name as declared: `transfer`, or `vault.card_on_file` with its schema. */
  readonly label: string
  readonly primaryKey: readonly (K & keyof R & string)[]
  /** All columns: sql`select ${transfers.columns} from transfer`. */
  readonly columns: Fragment
  /** All columns of an alias: sql`select ${transfers.of('t')} from transfer t`. */
  readonly of: (alias: string) => Fragment
  /** Some columns: sql`select ${transfers.only('id', 'status')} from transfer`. */
  readonly only: (...columns: readonly (keyof R & string)[]) => Fragment
  /** All column names except the given ones: for inserts that use defaults. */
  readonly except: (...columns: readonly (keyof R & string)[]) => readonly (keyof R & string)[]
  /** Given rows, or some of their columns, as a table: sql`from ${transfers.set(rows)} k`. */
  readonly set: <Some extends keyof R & string>(rows: readonly Pick<R, Some>[], columns?: readonly Some[]) => Fragment
  /** Given rows as a table `c`, sent as arrays if the columns' types are declared. Lists and JSON become texts. */
  readonly from: <Some extends keyof R & string>(rows: readonly Pick<R, Some>[], columns?: readonly Some[]) => Fragment
  /** Inserts rows with all or some columns. A row that exists fails the transaction. */
  readonly insert: (tx: Tx, rows: readonly R[], columns?: readonly (keyof R & string)[]) => void
  /**
   * Inserts the rows that do not exist yet, by a unique key; returns how many were new. The unique index prevents
   * duplicates.
   */
  readonly insertNew: (
    tx: Tx,
    rows: readonly R[],
    unique: Fragment,
    columns?: readonly (keyof R & string)[],
  ) => Promise<number>
  /** Updates some columns of the given rows. */
  readonly update: (tx: Tx, rows: readonly R[], columns: readonly (keyof R & string)[]) => void
  /**
   * Updates some columns of rows that were read without a lock. If a row no longer matches the condition (alias `t`),
   * the transaction fails as outdated.
   */
  readonly updateUnchanged: (
    tx: Tx,
    rows: readonly R[],
    columns: readonly (keyof R & string)[],
    condition: Fragment,
  ) => void
  /** Updates matching rows; returns how many. An empty change writes nothing. */
  readonly change: (tx: Tx, condition: Fragment, change: Partial<R>) => Promise<{ readonly count: number }>
  /** Locks rows by key until the transaction ends, always in the same order. Missing rows are left out. */
  readonly lock: (tx: Tx, keys: readonly Pick<R, K & keyof R>[]) => Promise<R[]>
  /** Reads rows by key. Missing rows are left out. */
  readonly select: (db: Db | Tx, keys: readonly Pick<R, K & keyof R>[]) => Promise<R[]>
  readonly find: (db: Db | Tx, key: Pick<R, K & keyof R>) => Promise<R | undefined>
}

/** Declares a table by its primary key and columns. A schema may precede its name. */
export function table<const K extends readonly string[], C extends Columns & Readonly<Record<K[number], unknown>>>(
  name: string,
  primaryKey: K,
  columns: C,
): Table<RowOf<C>, K[number]> {
  type R = RowOf<C>
  type Name = keyof R & string
  const all = Object.keys(columns) as readonly Name[]
  const key = primaryKey as readonly string[] as readonly Name[]
  const relation = qualified(...name.split('.'))
  const listed = names(...all.map(columnName))
  const set = (rows: readonly object[], some: readonly string[] = all): Fragment =>
    sql`json_populate_recordset(null::${relation}, ${rowSet(rows as readonly Record<string, unknown>[], some)}::text::json)`
  const ofOwners = 'merchantId' in columns ? ofTheirMerchants : unrestricted
  const from = sourceOf(columns, set)
  const { inserting, updating } = writersOf(relation, columns, key, from, ofOwners)
  const of = columnsByAlias(all)
  const selecting = (keys: readonly object[]): Fragment => sql`
    select ${of('t')}
      from ${relation} t
     where ${ofOwners(keys)}
       and (${prefixed('t', key)}) in (select ${prefixed('k', key)} from ${set(keys, key)} k)`

  return {
    name: relation,
    label: name,
    primaryKey: key as readonly (K[number] & Name)[],
    columns: listed,
    of,
    only: (...some) => names(...some.map(columnName)),
    except: (...some) => all.filter((one) => !some.includes(one)),
    set,
    from: (rows, some = all as never) => from(rows, some),
    insert: (tx, rows, some = all) => {
      if (rows.length > 0) void tx`${inserting(rows, some)}`
    },
    insertNew: async (tx, rows, unique, some = all) =>
      rows.length === 0 ? 0 : countNew(tx, sql`${inserting(rows, some)} on conflict ${unique} do nothing`),
    update: (tx, rows, some) => {
      if (rows.length > 0) void tx`${updating(rows, some)}`
    },
    updateUnchanged: (tx, rows, some, condition) => {
      if (rows.length === 0) return
      // The check fails in the database, because the commit may already be sent. Without `coalesce`, PostgreSQL would
      // use an index on the condition and read all matching rows for every batch, such as all open transactions.
      void tx`
        with changed as (${updating(rows, some)} and coalesce((${condition}), false) returning 1)
        select refuse_outdated(count(*), ${rows.length}) from changed`
    },
    change: (tx, condition, change) => {
      const some = Object.keys(change) as readonly Name[]
      if (some.length === 0) return Promise.resolve({ count: 0 })
      return tx`
        update ${relation} set ${assigned(some)} from (select ${asNew(some)} from ${set([change], some)}) c
         where ${condition}`
    },
    lock: async (tx, keys) =>
      keys.length === 0 ? [] : tx<R[]>`${selecting(keys)} order by ${prefixed('t', key)} for no key update`,
    select: async (db, keys) => (keys.length === 0 ? [] : db<R[]>`${selecting(keys)}`),
    find: async (db, one) => {
      const [row] = await db<R[]>`select ${listed} from ${relation} where ${isKey(key, one)}`
      return row
    },
  }
}

/** Writes rows, with all or some columns. */
interface Writers {
  readonly inserting: (rows: readonly object[], some: readonly string[]) => Fragment
  /** An update that accepts further conditions. */
  readonly updating: (rows: readonly object[], some: readonly string[]) => Fragment
}

function writersOf(
  relation: Fragment,
  columns: Columns,
  key: readonly string[],
  from: (rows: readonly object[], some: readonly string[]) => Fragment,
  ofOwners: (rows: readonly object[]) => Fragment,
): Writers {
  const valueOfColumn = (one: string): string => valueIn(one, columns[one]?.type)
  const matching = plain(key.map((one) => `t.${columnName(one)} = c.${columnName(one)}`).join(' and '))
  const inserted = cachedFor((some) => ({
    list: names(...some.map(columnName)),
    values: plain(some.map(valueOfColumn).join(', ')),
  }))
  const updated = cachedFor((some) => ({
    withKey: [...key, ...some],
    assigned: plain(some.map((one) => `${columnName(one)} = ${valueOfColumn(one)}`).join(', ')),
  }))
  return {
    inserting: (rows, some) => {
      const { list, values } = inserted(some)
      return sql`insert into ${relation} (${list}) select ${values} from ${from(rows, some)}`
    },
    updating: (rows, some) => {
      const { withKey, assigned } = updated(some)
      return sql`
    update ${relation} t
       set ${assigned}
      from ${from(rows, withKey)}
     where ${ofOwners(rows)} and ${matching}`
    },
  }
}

/** Caches a computation per list of columns. Equal lists share one result. */
function cachedFor<T>(compute: (list: readonly string[]) => T): (list: readonly string[]) => T {
  const byList = new WeakMap<readonly string[], { readonly value: T }>()
  const byText = new Map<string, { readonly value: T }>()
  return (list) => {
    const known = byList.get(list)
    if (known !== undefined) return known.value
    const text = list.join()
    const computed = byText.get(text) ?? { value: compute(list) }
    byText.set(text, computed)
    byList.set(list, computed)
    return computed.value
  }
}

/** Values of these types are sent as text: lists would be arrays of arrays, and JSON would need many escapes. */
const SENT_AS_TEXT = /\[\]$|^json/

/** A column of the given rows `c`, converted from text if needed. */
const valueIn = (one: string, type = ''): string => `c.${columnName(one)}${SENT_AS_TEXT.test(type) ? `::${type}` : ''}`

/** Given rows as a table `c`: an array per column if the types of all columns are declared, else JSON. */
function sourceOf(
  columns: Columns,
  set: (rows: readonly object[], some: readonly string[]) => Fragment,
): (rows: readonly object[], some: readonly string[]) => Fragment {
  const arraysOf = cachedFor((some) => {
    const types = some.map((one) => columns[one]?.type)
    if (!types.every((type) => type !== undefined)) return undefined
    const casts = types.map((type) => `::${SENT_AS_TEXT.test(type) ? 'text' : type}[]`)
    const listed = some.map(columnName).join(', ')
    return {
      types,
      pieces: ['unnest(', ...casts.slice(0, -1).map((cast) => `${cast}, `), `${casts.at(-1)}) c (${listed})`],
    }
  })
  return (rows, some) => {
    const arrays = arraysOf(some)
    if (arrays === undefined) return sql`${set(rows, some)} c`
    const { pieces, types } = arrays
    return fragmentOf(
      pieces,
      some.map((one, nth) => columnText(rows, one, types[nth] ?? '')),
    )
  }
}

/** Assigns one column at a time, because Citus 13.0 mixes up the order of a list assignment. */
const assigned = (some: readonly string[]): Fragment =>
  plain(some.map((one) => `${columnName(one)} = c.new_${columnName(one)}`).join(', '))
/** Selects the new values under other names, so that column names in a condition mean the existing row. */
const asNew = (some: readonly string[]): Fragment =>
  plain(some.map((one) => `${columnName(one)} as new_${columnName(one)}`).join(', '))

/** Inserts rows and counts the returned ones, because Citus reports the number of attempted inserts as the count. */
async function countNew(tx: Tx, inserting: Fragment): Promise<number> {
  const [made] = await tx<{ count: number }[]>`
    with made as (${inserting} returning 1) select count(*)::integer as count from made`
  return made?.count ?? 0
}

const ofTheirMerchants = (rows: readonly object[]): Fragment => ofMerchants('t', rows)
/** No restriction, because a directory's rows belong to no merchant. */
const unrestricted = (): Fragment => plain('true')

/** Returns the condition that a row has this key. */
const isKey = (primaryKey: readonly string[], key: object): Fragment =>
  primaryKey
    .map((part) => sql`${names(columnName(part))} = ${(key as Record<string, unknown>)[part] as Parameter}`)
    .reduce((all, part) => sql`${all} and ${part}`)

/** All columns of an alias, built once per alias. */
function columnsByAlias(columns: readonly string[]): (alias: string) => Fragment {
  const known = new Map<string, Fragment>()
  return (alias) => {
    const list = known.get(alias) ?? prefixed(alias, columns)
    known.set(alias, list)
    return list
  }
}

const columnNames = new Map<string, string>()

export function columnName(key: string): string {
  const known = columnNames.get(key) ?? key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  columnNames.set(key, known)
  return known
}

const prefixed = (alias: string, list: readonly string[]): Fragment =>
  plain(list.map((one) => `${alias}.${columnName(one)}`).join(', '))

/** The merchants of rows, each once. Every batch query lists them, so that it can be routed to their shard. */
export function merchantsOf(rows: readonly object[]): readonly string[] {
  const merchants = new Set<bigint>()
  for (const row of rows) merchants.add((row as { readonly merchantId: bigint }).merchantId)
  return [...merchants].map(String)
}

/**
 * The condition that an alias's rows belong to the merchants of a batch. Its SQL function is created by a migration.
 */
export const ofMerchants = (alias: string, rows: readonly object[]): Fragment =>
  sql`is_listed(${aliased(alias)}.merchant_id, ${merchantsOf(rows)}::bigint[])`

const aliases = new Map<string, Fragment>()

/** An alias's name, built once per alias. */
function aliased(alias: string): Fragment {
  const known = aliases.get(alias) ?? names(alias)
  aliases.set(alias, known)
  return known
}

/** A condition on the owner of an alias's rows. */
export type MerchantScope = (alias: string) => Fragment

/** The merchants of a batch, for any alias. */
export const scopeOf =
  (rows: readonly object[]): MerchantScope =>
  (alias) =>
    ofMerchants(alias, rows)
