import type { Db, Tx } from '../../platform/postgres/db.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { column, type Row, table } from '../../platform/postgres/table.ts'

/** A merchant team's identity provider. */
export const signOns = table('sign_on', ['merchantId'], {
  merchantId: column<bigint>(),
  issuer: column<string>(),
  clientId: column<string>(),
  /** The provider's client secret, encrypted. */
  clientSecret: column<Buffer>(),
  domains: column<readonly string[]>(),
  isRequired: column<boolean>(),
  secondFactor: column<readonly string[]>(),
  /** Business time from which a second factor shown at the provider is accepted; null if it is not. */
  secondFactorFrom: column<Date | null>(),
  changedBy: column<bigint>(),
  changedAt: column<Date>(),
})
export type SignOnRow = Row<typeof signOns>

export const findSignOn = (db: Db | Tx, merchantId: bigint): Promise<SignOnRow | undefined> =>
  signOns.find(db, { merchantId })

export const insertSignOn = (tx: Tx, row: SignOnRow): void => signOns.insert(tx, [row])

export const updateSignOn = (tx: Tx, { merchantId, ...change }: SignOnRow): Promise<{ readonly count: number }> =>
  signOns.change(tx, sql`merchant_id = ${merchantId}`, change)

export async function deleteSignOn(tx: Tx, merchantId: bigint): Promise<void> {
  await tx`delete from sign_on where merchant_id = ${merchantId}`
}

/** Ends all sessions that a team's provider started. */
export async function endSignOnSessions(tx: Tx, merchantId: bigint, at: Date): Promise<void> {
  await tx`
    update session set ended_at = ${at}
     where merchant_id = ${merchantId} and sign_on = ${merchantId} and ended_at is null`
}

const identities = table('sign_on_identity', ['merchantId', 'issuer', 'subject'], {
  merchantId: column<bigint>(),
  issuer: column<string>(),
  subject: column<string>(),
  personId: column<bigint>(),
  createdAt: column<Date>(),
})
type IdentityRow = Row<typeof identities>

/** Finds an identity at a team's provider, with its user. */
export const findIdentity = (
  tx: Tx,
  key: Pick<IdentityRow, 'merchantId' | 'issuer' | 'subject'>,
): Promise<IdentityRow | undefined> => identities.find(tx, key)

/**
 * Stores a user's identity at a team's provider; returns false if the user, or that identity, is already stored there.
 */
export const insertIdentity = async (tx: Tx, row: IdentityRow): Promise<boolean> =>
  (await identities.insertNew(tx, [row], sql``)) === 1

/** Deletes a user's identities at a team's provider, because the user left the team. */
export async function deleteIdentities(tx: Tx, merchantId: bigint, personId: bigint): Promise<void> {
  await tx`delete from sign_on_identity where merchant_id = ${merchantId} and person_id = ${personId}`
}
