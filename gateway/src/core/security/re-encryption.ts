import { type Clock, secondsAfter } from '../../kernel/clock.ts'
import { invariant } from '../../kernel/errors.ts'
import { type Db, inTransaction } from '../../platform/postgres/db.ts'
import { type Fragment, sql } from '../../platform/postgres/sql.ts'
import {
  addDataKeys,
  type DataKeyRow,
  lockDataKeys,
  newDataKeys,
  ROTATED_PURPOSES,
  type RotatedPurpose,
  RotationError,
  SEALS_AFTER_SECONDS,
  selectDataKeys,
} from './data-keys.ts'
import type { MasterKey } from './key-device.ts'
import { type Keyring, keyIdOf, type Sealer } from './keyring.ts'
import type { SealedColumn } from './sealed-column.ts'

/** Rows per step. The rows that a step re-encrypts are locked meanwhile. */
const WINDOW_ROWS = 500
/** After this time every request that started with the old key has ended. */
const UNDER_WAY_SECONDS_MAX = 30
/** An access token is valid for an hour, so a replaced signing key is no longer needed after this time. */
const RETIRES_AFTER_SECONDS = 3_600 + 300

/** The databases and columns to re-encrypt. */
export interface ReEncryption {
  readonly db: Db
  /** The connection with the vault's own database role. */
  readonly vaultDb: Db
  readonly keyring: Keyring
  readonly wall: Clock
  readonly columns: readonly SealedColumn[]
}

interface ReEncryptionRow {
  readonly purpose: RotatedPurpose
  readonly keyId: number
  readonly place: string | null
  readonly after: readonly string[] | null
  readonly resealed: bigint
}

/** Progress: how many rows of the current column were inspected, and about how many it has. */
export interface ReEncryptionProgress {
  readonly place: string
  readonly rows: number
  readonly about: number
  /** Whether these were the last rows. */
  readonly isLast: boolean
}

/**
 * Creates a new key per purpose, unless a re-encryption of that purpose is already running. Returns the time from which
 * all nodes encrypt with the new keys.
 */
export async function beginReEncryption(
  { db, wall }: Pick<ReEncryption, 'db' | 'wall'>,
  masterKey: MasterKey,
  purposes: readonly RotatedPurpose[],
): Promise<Date> {
  const now = wall.now()
  const made = await newDataKeys(masterKey, await selectDataKeys(db), purposes)
  return inTransaction(db, async (tx) => {
    const rows = await lockDataKeys(tx)
    const underWay = await tx<ReEncryptionRow[]>`select purpose, key_id from resealing`
    const fresh = made.filter(({ purpose }) => !underWay.some((one) => one.purpose === purpose))
    const sealsFrom = secondsAfter(now, SEALS_AFTER_SECONDS)
    await addDataKeys(tx, rows, fresh, { at: now, sealsFrom })
    for (const { id, purpose } of fresh)
      await tx`insert into resealing (purpose, key_id, begun_at) values (${purpose}, ${id}, ${now})`
    const keys = new Set(underWay.flatMap(({ purpose, keyId }) => (purposes.includes(purpose) ? keyId : [])))
    const earlier = rows.filter(({ id }) => keys.has(id)).map((row) => Number(row.sealsFrom))
    const latest = Math.max(...earlier, ...(fresh.length === 0 ? [] : [sealsFrom.getTime()]))
    return secondsAfter(new Date(latest), UNDER_WAY_SECONDS_MAX)
  })
}

/**
 * Re-encrypts all values of a purpose that were encrypted with older keys. Continues where the last run stopped.
 * Returns how many values were re-encrypted in total.
 */
export async function reEncrypt(
  resealing: ReEncryption,
  purpose: RotatedPurpose,
  onProgress: (progress: ReEncryptionProgress) => void,
): Promise<bigint> {
  const { db, keyring } = resealing
  await keyring.refresh()
  const [begun] = await db<ReEncryptionRow[]>`
    select purpose, key_id, place, after, resealed from resealing where purpose = ${purpose}`
  invariant(begun !== undefined, 'a re-encryption is started before it continues')
  const columns = resealing.columns.filter((column) => column.purpose === purpose)
  const first = columns.findIndex(({ place }) => place === begun.place)
  for (const [index, column] of columns.slice(Math.max(first, 0)).entries()) {
    let rows = 0
    const about = await countAbout(databaseOf(resealing, column), column)
    const start = index === 0 && first >= 0 ? begun.after : null
    for await (const { after, looked, keys } of windows(databaseOf(resealing, column), column, start)) {
      const old = keys.filter(({ keyId }) => keyId !== keyring.current(column.purpose))
      const resealed = old.length === 0 ? 0 : await reEncryptRows(resealing, column, old)
      await db`
        update resealing set place = ${column.place}, after = ${after}::text[], resealed = resealed + ${resealed}
         where purpose = ${purpose}`
      rows += looked
      onProgress({ place: column.place, rows, about, isLast: looked < WINDOW_ROWS })
    }
  }
  const [done] = await db<ReEncryptionRow[]>`delete from resealing where purpose = ${purpose} returning resealed`
  return done?.resealed ?? 0n
}

const databaseOf = ({ db, vaultDb }: ReEncryption, { table }: SealedColumn): Db =>
  table.label.startsWith('vault.') ? vaultDb : db

/** Re-encrypts rows under a lock, so that no concurrent change is lost. Returns how many needed it. */
async function reEncryptRows(
  resealing: ReEncryption,
  column: SealedColumn,
  keys: readonly Record<string, unknown>[],
): Promise<number> {
  const { table, purpose } = column
  const sealer = resealing.keyring.of(purpose)
  const current = resealing.keyring.current(purpose)
  return inTransaction(databaseOf(resealing, column), async (tx) => {
    const rows = (await table.lock(tx, keys)).filter((row) => {
      const sealed = bytesOf(row[column.column])
      return sealed !== null && keyIdOf(sealed) !== current
    })
    table.update(
      tx,
      rows.map((row) => ({ ...row, [column.column]: resealed(sealer, column, row) })),
      [column.column],
    )
    return rows.length
  })
}

function resealed(sealer: Sealer, { column, context }: SealedColumn, row: Record<string, unknown>): Buffer | string {
  const sealed = bytesOf(row[column])
  invariant(sealed !== null, 'only existing values are re-encrypted')
  const place = context(row as never)
  const fresh = sealer.seal(sealer.open(sealed, place), place)
  return typeof row[column] === 'string' ? fresh.toString('base64') : fresh
}

const bytesOf = (value: unknown): Buffer | null =>
  typeof value === 'string' ? Buffer.from(value, 'base64') : Buffer.isBuffer(value) ? value : null

interface Window {
  /** The key of the last row. */
  readonly after: readonly string[]
  readonly looked: number
  /** The rows with a value: their keys, and the data key that encrypted the value. */
  readonly keys: readonly (Record<string, unknown> & { readonly keyId: number })[]
}

/** Reads all rows of a column after a given row, over all merchants, in the order of the primary key. */
async function* windows(
  db: Db,
  { table, column }: SealedColumn,
  start: readonly string[] | null,
): AsyncGenerator<Window> {
  const { primaryKey } = table
  const order = table.only(...primaryKey)
  for (let after = start; ; ) {
    const behind: Fragment = after === null ? sql`` : sql`where (${order}) > (${values(after)})`
    const rows = await db<Record<string, unknown>[]>`
      -- over all merchants: re-encryption
      select ${table.only(...primaryKey, column)} from ${table.name} ${behind} order by ${order} limit ${WINDOW_ROWS}`
    const last = rows.at(-1)
    if (last === undefined) return
    after = primaryKey.map((key) => String(last[key]))
    yield {
      after,
      looked: rows.length,
      keys: rows.flatMap((row) => {
        const sealed = bytesOf(row[column])
        return sealed === null ? [] : { ...row, keyId: keyIdOf(sealed) }
      }),
    }
    if (rows.length < WINDOW_ROWS) return
  }
}

const values = (list: readonly string[]): Fragment =>
  list.map((value) => sql`${value}`).reduce((all, value) => sql`${all}, ${value}`)

/** Estimates the number of rows, from PostgreSQL's statistics. */
async function countAbout(db: Db, { table }: SealedColumn): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select greatest(reltuples, 0)::float8 as count from pg_class where oid = to_regclass(${table.label})`
  return row?.count ?? 0
}

/** The result for a replaced key. */
export interface Retired {
  readonly id: number
  /** `narrowed`: the key is used only for lookup hashes from now on. */
  readonly became: 'retired' | 'narrowed'
}

/** Retires and erases keys that were replaced over an hour ago and with which no stored value is encrypted. */
export async function retireKeys(resealing: ReEncryption): Promise<readonly Retired[]> {
  const { db, wall } = resealing
  const [underWay] = await db`select from resealing`
  if (underWay !== undefined) throw new RotationError('Re-encryption is in progress: wait until it has finished')
  const idle = idleKeys(await selectDataKeys(db), secondsAfter(wall.now(), -RETIRES_AFTER_SECONDS))
  if (idle.length === 0) return []
  const used = await usedKeys(resealing)
  const retired: Retired[] = []
  for (const { id, purpose } of idle.filter((row) => !used.has(row.id))) {
    const became = id === 1 && purpose === null ? 'narrowed' : 'retired'
    if (became === 'narrowed') await db`update data_key set purpose = 'lookups' where id = ${id}`
    else await db`update data_key set wrapped = '', wrapped_next = null, retired_at = ${wall.now()} where id = ${id}`
    retired.push({ id, became })
  }
  return retired
}

/** Finds the keys that are no longer needed: newer keys have served all their purposes since before a time. */
const idleKeys = (rows: readonly DataKeyRow[], before: Date): readonly DataKeyRow[] =>
  rows.filter(({ id, purpose, retiredAt }) => {
    const purposes = purpose === null ? ROTATED_PURPOSES : ROTATED_PURPOSES.filter((one) => one === purpose)
    const isReplaced = (one: RotatedPurpose): boolean =>
      rows.some((row) => row.purpose === one && row.id > id && row.sealsFrom <= before)
    return retiredAt === null && purposes.length > 0 && purposes.every(isReplaced)
  })

/** Finds the keys with which stored values are still encrypted. */
async function usedKeys(resealing: ReEncryption): Promise<ReadonlySet<number>> {
  const used = new Set<number>()
  for (const column of resealing.columns)
    for await (const { keys } of windows(databaseOf(resealing, column), column, null))
      for (const { keyId } of keys) used.add(keyId)
  return used
}
