import type { Kobo } from '../../../kernel/money.ts'
import type { Db } from '../../../platform/db.ts'
import { ofThose } from '../../../platform/table.ts'
import { movesOf } from './moves.ts'

/** A journal as it is booked. */
export interface BookedJournal {
  readonly key: string
  readonly memo: string
  readonly postedAt: Date
  readonly moves: readonly { readonly from: string; readonly to: string; readonly amount: Kobo }[]
}

interface BookedMove {
  readonly id: bigint
  readonly key: string
  readonly memo: string
  readonly postedAt: Date
  readonly source: string
  readonly target: string
  readonly amount: Kobo
}

/** The journals of a merchant that are booked under some keys, oldest first. */
export async function selectBooked(
  db: Db,
  merchantId: bigint,
  keys: readonly string[],
): Promise<readonly BookedJournal[]> {
  const rows = await db<BookedMove[]>`
    select j.id, j.key, j.memo, j.posted_at, m.source, m.target, m.amount
      from journal j
     cross join ${movesOf('j', ofThose([{ merchantId }]))} m
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
