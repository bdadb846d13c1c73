import type { Db } from '../../platform/postgres/db.ts'
import { isDistributed, placed } from './distribute.ts'
import { DISTRIBUTED, REFERENCE } from './placement.ts'

/** The distribution of merchants, for the operator. */
export interface Spread {
  readonly isSpread: boolean
  /** The servers with shards; the coordinator is left out. */
  readonly servers: readonly { readonly address: string; readonly shards: number; readonly merchants: number }[]
  /** Tables that are not distributed yet. */
  readonly notPlaced: readonly string[]
}

export async function readSpread(db: Db): Promise<Spread> {
  if (!(await isDistributed(db))) return { isSpread: false, servers: [], notPlaced: [] }
  const known = await placed(db)
  const servers = await db<{ address: string; shards: number; merchants: number }[]>`
    select n.nodename || ':' || n.nodeport as address, count(distinct s.shardid)::integer as shards,
           count(m.id)::integer as merchants
      from pg_dist_shard s
      join pg_dist_placement p on p.shardid = s.shardid
      join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
      left join (select id, hashint8(id) as hash from merchant) m
        on m.hash between s.shardminvalue::integer and s.shardmaxvalue::integer
     where s.logicalrelid = ${DISTRIBUTED[0]}::regclass
     group by n.nodename, n.nodeport
     order by 1`
  return { isSpread: true, servers, notPlaced: [...REFERENCE, ...DISTRIBUTED].filter((name) => !known.has(name)) }
}
