import type { Permission, Route } from '@kobo/contract'
import type { FastifyRequest } from 'fastify'
import { refusal } from '../../kernel/errors.ts'
import type { Tokens } from '../../platform/tokens.ts'
import type { Core } from '../core.ts'
import type { Merchant } from '../merchants/index.ts'
import { checkCredentials } from './credentials.ts'

export const accessErrors = {
  missingToken: refusal(401, () => 'Access token is missing: send the header Authorization: Bearer <access token>'),
  malformedToken: refusal(401, () => 'Access token is not valid'),
  expiredToken: refusal(401, () => 'Access token has expired: log in again'),
  notPermitted: refusal(403, () => 'Merchant is not permitted to perform this operation'),
  addressNotWhitelisted: (path: string) =>
    refusal(403, () => 'Calls from this IP address are not allowed', { code: isDisbursement(path) ? 'D06' : '99' })(),
}

const isDisbursement = (path: string): boolean => path.includes('/disbursements/')
/** The sandbox's own controls stay reachable, so that a developer who locked himself out can undo it. */
const isGuarded = (path: string): boolean => path.startsWith('/api/')

interface Deps {
  readonly core: Core
  readonly tokens: Tokens
}

/**
 * The merchant that calls, by its access token. Refuses tokens, addresses and permissions, in this order. Nearly always
 * the merchant is in memory; then the answer is there at once, without a promise.
 */
export function authenticate(
  { core: { directory }, tokens }: Deps,
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
    ? directory.byId(reading.merchantId).then((merchant) => admit(merchant, route, request))
    : admit(known, route, request)
}

function admit(merchant: Merchant | undefined, route: Route, { ip }: FastifyRequest): Merchant {
  if (merchant === undefined) throw accessErrors.malformedToken()
  checkAddress(merchant, route, ip)
  if (route.permission !== undefined) checkPermission(merchant, route.permission)
  return merchant
}

const BEARER = /^Bearer +(\S+)\s*$/i
const bearer = (header: string | undefined): string | undefined =>
  header === undefined ? undefined : BEARER.exec(header)?.[1]

/** The merchant that calls, by its API key and secret key. Refuses wrong keys, then addresses. */
export async function authenticateKeys(core: Core, route: Route, request: FastifyRequest): Promise<Merchant> {
  const merchant = await checkCredentials(core, request.headers.authorization)
  checkAddress(merchant, route, request.ip)
  return merchant
}

/** Refuses callers from outside the merchant's whitelist, on every path of the API. */
function checkAddress(merchant: Merchant, { path }: Route, address: string): void {
  if (isGuarded(path) && !merchant.isWhitelisted(address)) throw accessErrors.addressNotWhitelisted(path)
}

function checkPermission({ permissions }: Merchant, permission: Permission): void {
  if (!permissions.includes(permission)) throw accessErrors.notPermitted()
}
