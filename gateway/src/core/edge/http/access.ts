import { accessRefusals, addressRefusal, isGuarded, type Permission, type Route } from '@kobo/contract'
import type { FastifyRequest } from 'fastify'
import { refusal, refusals } from '../../../kernel/errors.ts'
import type { Tokens } from '../../../platform/tokens.ts'
import type { Core } from '../../core.ts'
import type { Merchant } from '../../merchants/index.ts'
import { checkCredentials } from './credentials.ts'

const accessErrors = refusals(accessRefusals)

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
function checkAddress(merchant: Merchant, route: Route, address: string): void {
  if (isGuarded(route) && !merchant.isWhitelisted(address)) throw refusal(addressRefusal(route))()
}

function checkPermission({ permissions }: Merchant, permission: Permission): void {
  if (!permissions.includes(permission)) throw accessErrors.notPermitted()
}
