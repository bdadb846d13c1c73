import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Environment } from '../../../platform/config/config.ts'

/** State of a dashboard browser, in cookies that no script and no other site can read. */
export interface Browser {
  readonly session: string | undefined
  /** Identifies the browser, no matter which user is signed in. */
  readonly device: string | undefined
  readonly agent: string
  /** Sets or clears the browser's session cookie. */
  readonly keepSession: (token: string | undefined) => void
  readonly keepDevice: (token: string) => void
  /** The token of the single sign-on in progress. */
  readonly signOn: string | undefined
  readonly keepSignOn: (token: string | undefined) => void
}

export interface Cookies {
  readonly environment: Environment
  readonly dashboardUrl: () => string
}

const DEVICE_SECONDS = 365 * 86_400
/** How long a user may take at their identity provider. */
export const SIGN_ON_SECONDS = 600
const COOKIES_LENGTH_MAX = 4_096

/**
 * Returns the prefix of cookie names. With `__Host-`, browsers accept a cookie only over TLS, from this host and for
 * all paths. A sandbox without TLS uses no prefix.
 */
const prefixOf = ({ environment, dashboardUrl }: Cookies): string =>
  environment === 'sandbox' && !dashboardUrl().startsWith('https:') ? '' : '__Host-'

/** Reads and sets a browser's cookies. */
export function browserOf(settings: Cookies, { headers }: FastifyRequest, reply: FastifyReply): Browser {
  const prefix = prefixOf(settings)
  const sent = cookiesIn(headers.cookie)
  const names = { session: `${prefix}kobo`, device: `${prefix}kobo-device`, signOn: `${prefix}kobo-sign-on` }
  const keep = (name: string, value: string, seconds?: number): void => {
    const attributes = ['Path=/', 'HttpOnly', 'SameSite=Lax', ...(prefix === '' ? [] : ['Secure'])]
    const age = seconds === undefined ? [] : [`Max-Age=${seconds}`]
    // One cookie per name: the last one set wins.
    const others = [reply.getHeader('set-cookie') ?? []].flat().map(String)
    reply.removeHeader('set-cookie')
    reply.header('set-cookie', [
      ...others.filter((other) => !other.startsWith(`${name}=`)),
      [`${name}=${value}`, ...attributes, ...age].join('; '),
    ])
  }
  return {
    session: sent.get(names.session),
    device: sent.get(names.device),
    agent: headers['user-agent'] ?? '',
    keepSession: (token) => (token === undefined ? keep(names.session, '', 0) : keep(names.session, token)),
    keepDevice: (token) => keep(names.device, token, DEVICE_SECONDS),
    signOn: sent.get(names.signOn),
    keepSignOn: (token) =>
      token === undefined ? keep(names.signOn, '', 0) : keep(names.signOn, token, SIGN_ON_SECONDS),
  }
}

/** Reads a `Cookie` header. If a name appears twice, the first value counts. */
function cookiesIn(header: string | undefined): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>()
  if (header === undefined || header.length > COOKIES_LENGTH_MAX) return cookies
  for (const part of header.split(';')) {
    const at = part.indexOf('=')
    const name = part.slice(0, at).trim()
    if (at > 0 && !cookies.has(name)) cookies.set(name, part.slice(at + 1).trim())
  }
  return cookies
}
