import type { Kobo } from '../../../kernel/money.ts'
import { type Db, rowSet, type Tx } from '../../../platform/db.ts'
import { type Fragment, sql } from '../../../platform/sql.ts'
import { ofMerchants } from '../../../platform/table.ts'
import type { CreditOutcome } from '../../../rails/bank.ts'
import { ADAPTER } from '../../../rails/partners.ts'

/** What names money that arrives: partners, and the banks behind one, number what they tell each for themselves. */
export interface MoneyName {
  readonly merchantId: bigint
  /** Who told of it; empty where we asked for it, under a reference of our own. */
  readonly partner: string
  /** Where it arrived; null where it arrived on no account number. */
  readonly bankCode: string | null
  readonly railReference: string
}

/** Money as it was told of. */
export interface ToldMoney extends MoneyName {
  readonly accountNumber: string | null
  readonly amount: Kobo
}

/** Money about which was decided: it was kept where there is no reason, else sent back. */
export interface DecidedMoney extends ToldMoney {
  readonly reason: string | null
}

/** What was decided before, by merchant and reference. */
export type Decisions = ReadonlyMap<string, readonly DecidedMoney[]>

const keyOf = (merchantId: bigint, railReference: string): string => `${merchantId} ${railReference}`

/** A name as text, unique for its merchant. */
const textOf = ({ partner, bankCode, railReference }: MoneyName): string =>
  partner === '' ? railReference : `${partner}/${bankCode}/${railReference}`

/**
 * What was decided before about money of these names. Asked under a lock that a twin elsewhere would wait for. Money is kept
 * under its reference; where that is another's, which is nearly never, under its whole name.
 */
export async function selectDecisions(db: Db | Tx, names: readonly MoneyName[]): Promise<Decisions> {
  const byReference = await selectKept(db, names)
  const others = names.filter(({ merchantId, railReference }) => byReference.has(keyOf(merchantId, railReference)))
  const byName = await selectKept(
    db,
    others.map((name) => ({ merchantId: name.merchantId, railReference: textOf(name) })),
  )
  return new Map([...byReference, ...byName])
}

/**
 * All money that was told of and decided about, whoever received it: kept where the reason is null, else sent back. It is the
 * view `arrived_money`, with the merchants of a set.
 */
const arrivedMoney = (keys: readonly object[]): Fragment => sql`(
  select merchant_id, rail_reference, partner, bank_code, account_number, amount, null::text as reason
    from payment where ${ofMerchants('payment', keys)}
  union all
  select merchant_id, rail_reference, partner, bank_code, account_number, amount, reason
    from rejected_payment where ${ofMerchants('rejected_payment', keys)}
  union all
  select merchant_id, rail_reference, partner, bank_code, account_number, amount, null::text
    from top_up where ${ofMerchants('top_up', keys)}
  union all
  select t.merchant_id, t.rail_reference, t.partner, m.token_bank_code, m.token_account_number, t.amount, t.reason
    from mandate_token t
    join mandate m on m.merchant_id = t.merchant_id and m.id = t.mandate_id
   where ${ofMerchants('t', keys)} and ${ofMerchants('m', keys)})`

async function selectKept(
  db: Db | Tx,
  keys: readonly Pick<MoneyName, 'merchantId' | 'railReference'>[],
): Promise<Decisions> {
  if (keys.length === 0) return new Map()
  const rows = await db<DecidedMoney[]>`
    select a.merchant_id, a.rail_reference, a.partner, a.bank_code, a.account_number, a.amount, a.reason
      from json_to_recordset(${rowSet(keys, ['merchantId', 'railReference'])}::text::json) as k (merchant_id bigint, rail_reference text)
     cross join lateral (
       select * from ${arrivedMoney(keys)} m
        where m.merchant_id = k.merchant_id and m.rail_reference = k.rail_reference
       offset 0) a`
  return decisionsOf(rows)
}

/** Decisions that were read, so that they can be looked up. */
export const decisionsOf = (decided: readonly DecidedMoney[]): Decisions =>
  Map.groupBy(decided, ({ merchantId, railReference }) => keyOf(merchantId, railReference))

/** What is known of money that arrived, while a set of it is decided about. */
export interface Memory {
  /** The answer to money that was told of before, or that contradicts what was; undefined where it is new. */
  readonly answerTo: (told: ToldMoney) => Decided | undefined
  /** The reference under which new money is kept: its own, or its whole name where other money has that. */
  readonly referenceFor: (told: ToldMoney) => string
  /** Remembers what was decided about new money. */
  readonly remember: (told: ToldMoney, reason: string | null) => void
}

/**
 * Tells new money from a repeat and from a conflict, for all who receive some. A repeat has the same name, account and amount,
 * and gets the answer it got then; what has the same name and is otherwise different money is a conflict.
 */
export function openMemory(decisions: Decisions): Memory {
  const known = new Map(decisions)
  const referenceFor = (told: ToldMoney): string =>
    known.has(keyOf(told.merchantId, told.railReference)) ? textOf(told) : told.railReference
  return {
    referenceFor,
    answerTo: (told) => {
      const namesakes = namesakesOf(known, told)
      if (namesakes.length === 0) return undefined
      const same = namesakes.find((one) => one.accountNumber === told.accountNumber && one.amount === told.amount)
      return same === undefined ? { kind: 'conflict' } : { ...outcomeOf(same.reason), isRepeat: true }
    },
    remember: (told, reason) => {
      const key = keyOf(told.merchantId, referenceFor(told))
      known.set(key, [...(known.get(key) ?? []), { ...told, reason }])
    },
  }
}

/** What was decided before about money of this very name. */
export function namesakesOf(known: Decisions, told: ToldMoney): readonly DecidedMoney[] {
  const { merchantId, railReference } = told
  const name = textOf(told)
  const byReference = known.get(keyOf(merchantId, railReference)) ?? NONE
  const byName = name === railReference ? NONE : (known.get(keyOf(merchantId, name)) ?? NONE)
  // Nearly always it is new.
  if (byReference === NONE && byName === NONE) return NONE
  return [...byReference, ...byName].filter((one) => isNamedAlike(one, told))
}

const NONE: readonly DecidedMoney[] = []

/** Before partners had names, money was told by the one adapter, whoever that was; before that it was not written down. */
const ANYONES = new Set(['', ADAPTER])

/** Whether two pieces of money with one reference have one name. What came before partners had names may be anyone's. */
const isNamedAlike = (known: ToldMoney, told: ToldMoney): boolean =>
  known.accountNumber === null || told.accountNumber === null
    ? known.accountNumber === told.accountNumber
    : known.bankCode === told.bankCode && (ANYONES.has(known.partner) || known.partner === told.partner)

/** What a receiver decided about money, and whether that was when it was told of before. */
export type Decided = CreditOutcome & { readonly isRepeat?: true }

/** What money is answered with, by the reason for which it was not taken. */
export const outcomeOf = (reason: string | null): CreditOutcome =>
  reason === null ? { kind: 'accepted' } : { kind: 'rejected', reason }
