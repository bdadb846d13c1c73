import { readHosts } from '../postgres/hosts.ts'

/**
 * Insecure settings that live rejects unless KOBO_ALLOW names them: each exposes secrets or lacks something a payment
 * needs.
 */
export const INSECURE_SETTINGS = [
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
export type InsecureSettingName = (typeof INSECURE_SETTINGS)[number]

/** The program that reads the settings: a command needs only the database. */
export type Program = 'gateway' | 'command'

/** The settings that are checked. */
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
  readonly privateWebhooks: boolean
  readonly rateLimit: { readonly perMinute: number }
  readonly allowed: readonly InsecureSettingName[]
}

interface Check {
  /** The setting to fix. */
  readonly setting: string
  readonly program: Program
  /** The insecure state, or false. */
  readonly find: (settings: Settings) => string | false
}

const CHECKS: Readonly<Record<InsecureSettingName, Check>> = {
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
      'has no sslmode=verify-full: the connection could be unencrypted or reach an impostor',
  },
  'plain-http': {
    setting: 'KOBO_TRUSTED_PROXIES',
    program: 'gateway',
    find: ({ trustedProxies }) =>
      trustedProxies.length === 0 && 'is not set: the gateway speaks plain HTTP, so it needs a TLS proxy in front',
  },
  'plain-public-url': {
    setting: 'KOBO_PUBLIC_URL',
    program: 'gateway',
    find: ({ publicUrl }) =>
      publicUrl === undefined
        ? 'is not set: customers could not reach the checkout URL'
        : isPlain(publicUrl) && 'is http://: customers would enter card details on an unencrypted page',
  },
  'plain-dashboard-url': {
    setting: 'KOBO_DASHBOARD_URL',
    program: 'gateway',
    find: ({ dashboardUrl }) =>
      dashboardUrl !== undefined &&
      isPlain(dashboardUrl) &&
      'is http://: users would enter passwords on an unencrypted page',
  },
  'no-rails': {
    setting: 'KOBO_RAILS_URL',
    program: 'gateway',
    find: ({ railsAddresses }) =>
      railsAddresses.length === 0 && 'is not set: without a partner, no money can be received or sent',
  },
  'plain-rails': {
    setting: 'KOBO_RAILS_URL',
    program: 'gateway',
    find: ({ railsAddresses }) =>
      railsAddresses.some(({ url }) => isPlain(url)) && 'is http://: card numbers and PINs would be sent unencrypted',
  },
  'no-mail': {
    setting: 'SMTP_URL',
    program: 'gateway',
    find: ({ smtpUrl }) =>
      smtpUrl === undefined && 'is not set: transfer authorisation codes and merchant notices could not be sent',
  },
  'plain-mail': {
    setting: 'SMTP_URL',
    program: 'gateway',
    find: ({ smtpUrl }) =>
      smtpUrl !== undefined &&
      isPlainMail(smtpUrl) &&
      'is smtp:// without ?requireTLS=true: transfer authorisation codes could be sent unencrypted',
  },
  // Webhook URLs are not settings: they are rejected when set; this reports that the check is off.
  'plain-receivers': {
    setting: 'KOBO_ALLOW',
    program: 'gateway',
    find: ({ allowed }) => allowed.includes('plain-receivers') && 'allows unencrypted webhooks to http:// URLs',
  },
  'private-receivers': {
    setting: 'KOBO_PRIVATE_RECEIVERS',
    program: 'gateway',
    find: ({ privateWebhooks }) =>
      privateWebhooks && 'is yes: anyone who can set a webhook URL could send requests into your network',
  },
  'no-rate-limit': {
    setting: 'KOBO_RATE_LIMIT',
    program: 'gateway',
    find: ({ rateLimit }) => rateLimit.perMinute === 0 && 'is 0: password and key guessing would not be rate limited',
  },
}

/** An insecure setting of a live gateway. */
export interface InsecureSetting {
  readonly name: InsecureSettingName
  readonly setting: string
  readonly reason: string
}

/** All insecure settings, allowed or not; none in the sandbox. */
export function findInsecureSettings(settings: Settings, program: Program): readonly InsecureSetting[] {
  if (settings.environment !== 'live') return []
  return INSECURE_SETTINGS.flatMap((name) => {
    const { setting, program: needs, find } = CHECKS[name]
    const reason = program === 'gateway' || needs === 'command' ? find(settings) : false
    return reason === false ? [] : { name, setting, reason }
  })
}

/** Why a webhook URL is not allowed, or undefined if it is. */
export const whyNotWebhookUrl = (
  { environment, allowed }: Pick<Settings, 'environment' | 'allowed'>,
  url: string,
): string | undefined =>
  environment === 'live' && isPlain(url) && !allowed.includes('plain-receivers')
    ? 'must be an https URL in live, because events must be encrypted in transit (KOBO_ALLOW=plain-receivers allows http)'
    : undefined

const isPlain = (url: string): boolean => !/^https:/i.test(url)

const isPlainMail = (url: string): boolean =>
  !url.startsWith('smtps:') && URL.parse(url)?.searchParams.get('requireTLS') !== 'true'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\]|\/.*)?$/ // or a socket of this machine, or none: local

const isPlainDatabase = (text: string): boolean => readHosts(text).urls.some(isPlainServer)

function isPlainServer(text: string): boolean {
  const url = URL.parse(text)
  if (url === null) return true
  const query = url.searchParams
  if (LOOPBACK.test(query.get('host') ?? url.hostname)) return false
  const mode = query.get('sslmode') ?? (query.get('ssl') === 'true' ? 'verify-full' : 'disable')
  // The driver checks the certificate in each of these; by libpq's own rules only in the last two.
  const checked = query.get('uselibpqcompat') === 'true' ? [] : ['require']
  return ![...checked, 'verify-ca', 'verify-full'].includes(mode)
}
