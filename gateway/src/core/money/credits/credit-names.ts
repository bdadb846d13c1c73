import { type Db, rowSet, type Tx } from '../../../platform/postgres/db.ts'
import { type Fragment, sql } from '../../../platform/postgres/sql.ts'
import { ofMerchants } from '../../../platform/postgres/table.ts'
import type { CreditOutcome } from '../../../rails/bank.ts'
import { ADAPTER } from '../../../rails/partners.ts'
import {
  type CreditName,
  claimNames,
  type NameHolders,
  NO_HOLDERS,
  nameKey,
  type ReportedCredit,
  selectHolders,
} from './name-directory.ts'

/** A decided credit: accepted if `reason` is null, otherwise sent back. */
export interface DecidedCredit extends ReportedCredit {
  readonly reason: string | null
}

/** The facts that are already stored about the credits of a batch. */
export interface Decisions {
  /** Earlier decisions, by merchant and reference. */
  readonly decided: ReadonlyMap<string, readonly DecidedCredit[]>
  /** The credits of any merchant that hold the batch's names; empty if all names were free. */
  readonly holders: NameHolders
}

const keyOf = (merchantId: bigint, railReference: string): string => `${merchantId} ${railReference}`

/** Returns the name of a credit as text, unique within a merchant. */
const textOf = ({ partner, bankCode, railReference }: CreditName): string =>
  partner === '' ? railReference : `${partner}/${bankCode}/${railReference}`

/**
 * Claims the names of credits for the transaction that receives them, and reads earlier decisions about them. Call it
 * under a lock that a duplicate has to wait for. A duplicate for another merchant waits for the name itself.
 */
export async function claimCredits(tx: Tx, credits: readonly ReportedCredit[]): Promise<Decisions> {
  // Both queries are sent together and run in this order, so the second one sees all that the holder of a name has
  // committed.
  const [holders, decided] = await Promise.all([claimNames(tx, credits), selectDecided(tx, credits)])
  return { decided, holders }
}

/** No earlier decisions, for money that we requested under our own references. */
export const NO_DECISIONS: Decisions = { decided: new Map(), holders: NO_HOLDERS }

/**
 * Reads earlier decisions. A credit is stored under its reference or, if another credit already has that reference,
 * under its whole name.
 */
async function selectDecided(db: Db | Tx, names: readonly CreditName[]): Promise<Decisions['decided']> {
  const byReference = await selectStored(db, names)
  const others = names.filter(({ merchantId, railReference }) => byReference.has(keyOf(merchantId, railReference)))
  const byName = await selectStored(
    db,
    others.map((name) => ({ merchantId: name.merchantId, railReference: textOf(name) })),
  )
  return new Map([...byReference, ...byName])
}

/**
 * Selects the decided credits of all features: accepted if the reason is null, otherwise sent back. This is the view
 * `arrived_money`, restricted to the merchants of a batch.
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

async function selectStored(
  db: Db | Tx,
  keys: readonly Pick<CreditName, 'merchantId' | 'railReference'>[],
): Promise<Decisions['decided']> {
  if (keys.length === 0) return new Map()
  const rows = await db<DecidedCredit[]>`
    select a.merchant_id, a.rail_reference, a.partner, a.bank_code, a.account_number, a.amount, a.reason
      from json_to_recordset(${rowSet(keys, ['merchantId', 'railReference'])}::text::json) as k (merchant_id bigint, rail_reference text)
     cross join lateral (
       select * from ${arrivedMoney(keys)} m
        where m.merchant_id = k.merchant_id and m.rail_reference = k.rail_reference
       offset 0) a`
  return byReferenceOf(rows)
}

const byReferenceOf = (decided: readonly DecidedCredit[]): Decisions['decided'] =>
  Map.groupBy(decided, ({ merchantId, railReference }) => keyOf(merchantId, railReference))

/** Claims the names of credits like `claimCredits`, for a caller that has already read the earlier decisions. */
export const claimDecided = async (
  tx: Tx,
  credits: readonly ReportedCredit[],
  decided: readonly DecidedCredit[],
): Promise<Decisions> => ({ decided: byReferenceOf(decided), holders: await claimNames(tx, credits) })

/** The credits known so far while a batch is being decided. */
export interface Memory {
  /** Returns the response to a repeated or contradicting credit; undefined if it is new. */
  readonly earlierDecision: (reported: ReportedCredit) => Decided | undefined
  /** Returns the reference to store a new credit under: its own, or its whole name if another credit has that one. */
  readonly referenceFor: (reported: ReportedCredit) => string
  /** Remembers the decision about a new credit. */
  readonly remember: (reported: ReportedCredit, reason: string | null) => void
}

/**
 * Distinguishes new credits from repeats and conflicts. A repeat has the same name, account and amount, and gets the
 * same response, even if the account has a new owner since. A credit with the same name but other facts is a conflict.
 */
export function openMemory({ decided, holders }: Decisions): Memory {
  const known = new Map(decided)
  const referenceFor = (reported: ReportedCredit): string =>
    known.has(keyOf(reported.merchantId, reported.railReference)) ? textOf(reported) : reported.railReference
  return {
    referenceFor,
    earlierDecision: (reported) => {
      const namesakes = namesakesOf(known, reported)
      if (namesakes.length > 0) {
        const same = namesakes.find((one) => isSameCredit(one, reported))
        return same === undefined ? { kind: 'conflict' } : { ...outcomeOf(same.reason), isRepeat: true }
      }
      // Nearly every name is free.
      const nameHolder = holders.size === 0 ? undefined : holders.get(nameKey(reported))
      if (
        nameHolder === undefined ||
        (nameHolder.isNew && nameHolder.merchantId === reported.merchantId && isSameCredit(nameHolder, reported))
      )
        return undefined
      return isSameCredit(nameHolder, reported)
        ? { ...outcomeOf(nameHolder.reason), isRepeat: true, owner: nameHolder.merchantId }
        : { kind: 'conflict' }
    },
    remember: (reported, reason) => {
      const key = keyOf(reported.merchantId, referenceFor(reported))
      known.set(key, [...(known.get(key) ?? []), { ...reported, reason }])
    },
  }
}

const isSameCredit = (
  one: Pick<ReportedCredit, 'accountNumber' | 'amount'>,
  other: Pick<ReportedCredit, 'accountNumber' | 'amount'>,
): boolean => one.accountNumber === other.accountNumber && one.amount === other.amount

/** Returns a merchant's earlier decisions about credits with exactly this name. */
function namesakesOf(known: Decisions['decided'], reported: ReportedCredit): readonly DecidedCredit[] {
  const { merchantId, railReference } = reported
  const name = textOf(reported)
  const byReference = known.get(keyOf(merchantId, railReference)) ?? NONE
  const byName = name === railReference ? NONE : (known.get(keyOf(merchantId, name)) ?? NONE)
  // Nearly every credit is new.
  if (byReference === NONE && byName === NONE) return NONE
  return [...byReference, ...byName].filter((one) => hasSameName(one, reported))
}

const NONE: readonly DecidedCredit[] = []

/** Finds the earlier credits with the same name as this one, to show them to an operator. */
export async function earlierCredits(
  db: Db,
  reported: ReportedCredit,
): Promise<readonly Pick<DecidedCredit, 'accountNumber' | 'amount' | 'reason'>[]> {
  const own = namesakesOf(await selectDecided(db, [reported]), reported)
  return own.length > 0 ? own : [...(await selectHolders(db, [reported])).values()]
}

/** Returns the references under which a merchant may have stored a credit that a partner reported with this one. */
export const storedReferences = (partner: string, railReference: string, bankCodes: Iterable<string>): string[] => [
  railReference,
  ...[...bankCodes].flatMap((bankCode) =>
    [partner, ADAPTER].map((reporter) => nameKey({ partner: reporter, bankCode, railReference })),
  ),
]

/**
 * The partner in credits that are older than partner codes: the single adapter, or an empty text in the oldest ones.
 */
const ANY_PARTNER = new Set(['', ADAPTER])

/**
 * Whether two credits with the same reference have the same name. A credit from before partners had codes matches any
 * partner.
 */
const hasSameName = (known: ReportedCredit, reported: ReportedCredit): boolean =>
  known.accountNumber === null || reported.accountNumber === null
    ? known.accountNumber === reported.accountNumber
    : known.bankCode === reported.bankCode && (ANY_PARTNER.has(known.partner) || known.partner === reported.partner)

/** A decision about a credit: whether it repeats an earlier one, and for which merchant that was. */
export type Decided = CreditOutcome & { readonly isRepeat?: true; readonly owner?: bigint }

/** Returns the response for a credit: accepted, unless there is a reason for rejecting it. */
export const outcomeOf = (reason: string | null): CreditOutcome =>
  reason === null ? { kind: 'accepted' } : { kind: 'rejected', reason }
