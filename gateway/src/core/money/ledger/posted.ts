import type { Kobo } from '../../../kernel/money.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import { scopeOf } from '../../../platform/postgres/table.ts'
import { movesOf } from './moves.ts'

export interface PostedJournal {
  readonly key: string
  readonly memo: string
  readonly postedAt: Date
  readonly moves: readonly { readonly from: string; readonly to: string; readonly amount: Kobo }[]
}

interface PostedMove {
  readonly id: bigint
  readonly key: string
  readonly memo: string
  readonly postedAt: Date
  readonly source: string
  readonly target: string
  readonly amount: Kobo
}

/** Selects a merchant's journals posted under these keys, oldest first. */
export async function selectPosted(
  db: Db,
  merchantId: bigint,
  keys: readonly string[],
): Promise<readonly PostedJournal[]> {
  const rows = await db<PostedMove[]>`
    select j.id, j.key, j.memo, j.posted_at, m.source, m.target, m.amount
      from journal j
     cross join ${movesOf('j', scopeOf([{ merchantId }]))} m
     where j.merchant_id = ${merchantId} and j.key = any(${keys}::text[])
     order by j.id`
  return [...Map.groupBy(rows, ({ id }) => id).values()].flatMap((moves) => {
    const [first] = moves
    if (first === undefined) return []
    const { key, memo, postedAt } = first
    return {
      key,
      memo,
      postedAt,
      moves: moves.map(({ source, target, amount }) => ({ from: source, to: target, amount })),
    }
  })
}
