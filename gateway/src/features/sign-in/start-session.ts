import type { Core } from '../../core/core.ts'
import type { Browser, By } from '../../core/edge/http/index.ts'
import { audit, NO_MERCHANT } from '../../core/security/audit.ts'
import {
  hashOfToken,
  newToken,
  type PersonRow,
  type Stage,
  selectMemberships,
  startSession,
} from '../../core/sessions/index.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import type { Environment } from '../../platform/config/config.ts'
import { type DeviceRow, findDevice, putDevice, selectSecondFactors } from './repository.ts'

const AGENT_LENGTH_MAX = 200

/** The tokens that a browser gets, with a session or on the way to one. */
export interface BrowserTokens {
  readonly stage: Stage
  readonly session: string
  /** The new token of a browser that was unknown. */
  readonly device: string | undefined
}

/** The browser, if the user has signed in with it before. */
export const knownDevice = (
  { db }: Pick<Core, 'db'>,
  personId: bigint | undefined,
  { device }: Browser,
): Promise<DeviceRow | undefined> =>
  personId === undefined || device === undefined
    ? Promise.resolve(undefined)
    : findDevice(db, personId, hashOfToken(device))

/** How a session starts. */
interface SessionStart {
  readonly browser: Browser
  readonly by: By
  /** The merchant, if it is not the first one of which the user is a team member. */
  readonly merchantId?: bigint
  readonly way: string
  /** Set if the method was a second factor too. */
  readonly secondFactorAt?: Date | null
}

/** Starts a session for an authenticated user, for the named merchant or for the user's first one. */
export async function openSession(
  { core, environment }: { readonly core: Core; readonly environment: Environment },
  unit: UnitOfWork,
  person: Pick<PersonRow, 'id' | 'email' | 'operatorRole'>,
  { browser, by, merchantId, way, secondFactorAt = null }: SessionStart,
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
    at,
  })
  const isShown = !hasSecondFactor || secondFactorAt !== null
  const stage = !isShown ? 'second-factor' : hasSecondFactor || environment === 'sandbox' ? 'in' : 'enrolment'
  audit(unit, { ...by, merchantId: team ?? NO_MERCHANT, act: 'sign-in', details: { way, stage } })
  // A browser becomes known only once sign-in is complete, so a stolen password alone makes none known.
  const device = stage === 'in' ? await rememberDevice(unit, { personId, deviceId }, browser, at) : undefined
  return { stage, session, device }
}

/** Marks a browser as known; returns its token if it had none yet. */
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

/** Sets the browser's cookies. */
export function setCookies(browser: Browser, { session, device }: Pick<BrowserTokens, 'session' | 'device'>): void {
  browser.keepSession(session)
  if (device !== undefined) browser.keepDevice(device)
}
