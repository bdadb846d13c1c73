import { ID_MAX } from '../../kernel/ids.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { type Fragment, sql } from '../../platform/sql.ts'
import type { Whose } from '../../platform/table.ts'
import { BEGINNING, type LongTable, lockMarks, type Mark, marks, marksWithAfter, someMarks } from './marks.ts'

/** Its rows name a customer by an e-mail address. */
export interface OfCustomers {
  readonly customerEmail: string
}

/**
 * A mark's customers are a Bloom filter: so many bits for each, of which so many are set. Where one of a
 * customer's bits is not set, it is not there; one mark in a thousand has them all by chance.
 */
const BITS_OF_CUSTOMER = 14
const BITS_SET = 10

/** What an address is known by. PostgreSQL makes it of rows and of what is looked for, so that both are the same to it. */
const hashOf = (address: Fragment): Fragment => sql`md5(lower(${address}))`

/** A customer's bits are at `first`, `first + step` and so on, over and over the filter. */
const placesOf = (hash: string): { readonly first: number; readonly step: number } => ({
  first: Number.parseInt(hash.slice(0, 8), 16),
  step: Number.parseInt(hash.slice(8, 16), 16),
})

function filterOf(hashes: readonly string[]): Buffer {
  const filter = Buffer.alloc(1 + Math.ceil((hashes.length * BITS_OF_CUSTOMER) / 8))
  for (const hash of hashes) {
    const { first, step } = placesOf(hash)
    for (let bit = 0; bit < BITS_SET; bit++) {
      const place = (first + bit * step) % (8 * filter.length)
      filter[place >> 3] = (filter[place >> 3] ?? 0) | (1 << (place & 7))
    }
  }
  return filter
}

/** The condition that all bits of a hash are set in a mark's customers; nearly always one of the first is not. */
function hasBits(hash: string): Fragment {
  const { first, step } = placesOf(hash)
  const isSet = (bit: number): Fragment =>
    sql`get_bit(customers, ${first + bit * step}::bigint % (8 * octet_length(customers))) = 1`
  return Array.from({ length: BITS_SET }, (_, bit) => isSet(bit)).reduce((all, one) => sql`${all} and ${one}`)
}

/** Notes with some marks, of merchants whose rows are together, which customers may be up to them; answers with how many. */
export async function noteCustomers<R extends OfCustomers>(
  tx: Tx,
  whose: Whose,
  { name, label }: LongTable<R>,
  limit: number,
): Promise<number> {
  // Whoever writes rows among these, or erases a customer, has changed the marks, or waits until it is noted.
  await lockMarks(tx)
  const found = await tx<(Mark & { readonly hashes: readonly string[] })[]>`
    select m.merchant_id, m.list, m.up_to, m.count, m.by_status, rows.hashes
      from (${someMarks(whose, label, sql`m.customers is null`, limit)}) m
     cross join lateral (
       select coalesce(array_agg(distinct ${hashOf(sql`t.customer_email`)}), '{}') as hashes
         from ${name} t
        where ${whose('t')} and t.merchant_id = m.merchant_id and t.id > m.after and t.id <= m.up_to) rows`
  const noted = found.map(({ hashes, ...mark }) => ({ ...mark, customers: filterOf(hashes) }))
  marks.update(tx, noted, ['customers'])
  return noted.length
}

/** Forgets which customers are among some rows of a merchant, whose addresses are written anew. */
export function forgetCustomers(tx: Tx, merchantId: bigint, list: string, ids: readonly bigint[]): void {
  // Whoever notes customers now does not see the new addresses yet.
  void lockMarks(tx)
  void tx`
    update list_mark
       set customers = null
     where merchant_id = ${merchantId} and list = ${list} and up_to = any(array(
       select (select min(up_to) from list_mark l where l.merchant_id = ${merchantId} and l.list = ${list} and l.up_to >= id)
         from unnest(${ids.map(String)}::bigint[]) id))`
}

/** Rows are looked for between marks only where no more than one mark in so many has a customer: who is everywhere is found at once. */
const EVERYWHERE = 10

/**
 * The condition that rows of a merchant are those of a customer who is rare, whatever the case of the address: by their ids, so
 * that what has nobody like it is not looked at. Undefined where marks do not tell that, or where more rows than so many are
 * behind the last of them, each of which is looked at.
 */
export async function isOfRareCustomer<R extends OfCustomers>(
  db: Db,
  { name, label }: LongTable<R>,
  merchantId: bigint,
  email: string,
  newRowsMax?: number,
): Promise<Fragment | undefined> {
  const [asked] = await db<{ hash: string }[]>`select ${hashOf(sql`${email}::text`)} as hash`
  const places = await db<{ after: bigint; upTo: bigint; mayHave: boolean }[]>`
    select after, up_to, customers is null or ${hasBits(asked?.hash ?? '')} as may_have
      from (${marksWithAfter(merchantId, label)}) marked
     order by up_to`
  const { upTo: marked } = places.at(-1) ?? BEGINNING
  const hasMore = async (rows: number): Promise<boolean> =>
    (
      await db`select from ${name} where merchant_id = ${merchantId} and id > ${marked} order by id offset ${rows} limit 1`
    ).count > 0
  const rare = places.filter(({ mayHave }) => mayHave)
  if (rare.length * EVERYWHERE >= places.length) return undefined
  if (newRowsMax !== undefined && (await hasMore(newRowsMax))) return undefined
  rare.push({ after: marked, upTo: ID_MAX, mayHave: true })
  const column = (key: 'after' | 'upTo'): readonly string[] => rare.map((place) => String(place[key]))
  return sql`id = any(array(
    select theirs.id
      from unnest(${column('after')}::bigint[], ${column('upTo')}::bigint[]) place (after, up_to)
     cross join lateral (
       select id from ${name}
        where merchant_id = ${merchantId} and id > place.after and id <= place.up_to
          and lower(customer_email) = lower(${email}) offset 0) theirs))`
}
