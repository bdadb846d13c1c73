import {
  ANY_PERSON,
  CSRF_HEADER,
  FIELD_PERMISSIONS,
  FIELDS_OF_FULL_KEY,
  type guardedFieldsOf,
  isFilled,
  personRefusals,
  type Route,
} from '@kobo/contract'
import type { FastifyRequest } from 'fastify'
import { invariant, refusals } from '../../../kernel/errors.ts'
import { equalSecrets } from '../../../platform/crypto.ts'
import type { Core } from '../../core.ts'
import type { Merchant, RestrictedKey } from '../../merchants/index.ts'
import type { Sessions, SignedIn } from '../../sessions/index.ts'
import { checkActive, checkPermissions, checkScope } from './access.ts'

export const personErrors = refusals(personRefusals)

interface Deps {
  readonly core: Core
  readonly sessions: Sessions
  readonly dashboardUrl: () => string
}

/** A calling user, and the merchant they act for, if any. */
interface Identified {
  readonly person: SignedIn
  readonly merchant: Merchant | undefined
}

/**
 * Finds the calling user by the session cookie. Checks the session, the sign-in's progress, the permissions of the
 * merchant and the user, the origin, and a fresh second factor, in this order.
 */
export async function authenticatePerson(deps: Deps, route: Route, request: FastifyRequest): Promise<Identified> {
  const token = request.browser?.session
  const person = token === undefined ? undefined : await deps.sessions.find(token)
  if (person === undefined) throw personErrors.notSignedIn()
  checkStage(person, route)
  checkSignOn(person, route)
  const merchant = await merchantOf(deps.core, person, route)
  checkSite(deps, request)
  if (request.method !== 'GET') checkToken(person, request)
  checkFresh(person, route)
  return { person, merchant }
}

/** Rejects a user who has not finished signing in, except on the routes that finish it. */
function checkStage({ stage }: SignedIn, route: Route): void {
  if (stage === 'in' || stage === route.stage || route.stage === 'second-factor') return
  throw stage === 'enrolment' ? personErrors.secondFactorMissing() : personErrors.secondFactorNeeded()
}

/**
 * Rejects a sign-in that does not fit the route. A sign-in through a team's identity provider gives access to that team
 * only, and a team that requires it accepts no other sign-in.
 */
function checkSignOn({ needsSignOn, isConfined }: SignedIn, { person: needed, stage }: Route): void {
  if (needsSignOn && typeof needed === 'string') throw personErrors.signOnRequired()
  if (isConfined && needed === ANY_PERSON.own && stage !== 'second-factor') throw personErrors.ownSignInNeeded()
}

/** Returns the merchant a user acts for, if any. Rejects a merchant or a user without the route's permission. */
async function merchantOf(
  { directory }: Core,
  { merchantId, may }: SignedIn,
  route: Route,
): Promise<Merchant | undefined> {
  const { person: needed } = route
  invariant(needed !== undefined, 'a dashboard route must declare its permission')
  const merchant = merchantId === undefined ? undefined : await directory.byId(merchantId)
  if (typeof needed !== 'string') return merchant
  if (merchant !== undefined) {
    checkActive(merchant)
    checkPermissions(merchant, route)
  }
  if (!may(needed)) throw personErrors.roleNotAllowed()
  return merchant
}

/** Rejects a route that needs a fresh second factor, if the user presented the last one too long ago. */
function checkFresh({ hasSecondFactor, isConfirmedByProvider, isFresh, stage }: SignedIn, route: Route): void {
  if (route.fresh !== true || isFresh) return
  // There is no second factor to present while setting up the first one.
  if (!hasSecondFactor && route.stage === 'enrolment') return
  const canConfirm = hasSecondFactor || isConfirmedByProvider || stage !== 'in'
  throw canConfirm ? personErrors.notFresh() : personErrors.secondFactorMissing()
}

/** Rejects fields that the user's role or the restricted key may not fill in; an empty list is treated as left out. */
export function checkFields(
  { may }: Pick<SignedIn, 'may'>,
  guarded: ReturnType<typeof guardedFieldsOf>,
  body: unknown,
  key: RestrictedKey | undefined,
): void {
  const fields = body as Readonly<Record<string, unknown>> | undefined
  if (key !== undefined && FIELDS_OF_FULL_KEY.some((field) => fields?.[field] !== undefined))
    checkScope(key, 'keys.manage')
  for (const field of guarded) {
    const value = fields?.[field]
    if (!isFilled(value) || may(FIELD_PERMISSIONS[field])) continue
    if (key !== undefined) checkScope(key, FIELD_PERMISSIONS[field])
    throw personErrors.fieldNotAllowed(field)
  }
}

function checkToken({ csrf }: SignedIn, { headers }: FastifyRequest): void {
  const shown = headers[CSRF_HEADER]
  if (typeof shown !== 'string' || !equalSecrets(shown, csrf)) throw personErrors.crossSite()
}

/** Rejects cross-site requests: only our own pages change anything. */
export function checkSite(
  { dashboardUrl }: Pick<Deps, 'dashboardUrl'>,
  { method, headers, host, protocol }: FastifyRequest,
): void {
  if (method === 'GET') return
  const { origin, 'sec-fetch-site': site } = headers
  const isOwn =
    site === undefined
      ? origin !== undefined && (origin === URL.parse(dashboardUrl())?.origin || origin === `${protocol}://${host}`)
      : site === 'same-origin'
  if (!isOwn) throw personErrors.crossSite()
}
