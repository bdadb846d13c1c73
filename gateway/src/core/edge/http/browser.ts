import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Environment } from '../../../platform/config.ts'

/** What a browser that calls the dashboard keeps for us, in cookies that no script and no other site reads. */
export interface Browser {
  /** The token of its session. */
  readonly session: string | undefined
  /** What it is known by, whoever signs in with it. */
  readonly device: string | undefined
  /** What it says of itself. */
  readonly agent: string
  /** Gives it a session, or takes it away. */
  readonly keepSession: (token: string | undefined) => void
  readonly keepDevice: (token: string) => void
}

export interface Cookies {
  readonly environment: Environment
  readonly dashboardUrl: () => string
}

const DEVICE_SECONDS = 365 * 86_400
const COOKIES_LENGTH_MAX = 4_096

/**
 * Browsers take the prefix for a promise: set over TLS, by this very host, for all its paths. A sandbox without TLS cannot
 * give it, and has plain names.
 */
const prefixOf = ({ environment, dashboardUrl }: Cookies): string =>
  environment === 'sandbox' && !dashboardUrl().startsWith('https:') ? '' : '__Host-'

/** Reads what a browser keeps, and lets it keep other things. */
export function browserOf(settings: Cookies, { headers }: FastifyRequest, reply: FastifyReply): Browser {
  const prefix = prefixOf(settings)
  const sent = cookiesIn(headers.cookie)
  const names = { session: `${prefix}kobo`, device: `${prefix}kobo-device` }
  const keep = (name: string, value: string, seconds?: number): void => {
    const attributes = ['Path=/', 'HttpOnly', 'SameSite=Lax', ...(prefix === '' ? [] : ['Secure'])]
    const age = seconds === undefined ? [] : [`Max-Age=${seconds}`]
    // One of a name: the last one given counts.
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
  }
}

/** Names and values of a header `Cookie`; one that is sent twice counts as its first. */
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
