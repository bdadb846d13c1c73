import type { LINK_KINDS, OperatorRole, Role } from '@kobo/contract'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { deleteBatch } from '../../platform/postgres/delete-in-batches.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { column, type Row, table } from '../../platform/postgres/table.ts'

export async function selectPassword(db: Db | Tx, personId: bigint): Promise<string | undefined> {
  const [row] = await db<{ readonly hash: string }[]>`select hash from password where person_id = ${personId}`
  return row?.hash
}

export async function putPassword(tx: Tx, personId: bigint, hash: string, at: Date): Promise<void> {
  await tx`
    insert into password (person_id, hash, changed_at) values (${personId}, ${hash}, ${at})
        on conflict (person_id) do update set hash = excluded.hash, changed_at = excluded.changed_at`
}

export const secondFactors = table('second_factor', ['personId', 'id'], {
  personId: column<bigint>(),
  id: column<bigint>(),
  kind: column<'TOTP' | 'PASSKEY'>(),
  name: column<string>(),
  /** The encrypted secret of an authenticator app (TOTP). */
  secret: column<Buffer | null>(),
  lastStep: column<bigint | null>(),
  credentialId: column<string | null>(),
  publicKey: column<string | null>(),
  counter: column<bigint | null>(),
  createdAt: column<Date>(),
  confirmedAt: column<Date | null>(),
  lastUsedAt: column<Date | null>(),
})
export type SecondFactorRow = Row<typeof secondFactors>

const SECOND_FACTORS_MAX = 20

/** Returns a user's second factors, oldest first, including unconfirmed ones. */
export const selectSecondFactors = (db: Db | Tx, personId: bigint): Promise<SecondFactorRow[]> =>
  db<SecondFactorRow[]>`
    select ${secondFactors.columns} from second_factor where person_id = ${personId} order by id limit ${SECOND_FACTORS_MAX}`

export const insertSecondFactor = (tx: Tx, row: SecondFactorRow): void => secondFactors.insert(tx, [row])

/** Uses up an app's time step, so that no code works twice; returns whether it and all later ones were unused. */
export async function useStep(tx: Tx, { personId, id }: SecondFactorRow, step: bigint, at: Date): Promise<boolean> {
  const free = sql`person_id = ${personId} and id = ${id} and (last_step is null or last_step < ${step})`
  return (await secondFactors.change(tx, free, { lastStep: step, lastUsedAt: at })).count === 1
}

export const confirmSecondFactor = (tx: Tx, { personId, id }: SecondFactorRow, at: Date) =>
  secondFactors.change(tx, sql`person_id = ${personId} and id = ${id} and confirmed_at is null`, { confirmedAt: at })

export async function deleteSecondFactor(tx: Tx, personId: bigint, id: bigint): Promise<boolean> {
  return (await tx`delete from second_factor where person_id = ${personId} and id = ${id}`).count === 1
}

/** Deletes second factors that the user never confirmed. */
export async function deleteUnconfirmed(tx: Tx, personId: bigint): Promise<void> {
  await tx`delete from second_factor where person_id = ${personId} and confirmed_at is null`
}

/** Finds the passkey with this id, of any user. */
export async function findPasskey(db: Db | Tx, credentialId: string): Promise<SecondFactorRow | undefined> {
  const [row] = await db<SecondFactorRow[]>`
    select ${secondFactors.columns} from second_factor where credential_id = ${credentialId}`
  return row
}

export const usePasskey = (tx: Tx, { personId, id }: SecondFactorRow, counter: bigint, at: Date) =>
  secondFactors.change(tx, sql`person_id = ${personId} and id = ${id}`, { counter, lastUsedAt: at })

const challenges = table('passkey_challenge', ['challenge'], {
  challenge: column<string>(),
  personId: column<bigint | null>(),
  expiresAt: column<Date>(),
})

export const insertChallenge = (tx: Tx, row: Row<typeof challenges>): void => challenges.insert(tx, [row])

/** Uses up a challenge: the given user's or, without one, a challenge for any user. Returns whether it existed. */
export async function useChallenge(
  tx: Tx,
  challenge: string,
  personId: bigint | undefined,
  at: Date,
): Promise<boolean> {
  const { count } = await tx`
    delete from passkey_challenge
     where challenge = ${challenge} and expires_at > ${at}
       and ${personId === undefined ? sql`person_id is null` : sql`person_id = ${personId}`}`
  return count === 1
}

/** Deletes expired challenges; returns how many. */
export const deleteChallenges = (db: Db, before: Date, limit: number): Promise<number> =>
  deleteBatch(db, challenges, sql`expires_at < ${before}`, limit, 'expiresAt')

export async function replaceBackupCodes(tx: Tx, personId: bigint, hashes: readonly string[]): Promise<void> {
  await tx`delete from backup_code where person_id = ${personId}`
  await tx`insert into backup_code (person_id, hash) select ${personId}, hash from unnest(${hashes}::text[]) hash`
}

/** Uses up a backup code; returns whether it existed and was unused. */
export async function useBackupCode(tx: Tx, personId: bigint, hash: string, at: Date): Promise<boolean> {
  const { count } = await tx`
    update backup_code set used_at = ${at} where person_id = ${personId} and hash = ${hash} and used_at is null`
  return count === 1
}

export async function countBackupCodes(db: Db | Tx, personId: bigint): Promise<number> {
  const [row] = await db<{ readonly count: bigint }[]>`
    select count(*) from backup_code where person_id = ${personId} and used_at is null`
  return Number(row?.count ?? 0n)
}

const devices = table('device', ['personId', 'id'], {
  personId: column<bigint>(),
  id: column<bigint>(),
  tokenHash: column<string>(),
  agent: column<string>(),
  firstAt: column<Date>(),
  lastAt: column<Date>(),
})
export type DeviceRow = Row<typeof devices>

/** Finds the browser with this token, if the user has signed in with it. */
export async function findDevice(db: Db | Tx, personId: bigint, tokenHash: string): Promise<DeviceRow | undefined> {
  const [row] = await db<DeviceRow[]>`
    select ${devices.columns} from device where person_id = ${personId} and token_hash = ${tokenHash}`
  return row
}

/** Stores a browser or updates when it was seen. A shared browser has one row per user. */
export async function putDevice(tx: Tx, row: DeviceRow): Promise<void> {
  await tx`
    insert into device (${devices.columns}) select ${devices.columns} from ${devices.set([row])}
        on conflict (person_id, token_hash) do update set last_at = excluded.last_at`
}

const DEVICES_SHOWN_MAX = 100

export const selectDevices = (db: Db, personId: bigint): Promise<DeviceRow[]> =>
  db<DeviceRow[]>`
    select ${devices.columns} from device where person_id = ${personId} order by last_at desc limit ${DEVICES_SHOWN_MAX}`

export async function deleteDevice(tx: Tx, personId: bigint, id: bigint): Promise<boolean> {
  return (await tx`delete from device where person_id = ${personId} and id = ${id}`).count === 1
}

const links = table('sign_in_link', ['tokenHash'], {
  tokenHash: column<string>(),
  id: column<bigint>(),
  kind: column<(typeof LINK_KINDS)[number]>(),
  email: column<string>(),
  merchantId: column<bigint | null>(),
  role: column<Role | OperatorRole | null>(),
  approves: column<boolean>(),
  invitedBy: column<bigint | null>(),
  createdAt: column<Date>(),
  expiresAt: column<Date>(),
  usedAt: column<Date | null>(),
})
export type LinkRow = Row<typeof links>

export const insertLink = (tx: Tx, row: LinkRow): void => links.insert(tx, [row])

/** Finds a link that is still valid. */
export async function findLink(db: Db | Tx, tokenHash: string, at: Date): Promise<LinkRow | undefined> {
  const [row] = await db<LinkRow[]>`
    select ${links.columns} from sign_in_link
     where token_hash = ${tokenHash} and used_at is null and expires_at > ${at}`
  return row
}

/** Uses up a link; returns whether it was still valid. */
export async function useLink(tx: Tx, tokenHash: string, at: Date): Promise<boolean> {
  const open = sql`token_hash = ${tokenHash} and used_at is null and expires_at > ${at}`
  return (await links.change(tx, open, { usedAt: at })).count === 1
}

/** Uses up all links of a kind to an address, since a newer one replaces them. */
export async function voidLinks(
  tx: Tx,
  { kind, email, merchantId }: Pick<LinkRow, 'kind' | 'email' | 'merchantId'>,
  at: Date,
): Promise<void> {
  const replaced = sql`
    kind = ${kind} and lower(email) = lower(${email}) and merchant_id is not distinct from ${merchantId} and used_at is null`
  await links.change(tx, replaced, { usedAt: at })
}

/** Withdraws the open invitations to a team that a person got or sent, because their role there has changed. */
export async function voidInvitationsOf(
  tx: Tx,
  merchantId: bigint | null,
  { id, email }: { readonly id: bigint; readonly email: string },
  at: Date,
): Promise<void> {
  const theirs = sql`
    merchant_id is not distinct from ${merchantId} and kind = 'INVITATION' and used_at is null
    and (lower(email) = lower(${email}) or invited_by = ${id})`
  await links.change(tx, theirs, { usedAt: at })
}

const INVITATIONS_SHOWN_MAX = 500

/** Returns the open invitations to a merchant's team, or to the operator's. */
export const selectInvitations = (db: Db | Tx, merchantId: bigint | null, at: Date): Promise<LinkRow[]> =>
  db<LinkRow[]>`
    select ${links.columns} from sign_in_link
     where merchant_id is not distinct from ${merchantId} and kind = 'INVITATION' and used_at is null and expires_at > ${at}
     order by id limit ${INVITATIONS_SHOWN_MAX}`

/** Withdraws an invitation; returns it if it was open. */
export async function voidInvitation(
  tx: Tx,
  merchantId: bigint | null,
  id: bigint,
  at: Date,
): Promise<LinkRow | undefined> {
  const [row] = await tx<LinkRow[]>`
    update sign_in_link set used_at = ${at}
     where merchant_id is not distinct from ${merchantId} and id = ${id} and kind = 'INVITATION' and used_at is null and expires_at > ${at}
    returning ${links.columns}`
  return row
}

/** Deletes links that expired before the given time; returns how many. */
export const deleteLinks = (db: Db, before: Date, limit: number): Promise<number> =>
  deleteBatch(db, links, sql`expires_at < ${before}`, limit, 'expiresAt')
