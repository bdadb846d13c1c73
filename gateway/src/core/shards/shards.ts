import type { Db, Tx } from '../../platform/db.ts'
import { type Fragment, names, plain, sql } from '../../platform/sql.ts'
import type { Whose } from '../../platform/table.ts'
import { HOUSE } from '../money/ledger/index.ts'
import { isDistributed } from './distribute.ts'
import { hashOf } from './hash.ts'
import { DISTRIBUTED } from './placement.ts'

/** Merchants whose rows are together. One PostgreSQL is one shard, of all merchants. */
export interface Shard {
  /** Undefined where it is all of them. */
  readonly merchants: readonly string[] | undefined
}

/** How merchants are spread. */
export interface Shards {
  /** What merchants of one shard have in common: requests for them can be one set. */
  readonly of: (merchantId: bigint) => number
  /** Does something on each shard, one after another: no statement locks rows of two. Answers the sum. */
  readonly each: (work: (shard: Shard) => Promise<number>) => Promise<number>
  /** The same for what is asked: answers what came of each. */
  readonly ofEach: <T>(ask: (shard: Shard) => Promise<T>) => Promise<readonly T[]>
  /** The same for what is taken, up to so many in all. */
  readonly gather: <T>(
    limit: number,
    take: (shard: Shard, limit: number) => Promise<readonly T[]>,
  ) => Promise<readonly T[]>
}

/** The condition that rows of an alias are on a shard. */
export const ofShard = ({ merchants }: Shard, alias: string): Fragment =>
  merchants === undefined ? plain('true') : sql`${names(alias)}.merchant_id = any(${merchants}::bigint[])`

/** The same for whichever alias. */
export const whose =
  (shard: Shard): Whose =>
  (alias) =>
    ofShard(shard, alias)

const ONE: Shard = { merchants: undefined }
const ONE_SHARD: Shards = {
  of: () => 0,
  each: (work) => work(ONE),
  ofEach: async (ask) => [await ask(ONE)],
  gather: (limit, take) => take(ONE, limit),
}

/** Learns how merchants are spread. Where Citus splits a shard later, sets of its merchants are carried out one by one until a start. */
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
  /** Another one is first each time, so that none waits behind another's many. */
  async function all(): Promise<readonly Shard[]> {
    const rows = await db<{ id: bigint }[]>`select ${HOUSE}::bigint as id union all select id from merchant`
    const groups = [...Map.groupBy(rows, ({ id }) => of(id)).values()]
    const first = turn++ % groups.length
    return [...groups.slice(first), ...groups.slice(0, first)].map((rows) => ({
      merchants: rows.map(({ id }) => String(id)),
    }))
  }
  const ofEach: Shards['ofEach'] = async (ask) => {
    const answers: Awaited<ReturnType<typeof ask>>[] = []
    for (const shard of await all()) answers.push(await ask(shard))
    return answers
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
