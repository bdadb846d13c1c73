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
import type { Environment } from '../../platform/config.ts'
import { type DeviceRow, findDevice, seeDevice, selectSecondFactors } from './repository.ts'

const AGENT_LENGTH_MAX = 200

/** What a browser is given when its person comes in, or on the way there. */
export interface Come {
  readonly stage: Stage
  readonly session: string
  /** Where it was not known before: what it is known by from now on. */
  readonly device: string | undefined
}

/** The browser in which a person signs in, where they have come in with it before. */
export const knownDevice = (
  { db }: Pick<Core, 'db'>,
  personId: bigint | undefined,
  { device }: Browser,
): Promise<DeviceRow | undefined> =>
  personId === undefined || device === undefined
    ? Promise.resolve(undefined)
    : findDevice(db, personId, hashOfToken(device))

/** How somebody comes in. */
interface Coming {
  readonly browser: Browser
  readonly by: By
  /** For whom, where that is not the first merchant in whose team they are. */
  readonly merchantId?: bigint
  readonly way: string
  /** Where the way was a second factor too. */
  readonly secondFactorAt?: Date | null
}

/** Starts a session for a person who has proved who they are, for the merchant of a team or the first that there is. */
export async function comeIn(
  { core, environment }: { readonly core: Core; readonly environment: Environment },
  unit: UnitOfWork,
  person: Pick<PersonRow, 'id' | 'email' | 'operatorRole'>,
  { browser, by, merchantId, way, secondFactorAt = null }: Coming,
): Promise<Come> {
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
  // A browser becomes known when its person is in, and not before: who knows a password alone makes none known.
  const device = stage === 'in' ? await becomeKnown(unit, { personId, deviceId }, browser, at) : undefined
  return { stage, session, device }
}

/** Knows a browser from now on; answers its token where it has none of ours yet. */
export async function becomeKnown(
  { tx }: UnitOfWork,
  { personId, deviceId }: { readonly personId: bigint; readonly deviceId: bigint },
  browser: Browser,
  at: Date,
): Promise<string | undefined> {
  // A browser that somebody else has signed in with keeps its token: it is known to each by a row of their own.
  const { token, hash } =
    browser.device === undefined ? newToken() : { token: undefined, hash: hashOfToken(browser.device) }
  const agent = browser.agent.slice(0, AGENT_LENGTH_MAX)
  await seeDevice(tx, { personId, id: deviceId, tokenHash: hash, agent, firstAt: at, lastAt: at })
  return token
}

/** Gives a browser what it is to keep. */
export function give(browser: Browser, { session, device }: Pick<Come, 'session' | 'device'>): void {
  browser.keepSession(session)
  if (device !== undefined) browser.keepDevice(device)
}
