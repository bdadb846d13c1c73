import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { type Db, inTransaction, type Tx } from '../../../../platform/postgres/db.ts'
import { column, table } from '../../../../platform/postgres/table.ts'

/** How far a merchant's ledger has been verified. */
export interface Checkpoint {
  readonly merchantId: bigint
  /** All rows up to this id, except open ones, are final and were correct. */
  readonly upTo: bigint
  /** Each account's balance by the journals up to that id. */
  readonly sums: ReadonlyMap<string, bigint>
  /** Rows up to that id that can still change, by check. */
  readonly open: ReadonlyMap<string, readonly bigint[]>
}

/** Creates the checkpoint of a merchant of which nothing is verified yet. */
export const emptyCheckpoint = (merchantId: bigint): Checkpoint => ({
  merchantId,
  upTo: 0n,
  sums: new Map(),
  open: new Map(),
})

/** Stores checkpoints between verifications. */
export interface Checkpoints {
  readonly read: (merchants: readonly bigint[]) => Promise<readonly Checkpoint[]>
  readonly write: (verified: readonly Checkpoint[]) => Promise<void>
}

/** Reads and stores no checkpoints, so that everything is verified. */
export const NO_CHECKPOINTS: Checkpoints = { read: async () => [], write: async () => {} }

/** Ignores stored checkpoints, so that everything is verified, but stores new ones. */
export const ignoringPrevious = ({ write }: Checkpoints): Checkpoints => ({ read: async () => [], write })

/** The version of the checks. Increase it when a check becomes stricter, so that everything is verified again. */
const VERSION = 1

interface Stored {
  readonly version: number
  readonly merchantId: string
  readonly upTo: string
  readonly sums: Readonly<Record<string, string>>
  readonly open: Readonly<Record<string, readonly string[]>>
}

const stored = ({ merchantId, upTo, sums, open }: Checkpoint): Stored => ({
  version: VERSION,
  merchantId: String(merchantId),
  upTo: String(upTo),
  sums: Object.fromEntries([...sums].map(([code, sum]) => [code, String(sum)])),
  open: Object.fromEntries([...open].map(([name, ids]) => [name, ids.map(String)])),
})

function read({ version, merchantId, upTo, sums, open }: Stored): readonly Checkpoint[] {
  if (version !== VERSION) return []
  return [
    {
      merchantId: BigInt(merchantId),
      upTo: BigInt(upTo),
      sums: new Map(Object.entries(sums).map(([code, sum]) => [code, BigInt(sum)])),
      open: new Map(Object.entries(open).map(([name, ids]) => [name, ids.map(BigInt)])),
    },
  ]
}

const proofs = table('ledger_proof', ['merchantId'], { merchantId: column<bigint>(), checkpoint: column<Stored>() })

/** Checkpoints stored in the database. A read-only database (a standby) stores nothing. */
export const databaseCheckpoints = (db: Db, isWritable: boolean): Checkpoints => ({
  read: async (merchants) =>
    (
      await proofs.select(
        db,
        merchants.map((merchantId) => ({ merchantId })),
      )
    ).flatMap(({ checkpoint }) => read(checkpoint)),
  write: async (verified) => {
    if (!isWritable || verified.length === 0) return
    const rows = verified.map((one) => ({ merchantId: one.merchantId, checkpoint: stored(one) }))
    await inTransaction(
      db,
      (tx) => tx`
        insert into ledger_proof (merchant_id, checkpoint)
        select merchant_id, checkpoint from ${proofs.set(rows)} new
            on conflict (merchant_id) do update set checkpoint = excluded.checkpoint`,
    )
  },
})

/** Deletes a merchant's checkpoint, which is wrong once something is posted with an earlier id. */
export const deleteCheckpoints = (tx: Tx, merchantId: bigint): void =>
  void tx`delete from ledger_proof where merchant_id = ${merchantId}`

/** Checkpoints stored in a file, one line per merchant. An interrupted verification leaves the file unchanged. */
export function fileCheckpoints(path: string): Checkpoints & { readonly save: () => void } {
  const lines = new Map(readLines(path).map((line) => [(JSON.parse(line) as Stored).merchantId, line]))
  return {
    read: async (merchants) =>
      merchants.flatMap((id) => {
        const line = lines.get(String(id))
        return line === undefined ? [] : read(JSON.parse(line) as Stored)
      }),
    write: async (verified) => {
      for (const one of verified) lines.set(String(one.merchantId), JSON.stringify(stored(one)))
    },
    save: () => {
      const temporary = `${path}.new`
      writeFileSync(temporary, [...lines.values(), ''].join('\n'), { mode: 0o600 })
      renameSync(temporary, path)
    },
  }
}

function readLines(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
