import type { Core } from '../../core/core.ts'
import type { Browser, By } from '../../core/edge/http/index.ts'
import { notify } from '../../core/messages/notices.ts'
import { audit, NO_MERCHANT } from '../../core/security/audit.ts'
import {
  findSignOn,
  hashOfToken,
  newToken,
  type PersonRow,
  type Stage,
  selectMemberships,
  selectTeam,
  startSession,
} from '../../core/sessions/index.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import type { Environment } from '../../platform/config/config.ts'
import { type DeviceRow, findDevice, putDevice, selectSecondFactors } from './repository.ts'

const AGENT_LENGTH_MAX = 200

/** The tokens that a browser gets with a session, or while its user signs in. */
export interface BrowserTokens {
  readonly stage: Stage
  readonly session: string
  /** The new token of a browser that was not known before. */
  readonly device: string | undefined
}

/** Finds the browser, if the user has signed in with it before. */
export const knownDevice = (
  { db }: Pick<Core, 'db'>,
  personId: bigint | undefined,
  { device }: Browser,
): Promise<DeviceRow | undefined> =>
  personId === undefined || device === undefined
    ? Promise.resolve(undefined)
    : findDevice(db, personId, hashOfToken(device))

interface SessionStart {
  readonly browser: Browser
  readonly by: By
  /** The merchant to act for; by default the first one whose team the user belongs to. */
  readonly merchantId?: bigint
  readonly way: string
  /** Set if the sign-in method counts as a second factor too. */
  readonly secondFactorAt?: Date | null
  /** The team whose identity provider signed the user in, if one did. */
  readonly signOn?: bigint
  /** Whether only that provider has proved who the user is. */
  readonly isConfined?: boolean
}

/** Starts a session for an authenticated user, for the named merchant or for the user's first one. */
export async function openSession(
  { core, environment }: { readonly core: Core; readonly environment: Environment },
  unit: UnitOfWork,
  person: Pick<PersonRow, 'id' | 'email' | 'operatorRole'>,
  { browser, by, merchantId, way, secondFactorAt = null, signOn, isConfined = false }: SessionStart,
): Promise<BrowserTokens> {
  const at = core.wall.now()
  const { id: personId, operatorRole } = person
  const known = await knownDevice(core, personId, browser)
  const [first] = await selectMemberships(unit.tx, personId)
  const team = merchantId ?? (operatorRole === null ? first?.merchantId : undefined) ?? null
  const hasSecondFactor = (await selectSecondFactors(unit.tx, personId)).some(({ confirmedAt }) => confirmedAt !== null)
  const deviceId = known?.id ?? core.ids.id()
  const session = startSession(unit, {
    personId,
    merchantId: team,
    deviceId,
    address: by.address,
    agent: browser.agent,
    secondFactorAt,
    signOn: signOn ?? null,
    isConfined,
    at,
  })
  const isIn = secondFactorAt !== null || (!hasSecondFactor && environment === 'sandbox')
  const stage = isIn ? 'in' : hasSecondFactor ? 'second-factor' : 'enrolment'
  audit(unit, { ...by, merchantId: team ?? NO_MERCHANT, act: 'sign-in', details: { way, stage } })
  if (team !== null && signOn !== team) await reportWithoutSignOn(unit, team, person)
  // A browser becomes known only once sign-in is complete, so a stolen password alone is not enough. A sign-in that
  // only a team's provider has proved is not enough either, since a provider can invent any number of sign-ins.
  const device =
    stage === 'in' && !isConfined ? await rememberDevice(unit, { personId, deviceId }, browser, at) : undefined
  return { stage, session, device }
}

/**
 * Notifies all owners if an owner signs in without the single sign-on that the team requires. Only owners can do so.
 */
export async function reportWithoutSignOn(
  unit: UnitOfWork,
  merchantId: bigint,
  { id, email }: Pick<PersonRow, 'id' | 'email'>,
): Promise<void> {
  if ((await findSignOn(unit.tx, merchantId))?.isRequired !== true) return
  const owners = (await selectTeam(unit.tx, merchantId)).filter(({ role }) => role === 'owner')
  if (!owners.some(({ personId }) => personId === id)) return
  audit(unit, { actor: `person/${id}`, name: email, merchantId, act: 'sign-in.without-sign-on' })
  const subject = `${email} signed in without single sign-on`
  const text = `Your team requires single sign-on, and ${email} used their own password, passkey or link instead. Owners can, in case the identity provider fails. If you did not expect this, contact us: someone may be using their account.`
  notify(
    unit,
    owners.map(({ email: recipient }) => ({ merchantId, recipient, subject, text })),
  )
}

/** Marks a browser as known; returns a new token for a browser that has none. */
export async function rememberDevice(
  { tx }: UnitOfWork,
  { personId, deviceId }: { readonly personId: bigint; readonly deviceId: bigint },
  browser: Browser,
  at: Date,
): Promise<string | undefined> {
  // A browser that another user has signed in with keeps its token: each user has a row for it.
  const { token, hash } =
    browser.device === undefined ? newToken() : { token: undefined, hash: hashOfToken(browser.device) }
  const agent = browser.agent.slice(0, AGENT_LENGTH_MAX)
  await putDevice(tx, { personId, id: deviceId, tokenHash: hash, agent, firstAt: at, lastAt: at })
  return token
}

export function setCookies(browser: Browser, { session, device }: Pick<BrowserTokens, 'session' | 'device'>): void {
  browser.keepSession(session)
  if (device !== undefined) browser.keepDevice(device)
}
