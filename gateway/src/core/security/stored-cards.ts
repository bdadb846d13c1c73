import type { Db, Tx } from '../../platform/db.ts'

/** Takes the cards that were put on file for some addresses, in lower case, off it, with their numbers; answers how many. */
export async function forgetCards(tx: Tx, merchantId: bigint, emails: readonly string[]): Promise<number> {
  const { count } = await tx`
    delete from vault.card_on_file where merchant_id = ${merchantId} and lower(customer_email) = any(${emails}::text[])`
  return count
}

/** A month, as cards name it. */
export interface CardMonth {
  readonly year: string
  readonly month: string
}

/** Takes cards off file that expired before a month; answers how many. Their tokens could charge nothing any more. */
export async function forgetCardsBefore(db: Db, { year, month }: CardMonth, limit: number): Promise<number> {
  const { count } = await db`
    -- over all merchants: what is due
    delete from vault.card_on_file
     where (merchant_id, token) in (
       select merchant_id, token from vault.card_on_file where (expiry_year, expiry_month) < (${year}, ${month}) limit ${limit})`
  return count
}
