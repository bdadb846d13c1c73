import {
  accessRefusals,
  addressRefusal,
  isGuarded,
  permissionRefusals,
  permissionsOf,
  type Route,
} from '@kobo/contract'
import type { FastifyRequest } from 'fastify'
import { Refusal, refusal, refusals } from '../../../kernel/errors.ts'
import type { TokenHolder, Tokens } from '../../../platform/tokens.ts'
import type { Core } from '../../core.ts'
import { type Merchant, validSecrets } from '../../merchants/index.ts'
import { NO_MERCHANT } from '../../security/audit.ts'
import type { AuditTrail } from '../../security/audit-trail.ts'
import { checkCredentials, readBasic } from './credentials.ts'

const accessErrors = refusals(accessRefusals)
const notPermitted = refusals(permissionRefusals)

/** What is written down of a key that somebody tried, which may be anything. */
const API_KEY_SHOWN_MAX = 64

interface Deps {
  readonly core: Core
  readonly tokens: Tokens
  readonly trail: AuditTrail
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
    ? directory.byId(reading.merchantId).then((merchant) => admit(merchant, reading, clock.now(), route, request))
    : admit(known, reading, clock.now(), route, request)
}

function admit(
  merchant: Merchant | undefined,
  { secretId }: TokenHolder,
  at: Date,
  route: Route,
  { ip }: FastifyRequest,
): Merchant {
  if (merchant === undefined) throw accessErrors.malformedToken()
  // A token ends with the secret that it was given for.
  if (secretId !== undefined && !validSecrets(merchant, at).some(({ id }) => id === secretId))
    throw accessErrors.expiredToken()
  checkStanding(merchant)
  checkAddress(merchant, route, ip)
  checkPermissions(merchant, route)
  return merchant
}

const BEARER = /^Bearer +(\S+)\s*$/i
const bearer = (header: string | undefined): string | undefined =>
  header === undefined ? undefined : BEARER.exec(header)?.[1]

/** The merchant that calls, by its API key and secret key. Refuses wrong keys, then addresses. Each try leaves a record. */
export async function authenticateKeys(
  { core, trail }: Deps,
  route: Route,
  request: FastifyRequest,
): Promise<Merchant> {
  const { ip: address } = request
  const shown = readBasic(request.headers.authorization)
  let merchantId = NO_MERCHANT
  try {
    const { merchant, secret } = await checkCredentials(core, shown)
    merchantId = merchant.id
    checkStanding(merchant)
    checkAddress(merchant, route, address)
    request.secretId = secret.id
    await trail({ merchantId, act: 'login', actor: 'api', name: shown.apiKey, address })
    return merchant
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const name = shown.apiKey.slice(0, API_KEY_SHOWN_MAX)
    await trail({ merchantId, act: 'login.refused', actor: 'api', name, address, details: { refusal: error.code } })
    throw error
  }
}

/** Whoever is suspended or closed may do nothing. */
function checkStanding({ standing }: Merchant): void {
  if (standing !== 'ACTIVE') throw accessErrors.suspended()
}

/** Refuses callers from outside the merchant's whitelist, on every path of the API. */
function checkAddress(merchant: Merchant, route: Route, address: string): void {
  if (isGuarded(route) && !merchant.isWhitelisted(address)) throw refusal(addressRefusal(route))()
}

function checkPermissions({ permissions }: Merchant, route: Route): void {
  for (const permission of permissionsOf(route)) if (!permissions.includes(permission)) throw notPermitted[permission]()
}
