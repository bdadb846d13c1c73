import { invariant } from '../../../kernel/errors.ts'
import { type Kobo, ZERO } from '../../../kernel/money.ts'
import type { Db, Tx } from '../../../platform/postgres/db.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import { column, type Row, table } from '../../../platform/postgres/table.ts'
import type { CreditOutcome, InboundCredit } from '../../../rails/bank.ts'
import type { Keyring } from '../../security/keyring.ts'
import { sealedColumn } from '../../security/sealed-column.ts'
import type { UnitOfWork } from '../../unit-of-work.ts'
import { outcomeOf } from './credit-names.ts'

/**
 * OPEN: needs a decision. TAKING: accepted by operators, and about to be received as a credit. DISMISSED: can still be
 * accepted. TAKEN and REFUSED are final.
 */
export type ConflictState = 'OPEN' | 'TAKING' | 'TAKEN' | 'REFUSED' | 'DISMISSED'

/** Credits that contradict an earlier credit with the same reference. A person decides about each of them. */
const conflicts = table('credit_conflict', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  partner: column<string>(),
  bankCode: column<string>(),
  railReference: column<string>(),
  accountNumber: column<string>(),
  amount: column<Kobo>(),
  payerName: column<string | null>(),
  payerAccountNumber: column<string | null>(),
  payerBankCode: column<string | null>(),
  payerBvn: column<Buffer | null>(),
  narration: column<string | null>(),
  /** Whether we return the money ourselves if the account rejects the credit. */
  returnedByUs: column<boolean>(),
  toldAt: column<Date>(),
  /** The purpose and the owner of the account number when the credit was reported; null for older conflicts. */
  purpose: column<string | null>(),
  ownerId: column<bigint | null>(),
  /** The partner's deductions, if reported. */
  fee: column<Kobo | null>(),
  vat: column<Kobo | null>(),
  state: column<ConflictState>(),
  /** Why the account rejected the credit, or why a person dismissed it. */
  reason: column<string | null>(),
})
export type ConflictRow = Row<typeof conflicts>

const REPORTED = ['railReference', 'bankCode', 'partner', 'accountNumber', 'amount'] as const
const UNIQUE = sql`(merchant_id, rail_reference, bank_code, partner, account_number, amount)`
const SHOWN_MAX = 1_000

const bvnContext = ({ merchantId, id }: Pick<ConflictRow, 'merchantId' | 'id'>): string =>
  `credit-conflict/${merchantId}/${id}/bvn`

export const sealedConflicts = [sealedColumn('records', conflicts, 'payerBvn', bvnContext)]

/** A credit that contradicts an earlier one, with the owner of its account number. */
export type ConflictingCredit = InboundCredit & {
  readonly merchantId: bigint
  readonly purpose: string
  readonly ownerId: bigint
}

/**
 * Stores each contradicting credit once, however often it is reported. Returns the responses for the partners and the
 * number of new conflicts. If operators have accepted the conflict since, the response is that of an accepted credit.
 */
export async function storeConflicts(
  unit: UnitOfWork,
  keyring: Keyring,
  reported: readonly ConflictingCredit[],
): Promise<{ readonly outcomes: readonly CreditOutcome[]; readonly fresh: number }> {
  if (reported.length === 0) return { outcomes: [], fresh: 0 }
  const { tx } = unit
  const rows = reported.map((credit) => newConflict(unit, keyring, credit))
  // The conflict may be stored under another merchant, if the account number has a new owner since.
  const known = new Set((await selectReported(tx, rows)).map(reportKey))
  const fresh = await conflicts.insertNew(
    tx,
    rows.filter((row) => !known.has(reportKey(row))),
    UNIQUE,
  )
  const stored = await selectReported(tx, rows)
  const outcomes = new Map(stored.map((conflict) => [reportKey(conflict), earlierDecision(conflict)]))
  return {
    outcomes: rows.map((row) => {
      const outcome = outcomes.get(reportKey(row))
      invariant(outcome !== undefined, 'a conflict is stored')
      return outcome
    }),
    fresh,
  }
}

/** Selects the stored conflicts that equal these reports. */
const selectReported = (tx: Tx, rows: readonly ConflictRow[]): Promise<ConflictRow[]> =>
  // Over all merchants: conflicts are few.
  tx<ConflictRow[]>`
    select ${conflicts.of('c')}
      from ${conflicts.set(rows, REPORTED)} k
      join credit_conflict c using (rail_reference, bank_code, partner, account_number, amount)
     order by c.id desc`

const reportKey = (row: ConflictRow): string => REPORTED.map((name) => String(row[name])).join(' ')

function earlierDecision({ state, reason, returnedByUs }: ConflictRow): CreditOutcome {
  if (state === 'TAKEN') return outcomeOf(null)
  if (state !== 'REFUSED' || reason === null) return { kind: 'conflict' }
  return returnedByUs ? { kind: 'held', reason } : outcomeOf(reason)
}

function newConflict(
  { ids, at }: UnitOfWork,
  keyring: Keyring,
  { merchantId, purpose, ownerId, payer, ...credit }: ConflictingCredit,
): ConflictRow {
  const key = { merchantId, id: ids.id() }
  return {
    ...key,
    partner: credit.partner,
    bankCode: credit.bankCode,
    railReference: credit.railReference,
    accountNumber: credit.accountNumber,
    amount: credit.amount,
    payerName: payer.name,
    payerAccountNumber: payer.accountNumber,
    payerBankCode: payer.bankCode,
    payerBvn: payer.bvn === null ? null : keyring.seal(payer.bvn, bvnContext(key)),
    narration: credit.narration ?? null,
    returnedByUs: credit.sentBackBy !== 'partner',
    toldAt: at,
    purpose,
    ownerId,
    fee: credit.cost?.fee ?? null,
    vat: credit.cost?.vat ?? null,
    state: 'OPEN',
    reason: null,
  }
}

const takenReference = ({ railReference, id }: Pick<ConflictRow, 'railReference' | 'id'>): string =>
  `${railReference}~${id}`

/**
 * Replaces the new reference of an accepted conflict with the bank's reference. Other references are returned
 * unchanged.
 */
export const referenceBehind = (railReference: string): string => railReference.replace(/~\d{16,19}$/, '')

/**
 * Turns an accepted conflict into a credit with a new reference. The credit goes to the account number's owner at the
 * time of the report. Its session id is the bank's reference.
 */
export const creditOf = (keyring: Keyring, conflict: ConflictRow): InboundCredit => ({
  partner: conflict.partner,
  railReference: takenReference(conflict),
  sessionId: conflict.railReference,
  bankCode: conflict.bankCode,
  accountNumber: conflict.accountNumber,
  amount: conflict.amount,
  payer: {
    name: conflict.payerName,
    accountNumber: conflict.payerAccountNumber,
    bankCode: conflict.payerBankCode,
    bvn: conflict.payerBvn === null ? null : keyring.open(conflict.payerBvn, bvnContext(conflict)),
  },
  narration: conflict.narration,
  cost: conflict.fee === null ? undefined : { fee: conflict.fee, vat: conflict.vat ?? ZERO },
  sentBackBy: conflict.returnedByUs ? 'us' : 'partner',
  owner: {
    merchantId: conflict.merchantId,
    purpose: conflict.purpose,
    ownerId: conflict.ownerId,
    reportedAt: conflict.toldAt,
  },
})

/** Selects conflicts that need a decision or are about to be received, oldest first. */
export const selectConflicts = (db: Db): Promise<ConflictRow[]> =>
  // Over all merchants: for the operator.
  db<ConflictRow[]>`
    select ${conflicts.columns} from credit_conflict where state in ('OPEN', 'TAKING') order by id limit ${SHOWN_MAX}`

/** Selects accepted conflicts that are about to be received, oldest first. */
export const selectTaking = (db: Db, limit: number): Promise<ConflictRow[]> =>
  // Over all merchants: due work.
  db<ConflictRow[]>`
    select ${conflicts.columns} from credit_conflict where state = 'TAKING' order by id limit ${limit}`

/** Accepts a conflict, so that it is received as a separate credit; returns undefined if it cannot be accepted. */
export const takeConflict = (tx: Tx, id: bigint): Promise<ConflictRow | undefined> =>
  move(tx, id, ['OPEN', 'DISMISSED'], 'TAKING', null)

/** Dismisses a conflict because there is no such money; returns undefined if it cannot be dismissed. */
export const dismissConflict = (tx: Tx, id: bigint, reason: string): Promise<ConflictRow | undefined> =>
  move(tx, id, ['OPEN'], 'DISMISSED', reason)

/** Stores the outcome of a conflict that was received as a credit. */
export const endTaking = (tx: Tx, { id }: ConflictRow, rejected: string | null): Promise<ConflictRow | undefined> =>
  move(tx, id, ['TAKING'], rejected === null ? 'TAKEN' : 'REFUSED', rejected)

async function move(
  tx: Tx,
  id: bigint,
  from: readonly ConflictState[],
  to: ConflictState,
  reason: string | null,
): Promise<ConflictRow | undefined> {
  // Over all merchants: for the operator, who knows a conflict by its id.
  const [row] = await tx<ConflictRow[]>`
    update credit_conflict set state = ${to}, reason = ${reason}
     where id = ${id} and state = any(${from}::text[])
    returning ${conflicts.columns}`
  return row
}

/** Selects the new references of those accepted conflicts that a partner reported with this reference. */
export async function selectTakenReferences(db: Db, partner: string, railReference: string): Promise<string[]> {
  // Over all merchants: conflicts are few.
  const rows = await db<{ id: bigint }[]>`
    select id from credit_conflict
     where partner = ${partner} and rail_reference = ${railReference} and state = 'TAKEN' limit ${SHOWN_MAX}`
  return rows.map((row) => takenReference({ ...row, railReference }))
}

/** Counts the conflicts in the states OPEN and TAKING. OPEN is always present. */
export async function countConflicts(db: Db): Promise<ReadonlyMap<string, number>> {
  // Over all merchants: for the operator.
  const rows = await db<{ state: ConflictState; count: bigint }[]>`
    select state, count(*) from credit_conflict where state in ('OPEN', 'TAKING') group by state`
  return new Map([['OPEN', 0], ...rows.map(({ state, count }) => [state, Number(count)] as const)])
}
