import type { Kobo } from '../../kernel/money.ts'
import { type Db, rowSet, type Tx, updateProven } from '../../platform/db.ts'
import { type Fragment, sql } from '../../platform/sql.ts'
import type { TransactionKey, TransactionRow } from '../transactions/index.ts'
import type { CardSketch } from './card.ts'
import type { AttemptStatus } from './machine.ts'

/** A try to charge a card for a transaction. */
export interface AttemptRow {
  readonly merchantId: bigint
  readonly transactionId: bigint
  readonly number: number
  readonly reference: string
  readonly status: AttemptStatus
  readonly amount: Kobo
  readonly channel: 'API_NOTIFICATION' | 'WEB_SDK'
  readonly fingerprint: string
  readonly card: CardSketch
  readonly cardToken: string | null
  readonly otpTries: number
  readonly acsUrl: string | null
  readonly acsMethod: 'GET' | 'POST' | null
  readonly reason: string | null
  readonly heldNumber: string | null
  readonly openedAt: Date
  readonly settledAt: Date | null
  readonly askAt: Date | null
}

export async function insertAttempts(tx: Tx, rows: readonly AttemptRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx`insert into card_attempt select * from json_populate_recordset(null::card_attempt, ${rowSet(rows)}::text::json)`
}

/** A transaction, and what must be known to charge a card for it. */
export interface Chargeable extends TransactionRow {
  readonly wasTried: boolean
  /** How often the card was declined of late. */
  readonly declines: bigint
}

/** Reads transactions that cards are to be charged for, without a lock. Those that do not exist are left out. */
export const selectChargeable = (
  db: Db,
  wishes: readonly (TransactionKey & { readonly fingerprint: string })[],
  declinesSince: Date,
  declinesMax: number,
): Promise<Chargeable[]> =>
  db<Chargeable[]>`
    select t.*, declined.count as declines,
           exists (select from card_attempt a where a.merchant_id = t.merchant_id and a.transaction_id = t.id) as was_tried
      from json_to_recordset(${rowSet(wishes, ['merchantId', 'id', 'fingerprint'])}::text::json)
           as k (merchant_id bigint, id bigint, fingerprint text)
     cross join lateral (select * from transaction where merchant_id = k.merchant_id and id = k.id limit 1) t
     cross join lateral (${countOfDeclines(declinesSince, declinesMax)}) declined`

const countOfDeclines = (since: Date, max: number): Fragment => sql`
       select count(*) from (
         select from card_attempt a
          where a.merchant_id = k.merchant_id and a.fingerprint = k.fingerprint and a.status = 'DECLINED'
            and a.opened_at > ${since}
          limit ${max}) recent`

/** All attempts of some transactions, oldest first. */
export const selectAttempts = (db: Db | Tx, keys: readonly TransactionKey[]): Promise<AttemptRow[]> =>
  db<AttemptRow[]>`
    select a.*
      from (select distinct merchant_id, id
              from json_to_recordset(${rowSet(keys, ['merchantId', 'id'])}::text::json) as k (merchant_id bigint, id bigint)) k
     cross join lateral (
       select * from card_attempt where merchant_id = k.merchant_id and transaction_id = k.id offset 0) a
     order by a.merchant_id, a.transaction_id, a.number`

/** The attempt that an issuer's page is about. The page knows no merchant. */
export async function findChallenged(db: Db, reference: string): Promise<AttemptRow | undefined> {
  const [row] = await db<
    AttemptRow[]
  >`select * from card_attempt where reference = ${reference} and acs_url is not null`
  return row
}

const CHANGING = [
  'merchantId',
  'transactionId',
  'number',
  'status',
  'otpTries',
  'acsUrl',
  'acsMethod',
  'reason',
  'heldNumber',
  'settledAt',
  'askAt',
] as const

const changing = (rows: readonly AttemptRow[]): Fragment => sql`
    update card_attempt a
       set status = c.status, otp_tries = c.otp_tries, acs_url = c.acs_url, acs_method = c.acs_method, reason = c.reason,
           held_number = c.held_number, settled_at = c.settled_at, ask_at = c.ask_at
      from json_populate_recordset(null::card_attempt, ${rowSet(rows, CHANGING)}::text::json) c
     where a.merchant_id = c.merchant_id and a.transaction_id = c.transaction_id and a.number = c.number`

/** Writes what may change of attempts. Their transactions are locked. */
export async function updateAttempts(tx: Tx, rows: readonly AttemptRow[]): Promise<void> {
  if (rows.length > 0) await tx`${changing(rows)}`
}

/** The same without a lock, for attempts of which nothing was heard. Where something was, the transaction fails as outdated. */
export const updateUnheard = (tx: Tx, rows: readonly AttemptRow[]): void =>
  updateProven(tx, rows.length, sql`${changing(rows)} and a.status = 'CHARGING'`)

/** How often cards were declined since a time, up to a bound: by merchant and fingerprint, those without any left out. */
export async function countDeclines(
  tx: Tx,
  cards: readonly { readonly merchantId: bigint; readonly fingerprint: string }[],
  since: Date,
  max: number,
): Promise<ReadonlyMap<string, number>> {
  const rows = await tx<{ fingerprint: string; count: bigint }[]>`
    select k.fingerprint, declined.count
      from (select distinct merchant_id, fingerprint
              from json_to_recordset(${rowSet(cards, ['merchantId', 'fingerprint'])}::text::json)
                   as k (merchant_id bigint, fingerprint text)) k
     cross join lateral (${countOfDeclines(since, max)}) declined
     where declined.count > 0`
  return new Map(rows.map(({ fingerprint, count }) => [fingerprint, Number(count)]))
}

/** Takes attempts that the network is to be asked about; until `nextAskAt` nobody else takes them. */
export const takeDueAttempts = (tx: Tx, at: Date, nextAskAt: Date, limit: number): Promise<AttemptRow[]> =>
  tx<AttemptRow[]>`
    update card_attempt a
       set ask_at = ${nextAskAt}
      from (select merchant_id, transaction_id, number
              from card_attempt
             where ask_at <= ${at}
             order by ask_at
             limit ${limit}
               for update skip locked) due
     where a.merchant_id = due.merchant_id and a.transaction_id = due.transaction_id and a.number = due.number
    returning a.*`

export async function nextAttemptDue(db: Db): Promise<Date | undefined> {
  const [row] = await db<{ due: Date | null }[]>`select min(ask_at) as due from card_attempt where ask_at is not null`
  return row?.due ?? undefined
}
