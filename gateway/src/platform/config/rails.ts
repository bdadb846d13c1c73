import { type Hidden, hidden } from '../../kernel/hidden.ts'
import { RAILS } from '../../kernel/rails.ts'

/** The adapter of one partner. */
export interface RailsAddress {
  /** The partner's code, if the operator gives one. */
  readonly code: string | undefined
  readonly url: string
}

/** A partner's secret. Without a code it belongs to the only partner. */
export interface RailsSecret {
  readonly code: string | undefined
  readonly secret: Hidden<string>
}

const PARTNERS_MAX = 16
const NAMED = /^([a-z0-9][a-z0-9-]{0,31})=(.*)$/s
const SECRET = /^\S{32,}$/

const wrong = (reason: string): never => {
  throw new Error(reason)
}

/** Reads one URL, or several with partner codes: `wema=https://…,providus=https://…`. */
export function readRailsAddresses(text: string | undefined): readonly RailsAddress[] {
  if (text === undefined) return []
  const addresses = text.split(',').map((item) => {
    const [, code, address = item.trim()] = NAMED.exec(item.trim()) ?? []
    if (!URL.canParse(address) || !/^https?:/.test(address)) wrong('must be an http or https address')
    return { code, url: address.replace(/\/+$/, '') }
  })
  const codes = new Set(addresses.map(({ code }) => code))
  if (addresses.length > PARTNERS_MAX) wrong(`must list at most ${PARTNERS_MAX} partners`)
  if (addresses.length > 1 && codes.has(undefined)) wrong('must give each of several partners a code: wema=https://…')
  if (codes.size < addresses.length) wrong('must name each partner once')
  // The same part of a ledger account's name is a rail or a partner, so a partner's code must not be a rail's name.
  const taken = RAILS.find((rail) => codes.has(rail))
  if (taken !== undefined) wrong(`must not use the partner code ${taken}: it is reserved in the ledger`)
  return addresses
}

/**
 * Reads the only partner's secret, or one secret per code: `wema=…,providus=…`. The secrets must differ, because the
 * secret that signed a credit identifies the partner.
 */
export function readRailsSecrets(text: string | undefined, addresses: readonly RailsAddress[]): readonly RailsSecret[] {
  if (text === undefined) return []
  const secrets =
    addresses.length > 1 || (addresses[0]?.code !== undefined && text.startsWith(`${addresses[0].code}=`))
      ? text.split(',').map((item) => {
          const [, code, secret = ''] = NAMED.exec(item.trim()) ?? wrong('must give the partner of each secret: wema=…')
          if (!addresses.some((one) => one.code === code))
            wrong(`names ${code}, which is not a partner in KOBO_RAILS_URL`)
          return { code, secret }
        })
      : [{ code: addresses[0]?.code, secret: text }]
  if (secrets.some(({ secret }) => !SECRET.test(secret))) wrong('must be at least 32 characters, without spaces')
  if (new Set(secrets.map(({ code }) => code)).size < secrets.length) wrong('must name each partner once')
  if (new Set(secrets.map(({ secret }) => secret)).size < secrets.length)
    wrong('must differ for each partner: it proves which partner sent a credit')
  return secrets.map(({ code, secret }) => ({ code, secret: hidden(secret) }))
}

export const withoutSecret = (
  addresses: readonly RailsAddress[],
  secrets: readonly RailsSecret[],
): readonly RailsAddress[] => addresses.filter(({ code }) => !secrets.some((one) => one.code === code))
