import { HOUSE } from '../../kernel/house.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { type Fragment, names, plain, sql } from '../../platform/postgres/sql.ts'
import type { MerchantScope } from '../../platform/postgres/table.ts'

import { isDistributed } from './distribute.ts'
import { hashOf } from './hash.ts'
import { DISTRIBUTED } from './placement.ts'

/** Merchants whose rows are on one server. Without Citus, one shard has all merchants. */
export interface Shard {
  /** The ids of the merchants; undefined for all. */
  readonly merchants: readonly string[] | undefined
}

/** How merchants are distributed. */
export interface Shards {
  /** The shard of a merchant. Requests of the same shard can share a batch. */
  readonly of: (merchantId: bigint) => number
  /** Runs work on one shard after the other, so that no query locks rows on two shards. Returns the sum. */
  readonly each: (work: (shard: Shard) => Promise<number>) => Promise<number>
  /** Runs a read on one shard after the other; returns the result of each. */
  readonly ofEach: <T>(run: (shard: Shard) => Promise<T>) => Promise<readonly T[]>
  /** Leases rows on one shard after the other, up to a total limit. */
  readonly gather: <T>(
    limit: number,
    take: (shard: Shard, limit: number) => Promise<readonly T[]>,
  ) => Promise<readonly T[]>
}

/** Builds the condition that the rows of a table alias are on a shard. */
export const ofShard = ({ merchants }: Shard, alias: string): Fragment =>
  merchants === undefined ? plain('true') : sql`${names(alias)}.merchant_id = any(${merchants}::bigint[])`

/** Builds the condition that rows are on a shard, for any table alias. */
export const shardScope =
  (shard: Shard): MerchantScope =>
  (alias) =>
    ofShard(shard, alias)

const ONE: Shard = { merchants: undefined }
const ONE_SHARD: Shards = {
  of: () => 0,
  each: (work) => work(ONE),
  ofEach: async (run) => [await run(ONE)],
  gather: (limit, take) => take(ONE, limit),
}

/**
 * Reads the distribution. If Citus splits a shard later, batches across both parts run one request at a time until a
 * restart.
 */
export async function openShards(db: Db | Tx): Promise<Shards> {
  if (!(await isDistributed(db))) return ONE_SHARD
  const ranges = await db<{ least: number; last: number }[]>`
    select shardminvalue::integer as least, shardmaxvalue::integer as last
      from pg_dist_shard where logicalrelid = ${DISTRIBUTED[0]}::regclass order by 1`
  const of = (merchantId: bigint): number => {
    const hash = hashOf(merchantId)
    return ranges.findIndex(({ least, last }) => least <= hash && hash <= last)
  }
  let turn = 0
  /** Returns all shards. Each call starts with a different shard, so that none always comes last. */
  async function all(): Promise<readonly Shard[]> {
    const rows = await db<{ id: bigint }[]>`select ${HOUSE}::bigint as id union all select id from merchant`
    const groups = [...Map.groupBy(rows, ({ id }) => of(id)).values()]
    const first = turn++ % groups.length
    return [...groups.slice(first), ...groups.slice(0, first)].map((rows) => ({
      merchants: rows.map(({ id }) => String(id)),
    }))
  }
  const ofEach: Shards['ofEach'] = async (run) => {
    const results: Awaited<ReturnType<typeof run>>[] = []
    for (const shard of await all()) results.push(await run(shard))
    return results
  }
  return {
    of,
    ofEach,
    each: async (work) => (await ofEach(work)).reduce((all, done) => all + done, 0),
    gather: async (limit, take) => {
      let taken: readonly Awaited<ReturnType<typeof take>>[number][] = []
      for (const shard of await all())
        if (taken.length < limit) taken = [...taken, ...(await take(shard, limit - taken.length))]
      return taken
    },
  }
}
