import { type Db, inTransaction, SESSION_SETTINGS, type Tx } from '../../platform/postgres/db.ts'
import { DISTRIBUTED, REFERENCE } from './placement.ts'

/** Why merchants cannot be distributed, for the operator. */
export class ShardsError extends Error {}

/** Reports how many of all tables are distributed so far. */
export type OnTable = (done: number, total: number) => void

interface ForeignKey {
  readonly source: string
  readonly target: string
  readonly name: string
  readonly definition: string
}

/** The first table that is distributed. Rows of the other tables are stored on the same shards. */
const FIRST = DISTRIBUTED[0] as string
const LOCK = 20_261_116
/** Session settings that matter on a worker. The coordinator enforces the other timeouts. */
const { lock_timeout, timezone, random_page_cost } = SESSION_SETTINGS
const SETTINGS_ON_WORKERS = { lock_timeout, timezone, random_page_cost }
/** Functions that queries call on a shard. */
const FUNCTIONS = ['is_listed(bigint, bigint[])', 'refuse_outdated(bigint, bigint)']

/** Whether merchants are distributed by Citus. */
export const isDistributed = async (db: Db | Tx): Promise<boolean> => (await placed(db)).has(FIRST)

/** Reads the names of the tables that Citus manages; none if Citus is not installed. */
export async function placed(db: Db | Tx): Promise<ReadonlySet<string>> {
  const [citus] = await db`select from pg_extension where extname = 'citus'`
  if (citus === undefined) return new Set()
  const rows = await db<{ name: string }[]>`select logicalrelid::regclass::text as name from pg_dist_partition`
  return new Set(rows.map(({ name }) => name))
}

/**
 * Distributes or copies every table with its rows on a Citus cluster, as the owner. Tables linked by foreign keys move
 * in one transaction, so the work can be stopped at any time and continued.
 */
export async function distribute(owner: Db, onTable: OnTable = () => {}): Promise<void> {
  const [citus] = await owner`select from pg_extension where extname = 'citus'`
  if (citus === undefined)
    throw new ShardsError(
      'This PostgreSQL is not a Citus coordinator: run create extension citus and add the workers first.',
    )
  const done = await placed(owner)
  const tables = [...REFERENCE, ...DISTRIBUTED]
  const missing = tables.filter((name) => !done.has(name))
  let placedCount = tables.length - missing.length
  onTable(placedCount, tables.length)
  for (const family of familiesOf(missing, await foreignKeys(owner))) {
    await inTransaction(owner, (tx) => placeFamily(tx, family))
    placedCount += family.length
    onTable(placedCount, tables.length)
  }
  for (const name of tables) await removeLocalRows(owner, name)
  await inTransaction(owner, prepareFunctions)
  await configureDatabase(owner)
}

const foreignKeys = (db: Db | Tx): Promise<ForeignKey[]> =>
  db<ForeignKey[]>`
    select conrelid::regclass::text as source, confrelid::regclass::text as target, quote_ident(conname) as name,
           pg_get_constraintdef(oid) as definition
      from pg_constraint
     where contype = 'f' and conparentid = 0 and confrelid = any(${[...REFERENCE, ...DISTRIBUTED, 'person']}::regclass[])`

/** Groups the tables that foreign keys link, in the order of the list. */
function familiesOf(tables: readonly string[], keys: readonly ForeignKey[]): readonly (readonly string[])[] {
  const remaining = new Set(tables)
  const take = (name: string): readonly string[] => {
    if (!remaining.delete(name)) return []
    const others = keys
      .filter(({ source, target }) => source === name || target === name)
      .flatMap(({ source, target }) => (REFERENCE.includes(target) ? [] : [source, target]))
    return [name, ...others.flatMap(take)]
  }
  return tables.map(take).filter((family) => family.length > 0)
}

/** Drops the foreign keys of tables, moves the tables, and restores the foreign keys within a shard. */
async function placeFamily(tx: Tx, requested: readonly string[]): Promise<void> {
  // A test checks that these tables' triggers only reject changes and read nothing outside the row.
  await tx.script(`set local statement_timeout = 0; set local citus.enable_unsafe_triggers = on;
    set local citus.multi_shard_modify_mode = 'sequential'`)
  await tx`select pg_advisory_xact_lock(${LOCK})`
  const done = await placed(tx)
  const family = requested.filter((name) => !done.has(name)) // another process may have placed some of them meanwhile
  const isOurs = (name: string): boolean => family.includes(name)
  const isOnShards = (name: string): boolean => DISTRIBUTED.includes(name)
  const keys = (await foreignKeys(tx)).filter(({ source, target }) => isOurs(source) || isOurs(target))
  for (const { source, name } of keys) await tx.script(`alter table ${source} drop constraint ${name}`)
  for (const name of family) {
    if (REFERENCE.includes(name)) await tx`select create_reference_table(${name})`
    else
      await tx`select create_distributed_table(${name}, 'merchant_id', colocate_with => ${name === FIRST ? 'default' : FIRST})`
  }
  for (const { source, target, name, definition } of keys)
    if (isOnShards(source) && isOnShards(target))
      await tx.script(`alter table ${source} add constraint ${name} ${definition}`)
}

/** Deletes a table's old local rows, which Citus has copied and hidden. */
async function removeLocalRows(owner: Db, name: string): Promise<void> {
  const [local] = await owner<{ bytes: bigint }[]>`
    select pg_relation_size(${name}::regclass) + coalesce(sum(pg_relation_size(relid)), 0)::bigint as bytes
      from pg_partition_tree(${name}::regclass)`
  if (local === undefined || local.bytes === 0n) return
  await inTransaction(owner, async (tx) => {
    // Our triggers forbid emptying a table. They are off here, because Citus has copied all of these rows.
    await tx.script('set local statement_timeout = 0; set local session_replication_role = replica')
    await tx`select truncate_local_data_after_distributing_table(${name})`
  })
}

/**
 * Makes PostgreSQL plan each query with its actual list of merchants, which Citus needs to find the shard. Also sets
 * the session settings of the roles on all servers, because Citus does not.
 */
export async function configureDatabase(owner: Db): Promise<void> {
  const [database] = await owner<{ name: string }[]>`select quote_ident(current_database()) as name`
  const roles = await owner<{ name: string }[]>`
    select quote_ident(rolname) as name from pg_roles
     where rolcanlogin and not rolsuper and has_table_privilege(oid, ${FIRST}, 'select')`
  const roleSettings = roles.flatMap((role) =>
    Object.entries(SETTINGS_ON_WORKERS).map(
      ([setting, value]) => `alter role ${role.name} in database ${database?.name} set ${setting} = '${value}'`,
    ),
  )
  await inTransaction(owner, (tx) =>
    tx.script([`alter database ${database?.name} set plan_cache_mode = force_custom_plan`, ...roleSettings].join(';')),
  )
}

/** Creates the functions on all servers and registers the function `is_listed` with Citus. */
async function prepareFunctions(tx: Tx): Promise<void> {
  await tx.script(`create or replace function is_listed(merchant bigint, merchants bigint[]) returns boolean
    language sql immutable parallel safe as 'select merchant = any(merchants)'`)
  for (const name of FUNCTIONS) await tx`select create_distributed_function(${name})`
}
