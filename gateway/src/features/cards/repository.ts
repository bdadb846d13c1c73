import type { Kobo } from '../../kernel/money.ts'
import { columnsOf, type Db, rowSet, type Tx } from '../../platform/postgres/db.ts'
import { type Fragment, sql } from '../../platform/postgres/sql.ts'
import { column, ofMerchants, type Row, table } from '../../platform/postgres/table.ts'
import type { TransactionKey } from '../transactions/index.ts'
import type { MaskedCard } from './card.ts'
import type { Consent } from './consent.ts'
import type { AttemptStatus } from './machine.ts'

/** An attempt to charge a card for a transaction. */
export const attempts = table('card_attempt', ['merchantId', 'transactionId', 'number'], {
  merchantId: column<bigint>('bigint'),
  transactionId: column<bigint>('bigint'),
  /** The number of this charge within the transaction, from 1. */
  number: column<number>('smallint'),
  /** Our reference: each charge has its own. */
  reference: column<string>('text'),
  /** The order that sends it to the network. */
  orderId: column<bigint>('bigint'),
  status: column<AttemptStatus>('text'),
  amount: column<Kobo>('bigint'),
  channel: column<'API_NOTIFICATION' | 'WEB_SDK'>('text'),
  fingerprint: column<string>('text'),
  card: column<MaskedCard>('json'),
  /** Set if a stored card is charged. */
  cardToken: column<string | null>('text'),
  otpTries: column<number>('smallint'),
  /** The hash of the last attempted OTP. */
  otpHash: column<string | null>('text'),
  acsUrl: column<string | null>('text'),
  acsMethod: column<'GET' | 'POST' | null>('text'),
  /** Why it was declined, or why its money goes back. */
  reason: column<string | null>('text'),
  /** The card's number, encrypted, during a challenge. */
  heldNumber: column<string | null>('text'),
  /** Whether the card may be stored, and on what consent. */
  consent: column<Consent>('text'),
  openedAt: column<Date>('timestamptz'),
  settledAt: column<Date | null>('timestamptz'),
})
export type AttemptRow = Row<typeof attempts>

/** Writes new attempts. If another process has opened one of them meanwhile, the database transaction fails. */
export const insertAttempts = (tx: Tx, rows: readonly AttemptRow[]): void => attempts.insert(tx, rows)

/** A transaction to charge a card for. */
export interface Charging extends TransactionKey {
  readonly fingerprint: string
}

/** Whether a transaction has earlier attempts, and how often its card was declined. */
export interface EarlierAttempts {
  readonly merchantId: bigint
  readonly transactionId: bigint
  readonly wasTried: boolean
  /** Recent declines of the card. */
  readonly declines: bigint
}

/**
 * Reads the earlier attempts of each transaction, without a lock. It does not use `exists`: as long as PostgreSQL
 * believes that the table is small, it would hash the whole table for every batch.
 */
export const selectEarlierAttempts = (
  tx: Tx,
  charging: readonly Charging[],
  declinesSince: Date,
  declinesMax: number,
): Promise<EarlierAttempts[]> => {
  const { merchantId, id, fingerprint } = columnsOf(charging, 'merchantId', 'id', 'fingerprint')
  return tx<EarlierAttempts[]>`
    select k.merchant_id, k.id as transaction_id, declined.count as declines, tried.number is not null as was_tried
      from unnest(${merchantId}::bigint[], ${id}::bigint[], ${fingerprint}::text[]) as k (merchant_id, id, fingerprint)
      left join lateral (
        select a.number from card_attempt a
         where ${ofMerchants('a', charging)} and a.merchant_id = k.merchant_id and a.transaction_id = k.id limit 1) tried on true
     cross join lateral (${countOfDeclines(charging, declinesSince, declinesMax)}) declined`
}

const countOfDeclines = (charging: readonly object[], since: Date, max: number): Fragment => sql`
       select count(*) from (
         select from card_attempt a
          where ${ofMerchants('a', charging)} and a.merchant_id = k.merchant_id and a.fingerprint = k.fingerprint
            and a.status = 'DECLINED' and a.opened_at > ${since}
          limit ${max}) recent`

/** Reads all attempts of some transactions, oldest first. */
export const selectAttempts = async (db: Db | Tx, keys: readonly TransactionKey[]): Promise<readonly AttemptRow[]> =>
  keys.length === 0
    ? []
    : db<AttemptRow[]>`
    select ${attempts.of('a')}
      from (select distinct merchant_id, id
              from json_to_recordset(${rowSet(keys, ['merchantId', 'id'])}::text::json) as k (merchant_id bigint, id bigint)) k
     cross join lateral (
       select ${attempts.columns} from card_attempt t
        where ${ofMerchants('t', keys)} and t.merchant_id = k.merchant_id and t.transaction_id = k.id offset 0) a
     order by a.merchant_id, a.transaction_id, a.number`

/** Finds the attempt of an issuer's page. */
export async function findChallenged(db: Db, reference: string): Promise<AttemptRow | undefined> {
  const [row] = await db<AttemptRow[]>`
    -- over all merchants: the page knows none
    select ${attempts.columns} from card_attempt where reference = ${reference} and acs_url is not null`
  return row
}

const CHANGING = ['status', 'otpTries', 'otpHash', 'acsUrl', 'acsMethod', 'reason', 'heldNumber', 'settledAt'] as const

/** Writes the changeable columns. The caller has locked the transactions of the attempts. */
export const updateAttempts = (tx: Tx, rows: readonly AttemptRow[]): void => attempts.update(tx, rows, CHANGING)

/**
 * Writes the changeable columns of attempts that were read without a lock as CHARGING. If one of them is no longer
 * CHARGING, the database transaction fails as outdated.
 */
export const updateCharging = (tx: Tx, rows: readonly AttemptRow[]): void =>
  attempts.updateUnchanged(tx, rows, CHANGING, sql`t.status = 'CHARGING'`)

/** Counts the declines of cards since the given time, up to a limit, by fingerprint. Leaves out cards without any. */
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
     cross join lateral (${countOfDeclines(cards, since, max)}) declined
     where declined.count > 0`
  return new Map(rows.map(({ fingerprint, count }) => [fingerprint, Number(count)]))
}
