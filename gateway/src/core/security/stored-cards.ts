import type { Db, Tx } from '../../platform/postgres/db.ts'

/** Deletes the stored cards of these email addresses (given in lower case); returns how many. */
export async function deleteCards(tx: Tx, merchantId: bigint, emails: readonly string[]): Promise<number> {
  const { count } = await tx`
    delete from vault.card_on_file where merchant_id = ${merchantId} and lower(customer_email) = any(${emails}::text[])`
  return count
}

export function deleteAllCards(tx: Tx, merchantId: bigint): void {
  void tx`delete from vault.card_on_file where merchant_id = ${merchantId}`
}

/** A stored card without its number. */
export interface SavedCard {
  readonly token: string
  readonly expiryMonth: string
  readonly expiryYear: string
  readonly createdAt: Date
}

/** Reads a customer's stored cards, newest first. */
export const selectSavedCards = (
  db: Db,
  merchantId: bigint,
  customerEmail: string,
  limit: number,
): Promise<SavedCard[]> =>
  db<SavedCard[]>`
    select token, expiry_month, expiry_year, created_at from vault.card_on_file
     where merchant_id = ${merchantId} and lower(customer_email) = lower(${customerEmail})
     order by created_at desc
     limit ${limit}`

export interface CardMonth {
  readonly year: string
  readonly month: string
}

/** Deletes cards that expired before a month; returns how many. Their tokens were already useless. */
export async function deleteCardsBefore(db: Db, { year, month }: CardMonth, limit: number): Promise<number> {
  const { count } = await db`
    -- over all merchants: due work
    delete from vault.card_on_file
     where (merchant_id, token) in (
       select merchant_id, token from vault.card_on_file where (expiry_year, expiry_month) < (${year}, ${month}) limit ${limit})`
  return count
}
