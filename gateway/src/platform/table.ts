import { type Db, rowSet, type Tx } from './db.ts'
import { type Fragment, names, type Parameter, plain, qualified, sql } from './sql.ts'

/** A column, and what its values are in TypeScript. */
export interface Column<Value> {
  /** For the compiler alone. */
  readonly value?: Value
}

/** Declares a column: `amount: column<Kobo>()`, or `completedAt: column<Date | null>()` where it may be null. */
export const column = <Value>(): Column<Value> => ({})

type Columns = Readonly<Record<string, Column<unknown>>>
type RowOf<C extends Columns> = { readonly [Key in keyof C]: C[Key] extends Column<infer Value> ? Value : never }

/** A row of a table, as its columns were declared. */
export type Row<T> = T extends Table<infer R, string> ? R : never

/** What names one row. */
export type Key<T> = T extends Table<infer R, infer K> ? Pick<R, K & keyof R> : never

/**
 * A table of the database, said once. All statements name their columns, so that one that a later version adds, while
 * this one still runs, is no concern of ours.
 */
export interface Table<R extends object, K extends string> {
  readonly name: Fragment
  /** As it was declared: `transfer`, or `vault.card_on_file` where it is in a schema of its own. */
  readonly label: string
  readonly primaryKey: readonly (K & keyof R & string)[]
  /** All columns: sql`select ${transfers.columns} from transfer`. */
  readonly columns: Fragment
  /** All columns behind an alias: sql`select ${transfers.of('t')} from transfer t`. */
  readonly of: (alias: string) => Fragment
  /** Some columns: sql`select ${transfers.only('id', 'status')} from transfer`. */
  readonly only: (...columns: readonly (keyof R & string)[]) => Fragment
  /** The names of all columns but some: those of a new row that has the defaults in these. */
  readonly except: (...columns: readonly (keyof R & string)[]) => readonly (keyof R & string)[]
  /** Rows, or the named columns of them, as something to select from: sql`from ${transfers.set(rows)} k`. */
  readonly set: <Some extends keyof R & string>(rows: readonly Pick<R, Some>[], columns?: readonly Some[]) => Fragment
  /** Inserts rows, with all columns or the named ones. One that is there already fails the transaction. */
  readonly insert: (tx: Tx, rows: readonly R[], columns?: readonly (keyof R & string)[]) => void
  /** Inserts rows but for those that are there already, by a unique key; answers how many were new. The index decides. */
  readonly insertNew: (
    tx: Tx,
    rows: readonly R[],
    unique: Fragment,
    columns?: readonly (keyof R & string)[],
  ) => Promise<number>
  /** Writes the named columns of rows. */
  readonly update: (tx: Tx, rows: readonly R[], columns: readonly (keyof R & string)[]) => void
  /**
   * The same for rows that were read without a lock: where one is no longer as the condition says (it calls the row `t`),
   * the transaction fails as outdated.
   */
  readonly updateUnchanged: (
    tx: Tx,
    rows: readonly R[],
    columns: readonly (keyof R & string)[],
    condition: Fragment,
  ) => void
  /** Writes what a change names into the rows that a condition picks; answers how many. A change of nothing writes nothing. */
  readonly change: (tx: Tx, condition: Fragment, change: Partial<R>) => Promise<{ readonly count: number }>
  /** Locks rows by their keys until the transaction ends, in one order for all. Those that do not exist are left out. */
  readonly lock: (tx: Tx, keys: readonly Pick<R, K & keyof R>[]) => Promise<R[]>
  /** Reads rows by their keys. Those that do not exist are left out. */
  readonly select: (db: Db | Tx, keys: readonly Pick<R, K & keyof R>[]) => Promise<R[]>
  readonly find: (db: Db | Tx, key: Pick<R, K & keyof R>) => Promise<R | undefined>
}

/** Declares a table by the columns of its primary key and all its columns. A schema other than the usual one stands before its name. */
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
  const matching = key.map((one) => `t.${columnName(one)} = c.${columnName(one)}`).join(' and ')
  const set = (rows: readonly object[], some: readonly string[] = all): Fragment =>
    sql`json_populate_recordset(null::${relation}, ${rowSet(rows as readonly Record<string, unknown>[], some)}::text::json)`
  const ofOwners = 'merchantId' in columns ? ofThoseMerchants : anybodys
  const inserting = (rows: readonly R[], some: readonly Name[]): Fragment => {
    const list = some === all ? listed : names(...some.map(columnName))
    return sql`insert into ${relation} (${list}) select ${list} from ${set(rows, some)}`
  }
  const updating = (rows: readonly R[], some: readonly Name[]): Fragment => sql`
    update ${relation} t
       set ${plain(some.map((one) => `${columnName(one)} = c.${columnName(one)}`).join(', '))}
      from ${set(rows, [...key, ...some])} c
     where ${ofOwners(rows)} and ${plain(matching)}`
  const of = behindAlias(all)
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
      // It fails in the database, since the commit may be on its way by the time we would hear of it.
      void tx`
        with changed as (${updating(rows, some)} and ${condition} returning 1)
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

/** Column by column: of a list that is assigned at once, Citus 13.0 mixes up the order. */
const assigned = (some: readonly string[]): Fragment =>
  plain(some.map((one) => `${columnName(one)} = c.new_${columnName(one)}`).join(', '))
/** Under names of their own, so that a condition on the row means the row's. */
const asNew = (some: readonly string[]): Fragment =>
  plain(some.map((one) => `${columnName(one)} as new_${columnName(one)}`).join(', '))

/** Inserts, and counts what comes back: of an insert without that, Citus tells how many rows were to be inserted. */
async function countNew(tx: Tx, inserting: Fragment): Promise<number> {
  const [made] = await tx<{ count: number }[]>`
    with made as (${inserting} returning 1) select count(*)::integer as count from made`
  return made?.count ?? 0
}

const ofThoseMerchants = (rows: readonly object[]): Fragment => ofMerchants('t', rows)
/** A directory's rows are no merchant's. */
const anybodys = (): Fragment => plain('true')

/** The condition that a row is the one that a key names. */
const isKey = (primaryKey: readonly string[], key: object): Fragment =>
  primaryKey
    .map((part) => sql`${names(columnName(part))} = ${(key as Record<string, unknown>)[part] as Parameter}`)
    .reduce((all, part) => sql`${all} and ${part}`)

/** All columns behind an alias, made once for each. */
function behindAlias(columns: readonly string[]): (alias: string) => Fragment {
  const known = new Map<string, Fragment>()
  return (alias) => {
    const list = known.get(alias) ?? prefixed(alias, columns)
    known.set(alias, list)
    return list
  }
}

const columnNames = new Map<string, string>()

/** The name of a column, as the database spells it. */
export function columnName(key: string): string {
  const known = columnNames.get(key) ?? key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  columnNames.set(key, known)
  return known
}

const prefixed = (alias: string, list: readonly string[]): Fragment =>
  plain(list.map((one) => `${alias}.${columnName(one)}`).join(', '))

/** Whose rows these are, each merchant once: every statement on a set lists them, so that it can be sent to their shard. */
export function merchantsOf(rows: readonly object[]): readonly string[] {
  const merchants = new Set<bigint>()
  for (const row of rows) merchants.add((row as { readonly merchantId: bigint }).merchantId)
  return [...merchants].map(String)
}

/** The condition that rows of an alias are those of the merchants of a set. What the function does stands in its migration. */
export const ofMerchants = (alias: string, rows: readonly object[]): Fragment =>
  sql`is_listed(${aliased(alias)}.merchant_id, ${merchantsOf(rows)}::bigint[])`

const aliases = new Map<string, Fragment>()

/** The name of an alias, made once for each: our statements have few. */
function aliased(alias: string): Fragment {
  const known = aliases.get(alias) ?? names(alias)
  aliases.set(alias, known)
  return known
}

/** A condition on whose rows those of an alias are. */
export type Whose = (alias: string) => Fragment

/** Those of the merchants of a set, by whichever alias. */
export const ofThose =
  (rows: readonly object[]): Whose =>
  (alias) =>
    ofMerchants(alias, rows)
