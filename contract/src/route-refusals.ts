import { permissionsOf } from './permissions.ts'
import type { Refusal } from './refusal.ts'
import {
  accessRefusals,
  idempotencyRefusals,
  permissionRefusals,
  personRefusals,
  requestRefusals,
} from './refusals/index.ts'
import type { Route } from './route.ts'

/** Whether a request may carry an `Idempotency-Key`. A login or a step of signing in may not: its answer is a secret, and is not kept. */
export const isRepeatable = ({ method, access = 'token', stage }: Route): boolean =>
  method === 'POST' && (access === 'token' || (access === 'person' && stage === undefined))

/** Whether the merchant's IP whitelist holds. The sandbox's own controls are exempt, so that who locked himself out can undo it. */
export const isGuarded = ({ path }: Route): boolean => path.startsWith('/api/')

/** How a route refuses callers from outside the whitelist. */
export const addressRefusal = ({ path }: Route): Refusal =>
  path.includes('/disbursements/') ? accessRefusals.addressNotAllowedToTransfer : accessRefusals.addressNotAllowed

/** How a field is refused, under the `responseCode` that the route has for that. */
export const fieldRefusal = (responseCode = requestRefusals.malformedField.responseCode) => ({
  ...requestRefusals.malformedField,
  responseCode,
})

/** Whether a route is for pages of our own, in a browser: what it changes is done for no other site. */
export const isForBrowser = ({ path }: Route): boolean => path.startsWith('/dashboard/')

/** Whether a route for people is about no merchant: a person's own affairs, or the operator's. */
const isPersonal = ({ access, person }: Route): boolean =>
  access === 'person' && (typeof person !== 'string' || person.startsWith('operator.'))

/** How a person is turned away, by what the route asks for. */
function refusalsOfPerson({ person, stage, fresh }: Route): readonly Refusal[] {
  const { notSignedIn, secondFactorNeeded, secondFactorMissing, notFresh, roleNotAllowed } = personRefusals
  return [
    notSignedIn,
    ...(stage === 'second-factor' ? [] : [secondFactorNeeded]),
    ...(stage === undefined ? [secondFactorMissing] : []),
    ...(fresh === true ? [notFresh] : []),
    ...(typeof person === 'string' ? [roleNotAllowed] : []),
  ]
}

/** Every refusal with which a route may answer: its own, and those that follow from what it asks for. */
export function refusalsOf(route: Route): readonly Refusal[] {
  const { access = 'token', method, params, query } = route
  const isMerchants = access !== 'open' && !isPersonal(route)
  // Also where none is asked for: one that cannot be read is not overlooked.
  const readsBody = method !== 'GET'
  const { missingToken, malformedToken, expiredToken, missingCredentials, invalidCredentials } = accessRefusals
  const { malformedRequest, invalidJson, bodyTooLarge, notJson, tooManyRequests, internalError } = requestRefusals
  const { busy, notReady, databaseAway, outcomeUnknown } = requestRefusals
  return [
    ...((params ?? query) === undefined && !readsBody ? [] : [fieldRefusal(route.fieldErrorCode)]),
    ...(params === undefined ? [] : [malformedRequest]),
    ...(readsBody ? [invalidJson, bodyTooLarge, notJson] : []),
    ...(route.refusals ?? []),
    ...(isRepeatable(route) ? Object.values(idempotencyRefusals) : []),
    ...{
      token: [missingToken, malformedToken, expiredToken],
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
