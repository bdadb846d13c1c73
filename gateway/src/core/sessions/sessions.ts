import { randomBytes } from 'node:crypto'
import {
  OPERATOR_ROLE_PERMISSIONS,
  type OperatorPermission,
  type OperatorRole,
  type PersonPermission,
  permissionsOfRole,
  type Role,
} from '@kobo/contract'
import { secondsAfter } from '../../kernel/clock.ts'
import type { Environment } from '../../platform/config/config.ts'
import { sha256 } from '../../platform/crypto.ts'
import type { Core } from '../core.ts'
import { NO_MERCHANT } from '../security/audit.ts'
import type { UnitOfWork } from '../unit-of-work.ts'
import {
  type FoundSession,
  insertSession,
  type SessionRow,
  selectSession,
  touchSession,
  updateSession,
} from './repository.ts'

/** A session that is idle for this long ends. `money` applies to operators and to users who can move money. */
const IDLE_SECONDS_MAX = { money: 900, others: 8 * 3_600 }
const MONEY_PERMISSIONS: readonly PersonPermission[] = ['refund.make', 'payout.make', 'payout.approve', 'keys.manage']
/** The longest duration of a session, however active it is. */
const SESSION_SECONDS_MAX = 14 * 86_400
/** Activity is recorded at most this often. */
const SEEN_SECONDS = 60
/** How long a second factor stays fresh. */
export const FRESH_SECONDS = 300
const TOKEN_BYTES = 32
const AGENT_LENGTH_MAX = 200

/** How far the user has signed in: completely, or the second factor must still be entered or set up. */
export type Stage = 'in' | 'second-factor' | 'enrolment'

/** A user who is signed in, or is signing in, and the merchant they act for. */
export interface SignedIn {
  readonly personId: bigint
  readonly sessionId: bigint
  readonly deviceId: bigint
  /** Whether the user has signed in with this browser before. */
  readonly isKnownDevice: boolean
  readonly name: string
  readonly email: string
  readonly merchantId: bigint | undefined
  readonly role: Role | OperatorRole | undefined
  /** The only till that a cashier sees, by the id of its reserved account. */
  readonly tillId: bigint | undefined
  readonly stage: Stage
  readonly hasSecondFactor: boolean
  /** Whether the second factor was presented within the last minutes. */
  readonly isFresh: boolean
  readonly permissions: ReadonlySet<PersonPermission | OperatorPermission>
  readonly may: (permission: PersonPermission | OperatorPermission) => boolean
  /** The token that requests must carry, in addition to the cookie, if they change something. */
  readonly csrf: string
  /** The team whose identity provider signed the user in, if any; 0 for the operator's provider. */
  readonly signOn: bigint | undefined
  /**
   * Whether only the identity provider has confirmed who the user is. Then the session can use the team, but not the
   * user's own account.
   */
  readonly isConfined: boolean
  /** Whether the team must sign in through its identity provider and this session did not. */
  readonly needsSignOn: boolean
  /** Whether a second factor shown at the identity provider is accepted in this session. */
  readonly isConfirmedByProvider: boolean
}

/** The operator's rules for single sign-on through its identity provider, if it has one. */
export interface OperatorSignOn {
  readonly isRequired: boolean
  readonly secondFactor: readonly string[]
}

export interface Sessions {
  /** Finds the user with this session token, if it is valid. */
  readonly find: (token: string) => Promise<SignedIn | undefined>
}

interface Deps {
  readonly core: Pick<Core, 'db' | 'wall' | 'clock'>
  readonly environment: Environment
  readonly operatorSignOn: OperatorSignOn | undefined
}

/** A random token, and its stored form. */
export interface Token {
  readonly token: string
  readonly hash: string
}

export function newToken(): Token {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  return { token, hash: hashOfToken(token) }
}

/** Returns the stored form of a token. The token is long and random, so a plain hash is safe. */
export const hashOfToken = (token: string): string => sha256(token).toString('base64url')

/** Derives the CSRF token from the session token. The reverse is not possible. */
const csrfOf = (token: string): string => sha256(`csrf ${token}`).toString('base64url')

/** Finds sessions by cookie. */
export function openSessions({ core: { db, wall, clock }, environment, operatorSignOn }: Deps): Sessions {
  return {
    find: async (token) => {
      const at = wall.now()
      const found = await selectSession(db, hashOfToken(token), secondsAfter(at, -IDLE_SECONDS_MAX.others), at)
      if (found === undefined) return undefined
      const rules = signOnRules(found, operatorSignOn, clock.now())
      const areRightsDelayed = found.rightsFrom !== null && found.rightsFrom > clock.now()
      const person = signedIn(found, environment, at, csrfOf(token), areRightsDelayed, rules)
      const canMoveMoney = found.operatorRole !== null || MONEY_PERMISSIONS.some(person.may)
      if (canMoveMoney && found.lastSeenAt <= secondsAfter(at, -IDLE_SECONDS_MAX.money)) return undefined
      if (found.lastSeenAt < secondsAfter(at, -SEEN_SECONDS)) await touchSession(db, found.id, at)
      return person
    },
  }
}

/** Whether a session bypassed the identity provider that the team must use. Owners are exempt. */
export const needsSignOnOf = ({
  merchantId,
  signOn,
  role,
  isSignOnRequired,
}: Pick<FoundSession, 'merchantId' | 'signOn' | 'role' | 'isSignOnRequired'>): boolean =>
  isSignOnRequired === true && role !== 'owner' && signOn !== merchantId

interface SignOnRules extends Pick<SignedIn, 'needsSignOn' | 'isConfirmedByProvider'> {}

/** Applies a team's rules for single sign-on to a session. Owners may always sign in with their own credentials. */
function signOnRules(
  { merchantId, signOn, role, operatorRole, isSignOnRequired, secondFactorFrom }: FoundSession,
  operatorSignOn: OperatorSignOn | undefined,
  now: Date,
): SignOnRules {
  const team = merchantId ?? NO_MERCHANT
  const needsSignOn =
    merchantId === null
      ? operatorRole !== null && operatorSignOn?.isRequired === true && signOn !== team
      : needsSignOnOf({ merchantId, signOn, role, isSignOnRequired })
  const hasFactor =
    merchantId === null
      ? (operatorSignOn?.secondFactor ?? []).length > 0
      : secondFactorFrom !== null && secondFactorFrom <= now
  return { needsSignOn, isConfirmedByProvider: hasFactor && signOn === team }
}

function signedIn(
  found: FoundSession,
  environment: Environment,
  at: Date,
  csrf: string,
  areRightsDelayed: boolean,
  rules: SignOnRules,
): SignedIn {
  const { personId, id: sessionId, deviceId, name, email, merchantId, role, operatorRole } = found
  const { hasSecondFactor, secondFactorAt, isKnownDevice, signOn, isConfined } = found
  const hasPassed = secondFactorAt !== null && (hasSecondFactor || rules.isConfirmedByProvider)
  const permissions = new Set(rules.needsSignOn ? [] : permissionsOf(found, areRightsDelayed))
  return {
    personId,
    sessionId,
    deviceId,
    isKnownDevice,
    name,
    email,
    merchantId: merchantId ?? undefined,
    role: (merchantId === null ? operatorRole : role) ?? undefined,
    tillId: found.tillId ?? undefined,
    // In live mode no one signs in without a second factor; in the sandbox it is optional.
    stage: hasPassed ? 'in' : hasSecondFactor ? 'second-factor' : environment === 'sandbox' ? 'in' : 'enrolment',
    hasSecondFactor,
    isFresh: hasPassed && secondFactorAt > secondsAfter(at, -FRESH_SECONDS),
    permissions,
    may: (permission) => permissions.has(permission),
    csrf,
    signOn: signOn ?? undefined,
    isConfined,
    ...rules,
  }
}

function permissionsOf(
  { merchantId, role, operatorRole, approves }: FoundSession,
  areRightsDelayed: boolean,
): readonly (PersonPermission | OperatorPermission)[] {
  if (merchantId === null) return operatorRole === null ? [] : OPERATOR_ROLE_PERMISSIONS[operatorRole]
  return role === null ? [] : permissionsOfRole(role, approves === true, areRightsDelayed)
}

export interface NewSession
  extends Pick<SessionRow, 'personId' | 'merchantId' | 'deviceId' | 'address' | 'agent' | 'secondFactorAt'>,
    Partial<Pick<SessionRow, 'signOn' | 'isConfined'>> {
  /** When the session starts, in real time. */
  readonly at: Date
}

/** Starts a session; returns the token for the cookie. Only its hash is stored. */
export function startSession({ tx, ids }: UnitOfWork, { at, agent, ...requested }: NewSession): string {
  const { token, hash } = newToken()
  insertSession(tx, {
    signOn: null,
    isConfined: false,
    ...requested,
    id: ids.id(),
    tokenHash: hash,
    agent: agent.slice(0, AGENT_LENGTH_MAX),
    startedAt: at,
    lastSeenAt: at,
    expiresAt: secondsAfter(at, SESSION_SECONDS_MAX),
    endedAt: null,
  })
  return token
}

/** Records the second factor and replaces the token, so the old one becomes useless. */
export async function passSecondFactor({ tx }: UnitOfWork, sessionId: bigint, at: Date): Promise<string> {
  const { token, hash } = newToken()
  await updateSession(tx, sessionId, { tokenHash: hash, secondFactorAt: at })
  return token
}
