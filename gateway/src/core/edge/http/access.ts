import {
  accessRefusals,
  addressRefusal,
  isGuarded,
  permissionRefusals,
  permissionsOf,
  type Route,
  type Scope,
  scopeOf,
} from '@kobo/contract'
import type { FastifyRequest } from 'fastify'
import type { Clock } from '../../../kernel/clock.ts'
import { Refusal, refusal, refusals } from '../../../kernel/errors.ts'
import type { TokenHolder, Tokens } from '../../../platform/http/access-tokens.ts'
import { networkOf } from '../../../platform/http/ip-addresses.ts'
import type { Counter } from '../../../platform/http/rate-limit.ts'
import { rejectIfLimited } from '../../../platform/http/server.ts'
import type { Core } from '../../core.ts'
import { isApiKey } from '../../environment.ts'
import { isCurrent, isValidSecret, type Merchant, type RestrictedKey } from '../../merchants/index.ts'
import { NO_MERCHANT, unknownName } from '../../security/audit.ts'
import type { AuditTrail } from '../../security/audit-trail.ts'
import type { SharedLimit } from '../../security/limits.ts'
import { nameOf } from './caller.ts'
import { findPresentedKey, type PresentedKey, type PresentedKeys, parseBasic, readBasic } from './credentials.ts'

const accessErrors = refusals(accessRefusals)
const notPermitted = refusals(permissionRefusals)

interface Deps {
  readonly core: Core
  readonly tokens: Tokens
}

interface LoginDeps extends Pick<Deps, 'core'> {
  readonly trail: AuditTrail
  /** Counts failed logins across all nodes. */
  readonly wrongLogins: SharedLimit
}

interface CallDeps extends LoginDeps {
  /** Counts calls that send API keys (`Basic`) instead of a token. */
  readonly keyCalls: Counter
}

/**
 * Finds the calling merchant by its access token. Checks the token, the IP address and the permission, in this order.
 * Returns without a promise if the merchant is cached, as it nearly always is.
 */
export function authenticate(
  { core: { directory, clock }, tokens }: Deps,
  route: Route,
  request: FastifyRequest,
): Merchant | Promise<Merchant> {
  const token = bearer(request.headers.authorization)
  if (token === undefined) throw accessErrors.missingToken()
  const reading = tokens.read(token)
  if (reading.kind === 'expired') throw accessErrors.expiredToken()
  if (reading.kind === 'malformed') throw accessErrors.malformedToken()
  const known = directory.known(reading.merchantId)
  return known === undefined
    ? directory.byId(reading.merchantId).then((merchant) => admit(merchant, reading, clock, route, request))
    : admit(known, reading, clock, route, request)
}

function admit(
  merchant: Merchant | undefined,
  { secretId }: TokenHolder,
  clock: Clock,
  route: Route,
  request: FastifyRequest,
): Merchant {
  if (merchant === undefined) throw accessErrors.malformedToken()
  // A token expires with the key it was issued for.
  const key =
    secretId === undefined || isValidSecret(merchant, secretId, clock)
      ? undefined
      : restrictedKey(merchant, secretId, clock)
  // The caller is known from here on, so even a rejected request appears in the merchant's request log.
  request.merchant = merchant
  request.key = key
  checkActive(merchant)
  checkAddress(merchant, route, request.ip)
  if (key !== undefined) {
    checkAddress(key, route, request.ip)
    checkScopeOf(route, key)
  }
  checkPermissions(merchant, route)
  return merchant
}

function restrictedKey({ restrictedKeys }: Merchant, id: bigint, clock: Clock): RestrictedKey {
  const key = restrictedKeys.get(id)
  if (key === undefined || !isCurrent(key, clock.now())) throw accessErrors.expiredToken()
  return key
}

/** Rejects a restricted key without the route's scope. */
function checkScopeOf(route: Route, key: RestrictedKey): void {
  const scope = scopeOf(route)
  if (scope !== undefined) checkScope(key, scope)
}

/** Rejects a restricted key that lacks the given scope. */
export function checkScope({ may }: RestrictedKey, scope: Scope | 'keys.manage'): void {
  if (!may(scope)) throw accessErrors.scopeMissing(scope)
}

const BEARER = /^Bearer +(\S+)\s*$/i
const PLAIN_BEARER = 'Bearer '

/** Returns the token in a header. The usual form is recognized without a regular expression, which is faster. */
function bearer(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const start = PLAIN_BEARER.length
  const isPlain = header.startsWith(PLAIN_BEARER) && header.indexOf(' ', start) < 0 && header.length > start
  return isPlain ? header.slice(start) : BEARER.exec(header)?.[1]
}

/**
 * Finds the merchant by its API key and secret key. Audits every attempt; once a caller has failed too often, it only
 * counts further attempts.
 */
export async function authenticateKeys(deps: LoginDeps, route: Route, request: FastifyRequest): Promise<Merchant> {
  const { apiKey, secretKey } = readBasic(request.headers.authorization)
  const claimed = await deps.core.directory.byApiKey(apiKey)
  return checkLogin(deps, route, request, claimed, { apiKey, secretKey })
}

const BASIC = /^Basic /i

/** Whether a request has API keys instead of a token. */
export const hasKeys = ({ headers: { authorization } }: FastifyRequest): boolean =>
  authorization !== undefined && BASIC.test(authorization)

/** At most this many networks of a merchant have their calls with keys audited. */
const NETWORKS_AUDITED_MAX = 100
/**
 * The networks whose calls were audited, by merchant. Each entry is forgotten when the merchant is read from the
 * database again, every few minutes.
 */
const auditedCalls = new WeakMap<Merchant, Set<string>>()

/**
 * Authenticates by API keys on a route that needs a token, for merchants whose older clients never log in. Other
 * merchants get the error for a missing token. Calls with keys have their own limit and are audited once per network
 * every few minutes.
 */
export async function authenticateCall(deps: CallDeps, route: Route, request: FastifyRequest): Promise<Merchant> {
  const { ip } = request
  rejectIfLimited(deps.keyCalls.usedUp(ip))
  deps.keyCalls.count(ip)
  const given = parseBasic(request.headers.authorization ?? '')
  const claimed = given && (await deps.core.directory.byApiKey(given.apiKey))
  if (given === undefined || claimed?.compat.includes('basicAuthentication') !== true) throw accessErrors.missingToken()
  const networks = auditedCalls.get(claimed) ?? new Set()
  const isAuditedAlready = networks.has(networkOf(ip)) || networks.size >= NETWORKS_AUDITED_MAX
  const merchant = await checkLogin(deps, route, request, claimed, given, isAuditedAlready ? null : 'login.call')
  auditedCalls.set(claimed, networks.add(networkOf(ip)))
  request.merchant = merchant
  if (request.key !== undefined) checkScopeOf(route, request.key)
  checkPermissions(merchant, route)
  return merchant
}

/** Rejects wrong keys, and limits failed logins. Audits a success as `act`, unless `act` is null. */
async function checkLogin(
  deps: LoginDeps,
  route: Route,
  request: FastifyRequest,
  claimed: Merchant | undefined,
  { apiKey, secretKey }: PresentedKeys,
  act: string | null = 'login',
): Promise<Merchant> {
  const { ip: address } = request
  const name = claimed?.apiKey ?? (isApiKey(apiKey) ? apiKey : unknownName(deps.core.keyring, apiKey))
  const record = { merchantId: claimed?.id ?? NO_MERCHANT, actor: 'api', name, address } as const
  const rejected = { ...record, act: 'login.refused' }
  // Counted per network and merchant: wrong keys do not lock out other merchants in the same network.
  const caller = claimed === undefined ? networkOf(address) : `${networkOf(address)} ${claimed.id}`
  rejectIfLimited(await deps.wrongLogins.usedUp(caller, address, rejected))
  try {
    const { merchant, given } = await checkKeys(deps, route, claimed, secretKey, address)
    request.secretId = given.id
    request.key = given.restricted
    if (act !== null) await deps.trail({ ...record, name: nameOf(merchant, given.restricted), act })
    return merchant
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    rejectIfLimited(await deps.wrongLogins.count(caller, address, rejected))
    await deps.trail({ ...rejected, details: { refusal: error.code } })
    throw error
  }
}

/**
 * Rejects wrong keys. A caller outside the IP whitelist is rejected before the secret is compared, so a stolen secret
 * cannot be tested from elsewhere. This reveals that the API key exists, which does no harm, because API keys are
 * public.
 */
async function checkKeys(
  { core }: LoginDeps,
  route: Route,
  merchant: Merchant | undefined,
  secretKey: string,
  address: string,
): Promise<{ readonly merchant: Merchant; readonly given: PresentedKey }> {
  if (merchant !== undefined) checkAddress(merchant, route, address)
  const given = await findPresentedKey(core, merchant, secretKey)
  if (merchant === undefined || given === undefined) throw accessErrors.invalidCredentials()
  if (given.restricted !== undefined) checkAddress(given.restricted, route, address)
  checkActive(merchant)
  return { merchant, given }
}

/** Rejects suspended and closed merchants. */
export function checkActive({ standing }: Merchant): void {
  if (standing !== 'ACTIVE') throw accessErrors.suspended()
}

/** Rejects an API call from an address that is not on the IP whitelist of the merchant or of the restricted key. */
function checkAddress({ isWhitelisted }: Pick<Merchant, 'isWhitelisted'>, route: Route, address: string): void {
  if (isGuarded(route) && !isWhitelisted(address)) throw refusal(addressRefusal(route))()
}

/** Rejects routes that the merchant has no permission for. */
export function checkPermissions({ permissions }: Merchant, route: Route): void {
  for (const permission of permissionsOf(route)) if (!permissions.includes(permission)) throw notPermitted[permission]()
}
