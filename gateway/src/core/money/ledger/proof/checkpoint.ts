import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { type Db, inTransaction, type Tx } from '../../../../platform/db.ts'
import { column, table } from '../../../../platform/table.ts'

/** How far a merchant's books have been proven. */
export interface Checkpoint {
  readonly merchantId: bigint
  /** All rows with ids up to this one, but for those that are open, are as they stay, and were right. */
  readonly upTo: bigint
  /** What each account has by the journals up to there. */
  readonly sums: ReadonlyMap<string, bigint>
  /** Rows up to there that could still change, by the name of the question. */
  readonly open: ReadonlyMap<string, readonly bigint[]>
}

/** From where nothing has been proven yet. */
export const beginning = (merchantId: bigint): Checkpoint => ({
  merchantId,
  upTo: 0n,
  sums: new Map(),
  open: new Map(),
})

/** Where checkpoints are kept from one proof to the next. */
export interface Checkpoints {
  readonly read: (merchants: readonly bigint[]) => Promise<readonly Checkpoint[]>
  readonly write: (proven: readonly Checkpoint[]) => Promise<void>
}

/** None: everything is proven from the beginning, and nothing is kept. */
export const NO_CHECKPOINTS: Checkpoints = { read: async () => [], write: async () => {} }

/** From the beginning, and kept. */
export const afresh = ({ write }: Checkpoints): Checkpoints => ({ read: async () => [], write })

/** Raise it whenever a question asks more than before: what was proven then is proven anew. */
const VERSION = 1

/** A checkpoint in JSON. */
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

/** In the database itself. Where that is read only, as on a standby, nothing is kept. */
export const inDatabase = (db: Db, isWritable: boolean): Checkpoints => ({
  read: async (merchants) =>
    (
      await proofs.select(
        db,
        merchants.map((merchantId) => ({ merchantId })),
      )
    ).flatMap(({ checkpoint }) => read(checkpoint)),
  write: async (proven) => {
    if (!isWritable || proven.length === 0) return
    const rows = proven.map((one) => ({ merchantId: one.merchantId, checkpoint: stored(one) }))
    await inTransaction(
      db,
      (tx) => tx`
        insert into ledger_proof (merchant_id, checkpoint)
        select merchant_id, checkpoint from ${proofs.set(rows)} new
            on conflict (merchant_id) do update set checkpoint = excluded.checkpoint`,
    )
  },
})

/** Forgets how far a merchant's books were proven, where something was booked before that: all is proven anew. */
export const forgetProof = (tx: Tx, merchantId: bigint): void =>
  void tx`delete from ledger_proof where merchant_id = ${merchantId}`

/** In a file, a line for each merchant. A proof that is cut off leaves it as it was. */
export function inFile(path: string): Checkpoints & { readonly save: () => void } {
  const lines = new Map(readLines(path).map((line) => [(JSON.parse(line) as Stored).merchantId, line]))
  return {
    read: async (merchants) =>
      merchants.flatMap((id) => {
        const line = lines.get(String(id))
        return line === undefined ? [] : read(JSON.parse(line) as Stored)
      }),
    write: async (proven) => {
      for (const one of proven) lines.set(String(one.merchantId), JSON.stringify(stored(one)))
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
