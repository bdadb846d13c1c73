import { type getProfile, OPERATOR_SIGN_ON, type Reply, type Role, type whoAmI } from '@kobo/contract'
import type { Merchant } from '../../core/merchants/index.ts'
import type { SessionRow, SignedIn } from '../../core/sessions/index.ts'
import type { DeviceRow, SecondFactorRow } from './repository.ts'
import type { SignInDeps } from './service.ts'

/** Shows the signed-in user. Before the second factor, a merchant is named only by the code of its sign-on. */
export function showMe(
  person: SignedIn,
  merchant: Merchant | undefined,
  teams: readonly OwnTeam[],
  { environment, core: { clock } }: Pick<SignInDeps, 'core' | 'environment'>,
): Reply<typeof whoAmI> {
  const { personId, name, email, role, stage, permissions, hasSecondFactor, isFresh, csrf } = person
  const { signOn, needsSignOn: isNeeded, isConfined, isConfirmedByProvider: confirms } = person
  const isIn = stage === 'in'
  return {
    stage,
    id: String(personId),
    name,
    email,
    merchant: isIn && merchant !== undefined ? { code: merchant.code, name: merchant.name } : null,
    teams: teams.map(({ merchant: { code, name } }) => ({ code, name })),
    role: (isIn ? role : undefined) ?? null,
    permissions: isIn ? [...permissions] : [],
    hasSecondFactor,
    isFresh,
    csrf,
    environment,
    at: clock.now().toISOString(),
    signOn:
      signOn === undefined && !isNeeded
        ? null
        : { code: merchant?.code ?? OPERATOR_SIGN_ON, isNeeded, isConfined, confirms },
  }
}

/** A team that a user is in. */
export interface OwnTeam {
  readonly merchant: Merchant
  readonly role: Role
}

interface ProfileData {
  readonly secondFactors: readonly SecondFactorRow[]
  readonly backupCodesLeft: number
  readonly sessions: readonly SessionRow[]
  readonly devices: readonly DeviceRow[]
  readonly teams: readonly OwnTeam[]
}

/** Shows the user's own data. */
export const showProfile = (
  { sessionId, deviceId }: SignedIn,
  { secondFactors, backupCodesLeft, sessions, devices, teams }: ProfileData,
): Reply<typeof getProfile> => ({
  secondFactors: secondFactors
    .filter(({ confirmedAt }) => confirmedAt !== null)
    .map(({ id, kind, name, createdAt, lastUsedAt }) => ({
      id: String(id),
      kind,
      name,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
    })),
  backupCodesLeft,
  sessions: sessions.map(({ id, address, agent, startedAt, lastSeenAt }) => ({
    id: String(id),
    isThis: id === sessionId,
    address,
    agent,
    startedAt: startedAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
  })),
  devices: devices.map(({ id, agent, firstAt, lastAt }) => ({
    id: String(id),
    isThis: id === deviceId,
    agent,
    firstAt: firstAt.toISOString(),
    lastAt: lastAt.toISOString(),
  })),
  teams: teams.map(({ merchant: { code, name }, role }) => ({ code, name, role })),
})
