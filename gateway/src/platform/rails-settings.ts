import { type Hidden, hidden } from '../kernel/hidden.ts'

/** An adapter to one partner. */
export interface RailsAddress {
  /** What the partner is called, where the operator says so. */
  readonly code: string | undefined
  readonly url: string
}

/** A secret, of one partner or of the only one. */
export interface RailsSecret {
  readonly code: string | undefined
  readonly secret: Hidden<string>
}

/** By which means money comes and goes; `transfers` is what is paid out, `funding` the sandbox's play money, `own` the operator's own. */
export const RAILS = ['bank-transfer', 'card', 'direct-debit', 'cash', 'transfers', 'bills', 'funding', 'own'] as const

const PARTNERS_MAX = 16
const NAMED = /^([a-z0-9][a-z0-9-]{0,31})=(.*)$/s
const SECRET = /^\S{32,}$/

const wrong = (reason: string): never => {
  throw new Error(reason)
}

/** One address; or several, each with the code of its partner: `wema=https://…,providus=https://…`. */
export function readRailsAddresses(text: string | undefined): readonly RailsAddress[] {
  if (text === undefined) return []
  const addresses = text.split(',').map((item) => {
    const [, code, address = item.trim()] = NAMED.exec(item.trim()) ?? []
    if (!URL.canParse(address) || !/^https?:/.test(address)) wrong('must be an http or https address')
    return { code, url: address.replace(/\/+$/, '') }
  })
  const codes = new Set(addresses.map(({ code }) => code))
  if (addresses.length > PARTNERS_MAX) wrong(`must hold ${PARTNERS_MAX} partners at the most`)
  if (addresses.length > 1 && codes.has(undefined)) wrong('must name each of several partners, as wema=https://…')
  if (codes.size < addresses.length) wrong('must name each partner once')
  // The books have an account of each rail and one of each partner side by side.
  const taken = RAILS.find((rail) => codes.has(rail))
  if (taken !== undefined) wrong(`must not call a partner ${taken}: the books call something else so`)
  return addresses
}

/**
 * The secret of the only partner; or one of each, by its code: `wema=…,providus=…`. Each has its own, since by the secret
 * that signed a credit it is known whose it is.
 */
export function readRailsSecrets(text: string | undefined, addresses: readonly RailsAddress[]): readonly RailsSecret[] {
  if (text === undefined) return []
  const secrets =
    addresses.length > 1 || (addresses[0]?.code !== undefined && text.startsWith(`${addresses[0].code}=`))
      ? text.split(',').map((item) => {
          const [, code, secret = ''] =
            NAMED.exec(item.trim()) ?? wrong('must name the partner of each secret, as wema=…')
          if (!addresses.some((one) => one.code === code)) wrong(`names ${code}, which is no partner of KOBO_RAILS_URL`)
          return { code, secret }
        })
      : [{ code: addresses[0]?.code, secret: text }]
  if (secrets.some(({ secret }) => !SECRET.test(secret))) wrong('must be at least 32 characters, without blanks')
  if (new Set(secrets.map(({ code }) => code)).size < secrets.length) wrong('must name each partner once')
  if (new Set(secrets.map(({ secret }) => secret)).size < secrets.length)
    wrong('must be another for each partner: by it a credit is known to be theirs')
  return secrets.map(({ code, secret }) => ({ code, secret: hidden(secret) }))
}

/** The partners that have no secret. */
export const withoutSecret = (
  addresses: readonly RailsAddress[],
  secrets: readonly RailsSecret[],
): readonly RailsAddress[] => addresses.filter(({ code }) => !secrets.some((one) => one.code === code))
