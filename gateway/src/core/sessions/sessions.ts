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
import type { Environment } from '../../platform/config.ts'
import { sha256 } from '../../platform/crypto.ts'
import type { Core } from '../core.ts'
import type { UnitOfWork } from '../unit-of-work.ts'
import {
  type FoundSession,
  insertSession,
  type SessionRow,
  selectSession,
  touchSession,
  updateSession,
} from './repository.ts'

/** Whoever has not called for so long signs in again. */
const IDLE_SECONDS_MAX = 8 * 3_600
/** However often they call. */
const SESSION_SECONDS_MAX = 14 * 86_400
/** What is not older than this counts as seen now: not every call writes. */
const SEEN_SECONDS = 60
/** For so long a second factor that was shown is fresh. */
export const FRESH_SECONDS = 300
const TOKEN_BYTES = 32
const AGENT_LENGTH_MAX = 200

/** How far a person has come in: yet to show the second factor, yet to set one up, or in. */
export type Stage = 'in' | 'second-factor' | 'enrolment'

/** A person who is signed in, or on the way there, and for whom they act. */
export interface SignedIn {
  readonly personId: bigint
  readonly sessionId: bigint
  readonly deviceId: bigint
  /** Whether the person has come in with this browser before. */
  readonly isKnownDevice: boolean
  readonly name: string
  readonly email: string
  readonly merchantId: bigint | undefined
  readonly role: Role | OperatorRole | undefined
  readonly stage: Stage
  readonly hasSecondFactor: boolean
  /** Whether the second factor was shown within the last minutes. */
  readonly isFresh: boolean
  readonly permissions: ReadonlySet<PersonPermission | OperatorPermission>
  readonly may: (permission: PersonPermission | OperatorPermission) => boolean
  /** What calls that change something carry beside the cookie. */
  readonly csrf: string
}

export interface Sessions {
  /** Who has this token in their cookie, if it opens anything. */
  readonly find: (token: string) => Promise<SignedIn | undefined>
}

interface Deps {
  readonly core: Pick<Core, 'db' | 'wall'>
  readonly environment: Environment
}

/** A token that nobody guesses, and how it stands in the database. */
export interface Token {
  readonly token: string
  readonly hash: string
}

export function newToken(): Token {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  return { token, hash: hashOfToken(token) }
}

/** How a token stands in the database. It is long and random, so a plain hash of it tells nothing. */
export const hashOfToken = (token: string): string => sha256(token).toString('base64url')

/** Whoever has the token can tell it; from it nobody can tell the token. */
const csrfOf = (token: string): string => sha256(`csrf ${token}`).toString('base64url')

/** Finds sessions by what stands in the cookie. */
export function openSessions({ core: { db, wall }, environment }: Deps): Sessions {
  return {
    find: async (token) => {
      const at = wall.now()
      const found = await selectSession(db, hashOfToken(token), secondsAfter(at, -IDLE_SECONDS_MAX), at)
      if (found === undefined) return undefined
      if (found.lastSeenAt < secondsAfter(at, -SEEN_SECONDS)) await touchSession(db, found.id, at)
      return signedIn(found, environment, at, csrfOf(token))
    },
  }
}

function signedIn(found: FoundSession, environment: Environment, at: Date, csrf: string): SignedIn {
  const { personId, id: sessionId, deviceId, name, email, merchantId, role, operatorRole, approves } = found
  const { hasSecondFactor, secondFactorAt, isKnownDevice } = found
  const permissions = new Set(
    merchantId === null
      ? operatorRole === null
        ? []
        : OPERATOR_ROLE_PERMISSIONS[operatorRole]
      : role === null
        ? []
        : permissionsOfRole(role, approves === true),
  )
  return {
    personId,
    sessionId,
    deviceId,
    isKnownDevice,
    name,
    email,
    merchantId: merchantId ?? undefined,
    role: (merchantId === null ? operatorRole : role) ?? undefined,
    stage: stageOf(found, environment),
    hasSecondFactor,
    isFresh: hasSecondFactor && secondFactorAt !== null && secondFactorAt > secondsAfter(at, -FRESH_SECONDS),
    permissions,
    may: (permission) => permissions.has(permission),
    csrf,
  }
}

/** In live nobody is in without a second factor; in the sandbox whoever has none goes without, as far as that leads. */
const stageOf = ({ hasSecondFactor, secondFactorAt }: FoundSession, environment: Environment): Stage =>
  hasSecondFactor ? (secondFactorAt === null ? 'second-factor' : 'in') : environment === 'sandbox' ? 'in' : 'enrolment'

/** What a new session is about. */
export interface NewSession
  extends Pick<SessionRow, 'personId' | 'merchantId' | 'deviceId' | 'address' | 'agent' | 'secondFactorAt'> {
  /** Real time. */
  readonly at: Date
}

/** Starts a session; answers the token for the cookie, which is kept nowhere. */
export function startSession({ tx, ids }: UnitOfWork, { at, agent, ...wanted }: NewSession): string {
  const { token, hash } = newToken()
  insertSession(tx, {
    ...wanted,
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

/** Notes that the second factor was shown, and replaces the token: whoever knew the old one knows nothing. */
export async function passSecondFactor({ tx }: UnitOfWork, sessionId: bigint, at: Date): Promise<string> {
  const { token, hash } = newToken()
  await updateSession(tx, sessionId, { tokenHash: hash, secondFactorAt: at })
  return token
}
