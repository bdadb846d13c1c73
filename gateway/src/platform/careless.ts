import { readHosts } from './database-hosts.ts'

/**
 * What a live gateway does not do unless KOBO_ALLOW names it: each lets secrets travel or lie where others can reach them,
 * or lacks something that a payment needs.
 */
export const CARELESSNESS = [
  'embedded-database',
  'plain-database',
  'plain-http',
  'plain-public-url',
  'plain-dashboard-url',
  'no-rails',
  'plain-rails',
  'no-mail',
  'plain-mail',
  'plain-receivers',
  'private-receivers',
  'no-rate-limit',
] as const
export type Carelessness = (typeof CARELESSNESS)[number]

/** Who reads the settings: a command needs the database alone. */
export type Program = 'gateway' | 'command'

/** The settings that are looked at. */
interface Settings {
  readonly environment: 'sandbox' | 'live'
  readonly databaseUrl: string | undefined
  readonly vaultDatabaseUrl: string | undefined
  readonly migrationDatabaseUrl: string | undefined
  readonly publicUrl: string | undefined
  readonly dashboardUrl: string | undefined
  readonly railsAddresses: readonly { readonly url: string }[]
  readonly smtpUrl: string | undefined
  readonly trustedProxies: readonly string[]
  readonly privateReceivers: boolean
  readonly rateLimit: { readonly perMinute: number }
  readonly allowed: readonly Carelessness[]
}

interface Check {
  /** Where it is mended. */
  readonly setting: string
  readonly program: Program
  /** What is careless, or nothing where all is well. */
  readonly find: (settings: Settings) => string | false
}

const CHECKS: Readonly<Record<Carelessness, Check>> = {
  'embedded-database': {
    setting: 'DATABASE_URL',
    program: 'command',
    find: ({ databaseUrl }) =>
      databaseUrl === undefined && 'is not set: the embedded PostgreSQL has no standby and no backups',
  },
  'plain-database': {
    setting: 'DATABASE_URL',
    program: 'command',
    find: ({ databaseUrl, vaultDatabaseUrl, migrationDatabaseUrl }) =>
      [databaseUrl, vaultDatabaseUrl, migrationDatabaseUrl].some((url) => url !== undefined && isPlainDatabase(url)) &&
      'has no sslmode=verify-full: what is stored and read would travel in clear, or to whoever answers',
  },
  'plain-http': {
    setting: 'KOBO_TRUSTED_PROXIES',
    program: 'gateway',
    find: ({ trustedProxies }) =>
      trustedProxies.length === 0 &&
      'is not set: the gateway speaks plain HTTP, so a proxy that speaks TLS must be in front of it',
  },
  'plain-public-url': {
    setting: 'KOBO_PUBLIC_URL',
    program: 'gateway',
    find: ({ publicUrl }) =>
      publicUrl === undefined
        ? 'is not set: payers would be sent to an address that is not theirs to reach'
        : isPlain(publicUrl) && 'is http://: payers would type their cards into a page that others can read',
  },
  'plain-dashboard-url': {
    setting: 'KOBO_DASHBOARD_URL',
    program: 'gateway',
    find: ({ dashboardUrl }) =>
      dashboardUrl !== undefined &&
      isPlain(dashboardUrl) &&
      'is http://: people would type their passwords into a page that others can read',
  },
  'no-rails': {
    setting: 'KOBO_RAILS_URL',
    program: 'gateway',
    find: ({ railsAddresses }) =>
      railsAddresses.length === 0 && 'is not set: money can neither be received nor sent without a partner',
  },
  'plain-rails': {
    setting: 'KOBO_RAILS_URL',
    program: 'gateway',
    find: ({ railsAddresses }) =>
      railsAddresses.some(({ url }) => isPlain(url)) && 'is http://: card numbers and PINs would travel in clear',
  },
  'no-mail': {
    setting: 'SMTP_URL',
    program: 'gateway',
    find: ({ smtpUrl }) =>
      smtpUrl === undefined &&
      'is not set: codes that authorise transfers, and notices to merchants, would reach nobody',
  },
  'plain-mail': {
    setting: 'SMTP_URL',
    program: 'gateway',
    find: ({ smtpUrl }) =>
      smtpUrl !== undefined &&
      isPlainMail(smtpUrl) &&
      'is smtp:// without ?requireTLS=true: codes that authorise transfers would travel in clear',
  },
  // Addresses of receivers are no settings: they are refused when they are set, and here it is told that they are not.
  'plain-receivers': {
    setting: 'KOBO_ALLOW',
    program: 'gateway',
    find: ({ allowed }) => allowed.includes('plain-receivers') && 'lets events go to http:// addresses, in clear',
  },
  'private-receivers': {
    setting: 'KOBO_PRIVATE_RECEIVERS',
    program: 'gateway',
    find: ({ privateReceivers }) =>
      privateReceivers && 'is yes: who sets where events go could have them sent into your network',
  },
  'no-rate-limit': {
    setting: 'KOBO_RATE_LIMIT',
    program: 'gateway',
    find: ({ rateLimit }) => rateLimit.perMinute === 0 && 'is 0: whoever guesses may guess as fast as the machine is',
  },
}

/** Something careless in the settings of a live gateway. */
export interface Careless {
  readonly name: Carelessness
  readonly setting: string
  readonly reason: string
}

/** All that is careless in these settings, allowed or not; in the sandbox nothing is. */
export function findCareless(settings: Settings, program: Program): readonly Careless[] {
  if (settings.environment !== 'live') return []
  return CARELESSNESS.flatMap((name) => {
    const { setting, program: needs, find } = CHECKS[name]
    const reason = program === 'gateway' || needs === 'command' ? find(settings) : false
    return reason === false ? [] : { name, setting, reason }
  })
}

/** Why an address may not receive events, or nothing where it may. */
export const refuseReceiver = (
  { environment, allowed }: Pick<Settings, 'environment' | 'allowed'>,
  url: string,
): string | undefined =>
  environment === 'live' && isPlain(url) && !allowed.includes('plain-receivers')
    ? 'must be an https address in live: events would travel in clear (KOBO_ALLOW=plain-receivers allows it)'
    : undefined

const isPlain = (url: string): boolean => !/^https:/i.test(url)

const isPlainMail = (url: string): boolean =>
  !url.startsWith('smtps:') && URL.parse(url)?.searchParams.get('requireTLS') !== 'true'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\]|\/.*)?$/ // or a socket of this machine, or none: its own

const isPlainDatabase = (text: string): boolean => readHosts(text).urls.some(isPlainServer)

function isPlainServer(text: string): boolean {
  const url = URL.parse(text)
  if (url === null) return true
  const query = url.searchParams
  if (LOOPBACK.test(query.get('host') ?? url.hostname)) return false
  const mode = query.get('sslmode') ?? (query.get('ssl') === 'true' ? 'verify-full' : 'disable')
  // The driver checks the certificate in each of these; by libpq's own rules only the last two do.
  const checked = query.get('uselibpqcompat') === 'true' ? [] : ['require']
  return ![...checked, 'verify-ca', 'verify-full'].includes(mode)
}
