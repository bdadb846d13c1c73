import type { OperatorRole, Role } from '@kobo/contract'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { deleteBatch } from '../../platform/postgres/delete-in-batches.ts'
import { type Fragment, sql } from '../../platform/postgres/sql.ts'
import { column, type Row, table } from '../../platform/postgres/table.ts'
import { deleteIdentities } from './sign-on-repository.ts'

const people = table('person', ['id'], {
  id: column<bigint>(),
  email: column<string>(),
  emailKey: column<string>(),
  name: column<string>(),
  operatorRole: column<OperatorRole | null>(),
  createdAt: column<Date>(),
})
export type PersonRow = Row<typeof people>

const memberships = table('membership', ['merchantId', 'personId'], {
  merchantId: column<bigint>(),
  personId: column<bigint>(),
  role: column<Role>(),
  approves: column<boolean>(),
  createdAt: column<Date>(),
  /** The business time from which a new owner or approver can move money. */
  rightsFrom: column<Date | null>(),
  namedBy: column<bigint | null>(),
  /** The business time at which an owner, removed by another owner, leaves the team or gets the role `endsAs`. */
  endsAt: column<Date | null>(),
  endsAs: column<Role | null>(),
  endsAskedBy: column<bigint | null>(),
  /** The business time from which members may approve their own payouts; set when another approver is removed. */
  soleFrom: column<Date | null>(),
  /** The only till that a cashier sees, by the id of its reserved account. */
  tillId: column<bigint | null>(),
})
export type MembershipRow = Row<typeof memberships>

const sessions = table('session', ['id'], {
  id: column<bigint>(),
  tokenHash: column<string>(),
  personId: column<bigint>(),
  merchantId: column<bigint | null>(),
  deviceId: column<bigint>(),
  address: column<string>(),
  agent: column<string>(),
  startedAt: column<Date>(),
  lastSeenAt: column<Date>(),
  expiresAt: column<Date>(),
  secondFactorAt: column<Date | null>(),
  endedAt: column<Date | null>(),
  /** The team whose identity provider signed the user in; null after a sign-in with the user's own credentials. */
  signOn: column<bigint | null>(),
  /** Whether only the identity provider has confirmed who the user is. */
  isConfined: column<boolean>(),
})
export type SessionRow = Row<typeof sessions>

/** A session with its user and their role for its merchant. */
export interface FoundSession
  extends Pick<
      SessionRow,
      'id' | 'personId' | 'merchantId' | 'deviceId' | 'lastSeenAt' | 'secondFactorAt' | 'signOn' | 'isConfined'
    >,
    Pick<PersonRow, 'email' | 'name' | 'operatorRole'> {
  readonly role: Role | null
  readonly approves: boolean | null
  readonly rightsFrom: Date | null
  readonly tillId: bigint | null
  readonly hasSecondFactor: boolean
  /** Whether the user has signed in with this browser before. */
  readonly isKnownDevice: boolean
  /** Whether the merchant's team must sign in through its identity provider; null if it has none. */
  readonly isSignOnRequired: boolean | null
  /** From when the provider's second factor is accepted; null if it is not. */
  readonly secondFactorFrom: Date | null
}

/** Reads everything that a request needs to know about its session, in one query. */
export async function selectSession(
  db: Db,
  tokenHash: string,
  seenSince: Date,
  at: Date,
): Promise<FoundSession | undefined> {
  const [found] = await db<FoundSession[]>`
    select s.id, s.person_id, s.merchant_id, s.device_id, s.last_seen_at, s.second_factor_at, s.sign_on, s.is_confined,
           p.email, p.name, p.operator_role, m.role, m.approves, m.rights_from, m.till_id,
           o.is_required as is_sign_on_required, o.second_factor_from,
           exists (select from second_factor f where f.person_id = s.person_id and f.confirmed_at is not null) as has_second_factor,
           exists (select from device d where d.person_id = s.person_id and d.id = s.device_id) as is_known_device
      from session s
      join person p on p.id = s.person_id
      left join membership m on m.merchant_id = s.merchant_id and m.person_id = s.person_id
      left join sign_on o on o.merchant_id = s.merchant_id
     where s.token_hash = ${tokenHash} and s.ended_at is null and s.expires_at > ${at} and s.last_seen_at > ${seenSince}`
  return found
}

/** A session that has not ended. */
type ActiveSession = Pick<FoundSession, 'id' | 'merchantId' | 'role' | 'signOn' | 'isSignOnRequired'>

/**
 * Reads those of the given sessions that have not ended, with their merchant, the user's role there and whether single
 * sign-on is required.
 */
export const selectActiveSessions = (db: Db, ids: readonly bigint[], at: Date): Promise<ActiveSession[]> =>
  db<ActiveSession[]>`
    select s.id, s.merchant_id, m.role, s.sign_on, o.is_required as is_sign_on_required
      from session s
      left join membership m on m.merchant_id = s.merchant_id and m.person_id = s.person_id
      left join sign_on o on o.merchant_id = s.merchant_id
     where s.id = any(${ids.map(String)}::bigint[]) and s.ended_at is null and s.expires_at > ${at}`

/** Records that a session is in use. */
export async function touchSession(db: Db, id: bigint, at: Date): Promise<void> {
  await db`update session set last_seen_at = ${at} where id = ${id} and last_seen_at < ${at}`
}

export const insertSession = (tx: Tx, row: SessionRow): void => sessions.insert(tx, [row])

/** Changes a session that has not ended. */
export const updateSession = (tx: Tx, id: bigint, change: Partial<SessionRow>): Promise<{ readonly count: number }> =>
  sessions.change(tx, sql`id = ${id} and ended_at is null`, change)

/** Which of a user's sessions: all, a single one, all but one, or those for one merchant or browser. */
export interface WhichSessions {
  readonly personId: bigint
  readonly merchantId?: bigint
  readonly deviceId?: bigint
  readonly but?: bigint
  readonly id?: bigint
}

const matching = ({ personId, merchantId, deviceId, but, id }: WhichSessions): Fragment => sql`
  person_id = ${personId} and ended_at is null
  ${merchantId === undefined ? sql`` : sql`and merchant_id = ${merchantId}`}
  ${deviceId === undefined ? sql`` : sql`and device_id = ${deviceId}`}
  ${but === undefined ? sql`` : sql`and id <> ${but}`}
  ${id === undefined ? sql`` : sql`and id = ${id}`}`

/** Ends sessions; returns how many. */
export async function endSessions(tx: Tx, which: WhichSessions, at: Date): Promise<number> {
  return (await sessions.change(tx, matching(which), { endedAt: at })).count
}

const SESSIONS_SHOWN_MAX = 100

/** Reads a user's active sessions, newest first. */
export const selectSessions = (db: Db | Tx, personId: bigint, at: Date): Promise<SessionRow[]> =>
  db<SessionRow[]>`
    select ${sessions.columns} from session
     where ${matching({ personId })} and expires_at > ${at}
     order by last_seen_at desc
     limit ${SESSIONS_SHOWN_MAX}`

/** Deletes sessions that expired before a time; returns how many. */
export const deleteOldSessions = (db: Db, before: Date, limit: number): Promise<number> =>
  deleteBatch(db, sessions, sql`expires_at < ${before}`, limit, 'expiresAt')

/** Returns the form in which email addresses are compared. */
export const emailKeyOf = (email: string): string => email.toLowerCase()

/** Inserts a user; returns false if another user has this email address. */
export const insertPerson = async (tx: Tx, row: Omit<PersonRow, 'emailKey'>): Promise<boolean> =>
  (await people.insertNew(tx, [{ ...row, emailKey: emailKeyOf(row.email) }], sql`(email_key)`)) === 1

export const findPerson = (db: Db | Tx, id: bigint): Promise<PersonRow | undefined> => people.find(db, { id })

export async function findPersonByEmail(db: Db | Tx, email: string): Promise<PersonRow | undefined> {
  const [row] = await db<PersonRow[]>`select ${people.columns} from person where email_key = ${emailKeyOf(email)}`
  return row
}

export const updatePerson = (
  tx: Tx,
  id: bigint,
  change: Partial<Pick<PersonRow, 'name' | 'operatorRole'>>,
): Promise<{ readonly count: number }> => people.change(tx, sql`id = ${id}`, change)

/** The columns of a member without a pending removal or change of role. */
export const NO_PENDING_CHANGE = { endsAt: null, endsAs: null, endsAskedBy: null } as const

type NewMembership = Pick<MembershipRow, 'merchantId' | 'personId' | 'role' | 'approves' | 'createdAt'> &
  Partial<MembershipRow>

/** Adds a user to a team; returns false, and changes nothing, if the user is already in it. */
export const insertMembership = async (tx: Tx, row: NewMembership): Promise<boolean> =>
  (await memberships.insertNew(
    tx,
    [{ rightsFrom: null, namedBy: null, soleFrom: null, tillId: null, ...NO_PENDING_CHANGE, ...row }],
    sql`(merchant_id, person_id)`,
  )) === 1

export const updateMembership = (
  tx: Tx,
  { merchantId, personId }: Pick<MembershipRow, 'merchantId' | 'personId'>,
  change: Partial<MembershipRow>,
): Promise<{ readonly count: number }> =>
  memberships.change(tx, sql`merchant_id = ${merchantId} and person_id = ${personId}`, change)

/** Sets the time before which no member of a team may approve their own payouts. */
export function delaySoleApproval(tx: Tx, merchantId: bigint, soleFrom: Date): void {
  void memberships.change(tx, sql`merchant_id = ${merchantId}`, { soleFrom })
}

/** Reads members of all merchants who are due to leave or to get another role. */
export const selectEndingMemberships = (db: Db, at: Date, limit: number): Promise<MembershipRow[]> =>
  // Over all merchants: for a sweep.
  db<MembershipRow[]>`
    select ${memberships.columns} from membership where ends_at <= ${at} order by ends_at limit ${limit}`

/** Returns when the next member leaves or gets another role. */
export async function nextEndingMembership(db: Db): Promise<Date | undefined> {
  // Over all merchants: for a sweep.
  const [row] = await db<{ readonly endsAt: Date | null }[]>`select min(ends_at) as ends_at from membership`
  return row?.endsAt ?? undefined
}

/** Removes a user from a team; returns whether they were in it. */
export async function deleteMembership(tx: Tx, merchantId: bigint, personId: bigint): Promise<boolean> {
  await deleteIdentities(tx, merchantId, personId)
  return (await tx`delete from membership where merchant_id = ${merchantId} and person_id = ${personId}`).count === 1
}

export type Member = MembershipRow & Pick<PersonRow, 'email' | 'name'> & { readonly hasSecondFactor: boolean }

const TEAM_MAX = 500

/** Reads a merchant's team. Locks it if requested, which needs a transaction. */
export const selectTeam = (db: Db | Tx, merchantId: bigint, locked = false): Promise<Member[]> =>
  db<Member[]>`
    select ${memberships.of('m')}, p.email, p.name,
           exists (select from second_factor f where f.person_id = m.person_id and f.confirmed_at is not null) as has_second_factor
      from membership m
      join person p on p.id = m.person_id
     where m.merchant_id = ${merchantId}
     order by m.person_id
     limit ${TEAM_MAX}
     ${locked ? sql`for update of m` : sql``}`

/** Reads a user's teams, oldest first. */
export const selectMemberships = (db: Db | Tx, personId: bigint): Promise<MembershipRow[]> =>
  db<MembershipRow[]>`
    select ${memberships.columns} from membership where person_id = ${personId} order by created_at, merchant_id limit ${TEAM_MAX}`

/** A user who works for the operator. */
export type Operator = PersonRow & { readonly operatorRole: OperatorRole; readonly hasSecondFactor: boolean }

/** Reads all users who work for the operator. */
export const selectOperators = (db: Db | Tx): Promise<Operator[]> =>
  db<Operator[]>`
    select ${people.of('p')},
           exists (select from second_factor f where f.person_id = p.id and f.confirmed_at is not null) as has_second_factor
      from person p where p.operator_role is not null order by p.id limit ${TEAM_MAX}`

/** Locks the user with an email address until the transaction ends. */
export async function lockPersonByEmail(tx: Tx, email: string): Promise<PersonRow | undefined> {
  const [row] = await tx<PersonRow[]>`
    select ${people.columns} from person where email_key = ${emailKeyOf(email)} for no key update`
  return row
}

/** Locks a user until the transaction ends. */
export async function lockPerson(tx: Tx, id: bigint): Promise<void> {
  await tx`select from person where id = ${id} for no key update`
}
