import { randomBytes } from 'node:crypto'
import type { Core } from '../../core/core.ts'
import type { By } from '../../core/edge/http/index.ts'
import { audit } from '../../core/security/audit.ts'
import { endSessions, lockPerson, passSecondFactor, type SignedIn } from '../../core/sessions/index.ts'
import { type UnitOfWork, unitOfWork } from '../../core/unit-of-work.ts'
import type { Environment } from '../../platform/config/config.ts'
import { hashOfBackupCode, isBackupCode, newBackupCodes } from './backup-codes.ts'
import { signInErrors } from './errors.ts'
import type { SignInGuard } from './guard.ts'
import { recordOf } from './records.ts'
import {
  confirmSecondFactor,
  countBackupCodes,
  deleteSecondFactor,
  deleteUnconfirmed,
  insertSecondFactor,
  replaceBackupCodes,
  type SecondFactorRow,
  selectSecondFactors,
  useBackupCode,
  useStep,
} from './repository.ts'
import { base32, SECRET_BYTES, stepOf, totpAddress } from './totp.ts'

/** Returns the encryption context of a secret, which binds the secret to its row. */
export const secretContext = ({ personId, id }: Pick<SecondFactorRow, 'personId' | 'id'>): string =>
  `second-factor/${personId}/${id}`

export interface SecondFactorDeps {
  readonly core: Core
  readonly environment: Environment
  readonly guard: SignInGuard
}

const NAME_STANDARD = 'Authenticator'

/** Starts the setup of an authenticator app. Apps that were never confirmed are deleted. */
export async function startTotp({ core }: SecondFactorDeps, { personId, email }: SignedIn, name: string | undefined) {
  const secret = randomBytes(SECRET_BYTES)
  const id = core.ids.id()
  const at = core.wall.now()
  await unitOfWork(core, async ({ tx }) => {
    await deleteUnconfirmed(tx, personId)
    insertSecondFactor(tx, {
      personId,
      id,
      kind: 'TOTP',
      name: name?.trim() || NAME_STANDARD,
      secret: core.keyring.seal(secret.toString('base64'), secretContext({ personId, id })),
      lastStep: null,
      credentialId: null,
      publicKey: null,
      counter: null,
      createdAt: at,
      confirmedAt: null,
      lastUsedAt: null,
    })
  })
  return { id: String(id), secret: base32(secret), address: totpAddress(secret, email) }
}

/**
 * Checks the first code and makes the app a second factor. All other sessions end, since they started without it. This
 * session counts as having used it. A user without backup codes gets them now.
 */
export async function confirmTotp(
  { core, guard }: SecondFactorDeps,
  person: SignedIn,
  id: bigint,
  code: string,
  by: By,
): Promise<{ readonly token: string; readonly backupCodes: readonly string[] | null }> {
  const { personId, sessionId } = person
  const at = core.wall.now()
  const confirmed = await guard.trySecondFactor(person, by.address, () =>
    unitOfWork(core, async (unit) => {
      const { tx } = unit
      const factor = (await selectSecondFactors(tx, personId)).find((one) => one.id === id && one.confirmedAt === null)
      if (factor === undefined) throw signInErrors.unknownSecondFactor()
      if (!(await useTotpCode(core, unit, factor, code, at))) return undefined
      await confirmSecondFactor(tx, factor, at)
      const backupCodes = await firstBackupCodes(unit, personId)
      await endSessions(tx, { personId, but: sessionId }, at)
      audit(unit, recordOf(person, by, 'second-factor.add', { kind: factor.kind, name: factor.name }))
      return { token: await passSecondFactor(unit, sessionId, at), backupCodes }
    }),
  )
  if (confirmed === undefined) throw signInErrors.wrongSecondFactor()
  return confirmed
}

/** Creates backup codes for a user who has none; returns null for other users. */
export async function firstBackupCodes({ tx }: UnitOfWork, personId: bigint): Promise<readonly string[] | null> {
  if ((await countBackupCodes(tx, personId)) > 0) return null
  const codes = newBackupCodes()
  await replaceBackupCodes(
    tx,
    personId,
    codes.map((code) => hashOfBackupCode(personId, code)),
  )
  return codes
}

/** Uses up a code of the app; returns whether it was right and unused. */
async function useTotpCode(
  { keyring }: Core,
  { tx }: UnitOfWork,
  factor: SecondFactorRow,
  code: string,
  at: Date,
): Promise<boolean> {
  if (factor.secret === null) return false
  const secret = Buffer.from(keyring.open(factor.secret, secretContext(factor)), 'base64')
  const step = stepOf(secret, code, at)
  return step !== undefined && useStep(tx, factor, BigInt(step), at)
}

/**
 * Uses up a code of one of the user's apps, or a backup code; returns which kind it was, or undefined if it is wrong.
 */
export async function useCode(
  core: Core,
  unit: UnitOfWork,
  personId: bigint,
  code: string,
): Promise<'TOTP' | 'backup code' | undefined> {
  const at = core.wall.now()
  if (isBackupCode(code))
    return (await useBackupCode(unit.tx, personId, hashOfBackupCode(personId, code), at)) ? 'backup code' : undefined
  for (const factor of await selectSecondFactors(unit.tx, personId))
    if (factor.confirmedAt !== null && (await useTotpCode(core, unit, factor, code, at))) return 'TOTP'
  return undefined
}

/** Removes a second factor. In live mode the last one cannot be removed. */
export async function removeSecondFactor(
  { core, environment }: SecondFactorDeps,
  person: SignedIn,
  id: bigint,
  by: By,
): Promise<void> {
  const { personId } = person
  await unitOfWork(core, async (unit) => {
    const { tx } = unit
    // The user is locked, so that two concurrent removals do not leave them without a second factor.
    await lockPerson(tx, personId)
    const factors = (await selectSecondFactors(tx, personId)).filter(({ confirmedAt }) => confirmedAt !== null)
    const factor = factors.find((one) => one.id === id)
    if (factor === undefined) throw signInErrors.unknownSecondFactor()
    if (factors.length === 1 && environment === 'live') throw signInErrors.lastSecondFactor()
    await deleteSecondFactor(tx, personId, id)
    if (factors.length === 1) await replaceBackupCodes(tx, personId, [])
    audit(unit, recordOf(person, by, 'second-factor.remove', { kind: factor.kind, name: factor.name }))
  })
}

export async function renewBackupCodes(
  { core }: SecondFactorDeps,
  person: SignedIn,
  by: By,
): Promise<readonly string[]> {
  const { personId } = person
  const codes = newBackupCodes()
  await unitOfWork(core, async (unit) => {
    await replaceBackupCodes(
      unit.tx,
      personId,
      codes.map((code) => hashOfBackupCode(personId, code)),
    )
    audit(unit, recordOf(person, by, 'backup-codes.renew'))
  })
  return codes
}
