import {
  accessRefusals,
  addressRefusal,
  isGuarded,
  permissionRefusals,
  permissionsOf,
  type Route,
} from '@kobo/contract'
import type { FastifyRequest } from 'fastify'
import type { Clock } from '../../../kernel/clock.ts'
import { Refusal, refusal, refusals } from '../../../kernel/errors.ts'
import { networkOf } from '../../../platform/addresses.ts'
import { refuseWait } from '../../../platform/http.ts'
import type { TokenHolder, Tokens } from '../../../platform/tokens.ts'
import type { Core } from '../../core.ts'
import { isValidSecret, type Merchant, type Secret } from '../../merchants/index.ts'
import { NO_MERCHANT } from '../../security/audit.ts'
import type { AuditTrail } from '../../security/audit-trail.ts'
import type { SharedLimit } from '../../security/limits.ts'
import { findShownSecret, readBasic } from './credentials.ts'

const accessErrors = refusals(accessRefusals)
const notPermitted = refusals(permissionRefusals)

/** What is written down of a key that somebody tried, which may be anything. */
const API_KEY_SHOWN_MAX = 64

interface Deps {
  readonly core: Core
  readonly tokens: Tokens
}

/**
 * The merchant that calls, by its access token. Refuses tokens, addresses and permissions, in this order. Nearly always
 * the merchant is in memory; then the answer is there at once, without a promise.
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
  // A token ends with the secret that it was given for.
  if (secretId !== undefined && !isValidSecret(merchant, secretId, clock)) throw accessErrors.expiredToken()
  // From here on it is known who calls, also where that is refused: the merchant's log of requests tells of it.
  request.merchant = merchant
  checkStanding(merchant)
  checkAddress(merchant, route, request.ip)
  checkPermissions(merchant, route)
  return merchant
}

const BEARER = /^Bearer +(\S+)\s*$/i
const PLAIN_BEARER = 'Bearer '

/** The token in a header: nearly always as everybody writes it, which is told without looking at all of it. */
function bearer(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const start = PLAIN_BEARER.length
  const isPlain = header.startsWith(PLAIN_BEARER) && header.indexOf(' ', start) < 0 && header.length > start
  return isPlain ? header.slice(start) : BEARER.exec(header)?.[1]
}

interface LoginDeps extends Pick<Deps, 'core'> {
  readonly trail: AuditTrail
  /** Counts logins with wrong keys, over all nodes. */
  readonly wrongLogins: SharedLimit
}

/** The merchant that calls, by its API key and secret key. Each try leaves a record. */
export async function authenticateKeys(deps: LoginDeps, route: Route, request: FastifyRequest): Promise<Merchant> {
  const { ip: address } = request
  const { apiKey, secretKey } = readBasic(request.headers.authorization)
  const claimed = await deps.core.directory.byApiKey(apiKey)
  const name = apiKey.slice(0, API_KEY_SHOWN_MAX)
  const record = { merchantId: claimed?.id ?? NO_MERCHANT, actor: 'api', name, address } as const
  try {
    const { merchant, secret } = await checkKeys(deps, route, claimed, secretKey, address)
    request.secretId = secret.id
    await deps.trail({ ...record, act: 'login' })
    return merchant
  } catch (error) {
    if (error instanceof Refusal)
      await deps.trail({ ...record, act: 'login.refused', details: { refusal: error.code } })
    throw error
  }
}

/**
 * Refuses wrong keys. A caller from outside the merchant's whitelist is told so before its secret is looked at: whoever
 * found one could otherwise learn from anywhere whether it is right. The API key is no secret, so that there is a merchant
 * behind it tells nothing.
 */
async function checkKeys(
  { core, wrongLogins }: LoginDeps,
  route: Route,
  merchant: Merchant | undefined,
  secretKey: string,
  address: string,
): Promise<{ readonly merchant: Merchant; readonly secret: Secret }> {
  // Each by itself: whoever has the wrong keys locks out nobody else, not even in its own network.
  const caller = merchant === undefined ? networkOf(address) : `${networkOf(address)} ${merchant.id}`
  if (merchant !== undefined) checkAddress(merchant, route, address)
  refuseWait(await wrongLogins.usedUp(caller, address))
  const secret = await findShownSecret(core, merchant, secretKey)
  if (merchant === undefined || secret === undefined) {
    refuseWait(await wrongLogins.count(caller, address))
    throw accessErrors.invalidCredentials()
  }
  checkStanding(merchant)
  return { merchant, secret }
}

/** Whoever is suspended or closed may do nothing. */
export function checkStanding({ standing }: Merchant): void {
  if (standing !== 'ACTIVE') throw accessErrors.suspended()
}

/** Refuses callers from outside the merchant's whitelist, on every path of the API. */
function checkAddress(merchant: Merchant, route: Route, address: string): void {
  if (isGuarded(route) && !merchant.isWhitelisted(address)) throw refusal(addressRefusal(route))()
}

/** Refuses what the merchant may not do, whoever asks for it. */
export function checkPermissions({ permissions }: Merchant, route: Route): void {
  for (const permission of permissionsOf(route)) if (!permissions.includes(permission)) throw notPermitted[permission]()
}
