import { permissionsOf } from './permissions.ts'
import { personalFields } from './personal-data.ts'
import type { Refusal } from './refusal.ts'
import {
  accessRefusals,
  idempotencyRefusals,
  permissionRefusals,
  personRefusals,
  requestRefusals,
} from './refusals/index.ts'
import { ANY_PERSON, guardedFieldsOf } from './roles.ts'
import { type Route, scopeOf, twoPeopleOf } from './route.ts'

/** Fields of responses to users that are secrets. */
const SECRET_FIELDS = ['secretKey', 'token', 'secret', 'backupCodes']

const returnsSecret = ({ reply }: Route): boolean => {
  const { properties = {} } = reply as { readonly properties?: object }
  return SECRET_FIELDS.some((field) => field in properties)
}

/**
 * Whether a request may have an `Idempotency-Key`. Logins and new keys may not: their responses are secrets and are
 * never stored.
 */
export const isRepeatable = (route: Route): boolean => {
  const { method, access = 'token', stage } = route
  if (method !== 'POST') return false
  return access === 'token' || (access === 'person' && stage === undefined && !returnsSecret(route))
}

/**
 * Whether the merchant's IP whitelist applies. Sandbox routes are exempt, so that a developer who is locked out can
 * undo it.
 */
export const isGuarded = ({ path }: Route): boolean => path.startsWith('/api/')

/** The error for callers outside the IP whitelist. */
export const addressRefusal = ({ path }: Route): Refusal =>
  path.includes('/disbursements/') ? accessRefusals.addressNotAllowedToTransfer : accessRefusals.addressNotAllowed

/** The error for an invalid field, with the route's `responseCode`. */
export const fieldRefusal = (responseCode = requestRefusals.malformedField.responseCode) => ({
  ...requestRefusals.malformedField,
  responseCode,
})

/** Whether a route is only for Kobo's own pages. Their requests need CSRF protection. */
export const isForBrowser = ({ path }: Route): boolean => path.startsWith('/dashboard/')

/** Whether a dashboard route belongs to no merchant: it is about the user's own account, or for operators. */
const isPersonal = ({ access, person }: Route): boolean =>
  access === 'person' && (typeof person !== 'string' || person.startsWith('operator.'))

/** The errors that reject a user of the dashboard on this route. */
function refusalsOfPerson(route: Route): readonly Refusal[] {
  const { person, stage, fresh, query } = route
  const { notSignedIn, secondFactorNeeded, secondFactorMissing, notFresh, roleNotAllowed } = personRefusals
  return [
    notSignedIn,
    ...(stage === 'second-factor' ? [] : [secondFactorNeeded]),
    ...(stage === undefined ? [secondFactorMissing] : []),
    ...(fresh === true ? [notFresh] : []),
    ...(typeof person === 'string' ? [roleNotAllowed, personRefusals.signOnRequired] : []),
    ...(person === ANY_PERSON.own && stage !== 'second-factor' ? [personRefusals.ownSignInNeeded] : []),
    ...(twoPeopleOf(route) === undefined ? [] : [personRefusals.secondPersonNeeded]),
    ...(guardedFieldsOf(route).length > 0 ? [personRefusals.fieldNotAllowed] : []),
    ...(personalFields(query).length > 0 ? [personRefusals.personalDataNotAllowed] : []),
  ]
}

/** All errors of a route: its own, and those that follow from its access rules. */
export function refusalsOf(route: Route): readonly Refusal[] {
  const { access = 'token', method, params, query } = route
  const isMerchants = access !== 'open' && !isPersonal(route)
  // Requests without a body schema are included: an unreadable body is never ignored.
  const readsBody = method !== 'GET'
  const { missingToken, malformedToken, expiredToken, missingCredentials, invalidCredentials, scopeMissing } =
    accessRefusals
  const { malformedRequest, invalidJson, bodyTooLarge, notJson, tooManyRequests, internalError } = requestRefusals
  const { busy, notReady, databaseAway, outcomeUnknown } = requestRefusals
  return [
    ...((params ?? query) === undefined && !readsBody ? [] : [fieldRefusal(route.fieldErrorCode)]),
    ...(params === undefined ? [] : [malformedRequest]),
    ...(readsBody ? [invalidJson, bodyTooLarge, notJson] : []),
    ...(route.refusals ?? []),
    ...(isRepeatable(route) ? Object.values(idempotencyRefusals) : []),
    ...{
      token: [missingToken, malformedToken, expiredToken, ...(scopeOf(route) === undefined ? [] : [scopeMissing])],
      keys: [missingCredentials, invalidCredentials],
      person: refusalsOfPerson(route),
      open: [],
    }[access],
    ...(isForBrowser(route) && method !== 'GET' ? [personRefusals.crossSite] : []),
    ...(isMerchants ? [accessRefusals.suspended] : []),
    ...(access !== 'open' && isGuarded(route) ? [addressRefusal(route)] : []),
    ...permissionsOf(route).map((permission) => permissionRefusals[permission]),
    tooManyRequests,
    notReady,
    busy,
    databaseAway,
    outcomeUnknown,
    internalError,
  ]
}
