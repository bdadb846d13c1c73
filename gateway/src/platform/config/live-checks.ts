import { isWideRange } from '../http/ip-addresses.ts'
import { readHosts } from '../postgres/hosts.ts'

/**
 * Insecure settings that live mode rejects unless KOBO_ALLOW names them. Each exposes secrets, or lacks something that
 * a payment needs.
 */
export const INSECURE_SETTINGS = [
  'embedded-database',
  'plain-database',
  'unverified-tls',
  'plain-http',
  'any-proxy',
  'plain-public-url',
  'plain-dashboard-url',
  'no-rails',
  'plain-rails',
  'simulated-rails',
  'no-mail',
  'plain-mail',
  'plain-receivers',
  'private-receivers',
  'any-receiver-port',
  'no-rate-limit',
  'no-card-testing-guard',
  'plain-traces',
  'plain-audit',
] as const
export type InsecureSettingName = (typeof INSECURE_SETTINGS)[number]

/** The program that reads the settings: a command needs only the database. */
export type Program = 'gateway' | 'command'

interface Settings {
  readonly environment: 'sandbox' | 'live'
  readonly databaseUrl: string | undefined
  readonly readDatabaseUrl: string | undefined
  readonly sessionDatabaseUrl: string | undefined
  readonly vaultDatabaseUrl: string | undefined
  readonly migrationDatabaseUrl: string | undefined
  readonly verifiesTls: boolean
  readonly publicUrl: string | undefined
  readonly dashboardUrl: string | undefined
  readonly railsAddresses: readonly { readonly url: string }[]
  readonly smtpUrl: string | undefined
  readonly trustedProxies: readonly string[]
  readonly privateWebhooks: boolean
  readonly receiverPorts: readonly number[] | undefined
  readonly rateLimit: { readonly perMinute: number }
  readonly cardTestingGuard: boolean
  readonly otlpUrl: string | undefined
  readonly auditSyslog: string | undefined
  readonly allowed: readonly InsecureSettingName[]
}

interface Check {
  readonly name: InsecureSettingName
  readonly setting: string
  readonly program: Program
  /** Describes the insecure state; false if the settings are secure. */
  readonly find: (settings: Settings) => string | false
}

const plainDatabase = (setting: string, urlOf: (settings: Settings) => string | undefined): Check => ({
  name: 'plain-database',
  setting,
  program: 'command',
  find: (settings) => {
    const url = urlOf(settings)
    return (
      url !== undefined &&
      isPlainDatabase(url) &&
      'has no sslmode=verify-full: the connection could be unencrypted or reach an impostor'
    )
  },
})

/** No caller reaches a higher limit than this: ten thousand requests a second. */
const RATE_LIMIT_MAX = 600_000

/** All checks, in the order in which they are reported. */
const CHECKS: readonly Check[] = [
  {
    name: 'embedded-database',
    setting: 'DATABASE_URL',
    program: 'command',
    find: ({ databaseUrl }) =>
      databaseUrl === undefined && 'is not set: the embedded PostgreSQL has no standby and no backups',
  },
  plainDatabase('DATABASE_URL', ({ databaseUrl }) => databaseUrl),
  plainDatabase('DATABASE_READ_URL', ({ readDatabaseUrl }) => readDatabaseUrl),
  plainDatabase('KOBO_SESSION_DATABASE_URL', ({ sessionDatabaseUrl }) => sessionDatabaseUrl),
  plainDatabase('KOBO_VAULT_DATABASE_URL', ({ vaultDatabaseUrl }) => vaultDatabaseUrl),
  plainDatabase('KOBO_MIGRATION_DATABASE_URL', ({ migrationDatabaseUrl }) => migrationDatabaseUrl),
  {
    name: 'unverified-tls',
    setting: 'NODE_TLS_REJECT_UNAUTHORIZED',
    program: 'command',
    find: ({ verifiesTls }) =>
      !verifiesTls && 'is 0: an impostor could pose as a partner, a webhook endpoint, the mail server or the database',
  },
  {
    name: 'plain-http',
    setting: 'KOBO_TRUSTED_PROXIES',
    program: 'gateway',
    find: ({ trustedProxies }) =>
      trustedProxies.length === 0 && 'is not set: the gateway speaks plain HTTP, so it needs a TLS proxy in front',
  },
  {
    name: 'any-proxy',
    setting: 'KOBO_TRUSTED_PROXIES',
    program: 'gateway',
    find: ({ trustedProxies }) =>
      trustedProxies.some(isWideRange) &&
      'trusts nearly every address: callers could choose the IP address that limits and whitelists see',
  },
  {
    name: 'plain-public-url',
    setting: 'KOBO_PUBLIC_URL',
    program: 'gateway',
    find: ({ publicUrl }) =>
      publicUrl === undefined
        ? 'is not set: customers could not reach the checkout URL'
        : isPlain(publicUrl) && 'is http://: customers would enter card details on an unencrypted page',
  },
  {
    name: 'plain-dashboard-url',
    setting: 'KOBO_DASHBOARD_URL',
    program: 'gateway',
    find: ({ dashboardUrl }) =>
      dashboardUrl !== undefined &&
      isPlain(dashboardUrl) &&
      'is http://: users would enter passwords on an unencrypted page',
  },
  {
    name: 'no-rails',
    setting: 'KOBO_RAILS_URL',
    program: 'gateway',
    find: ({ railsAddresses }) =>
      railsAddresses.length === 0 && 'is not set: without a partner, no money can be received or sent',
  },
  {
    name: 'plain-rails',
    setting: 'KOBO_RAILS_URL',
    program: 'gateway',
    find: ({ railsAddresses }) =>
      railsAddresses.some(({ url }) => isPlain(url)) && 'is http://: card numbers and PINs would be sent unencrypted',
  },
  // An adapter whose manifest says that it is simulated is rejected later; this only reports that the check is off.
  {
    name: 'simulated-rails',
    setting: 'KOBO_ALLOW',
    program: 'gateway',
    find: ({ allowed }) => allowed.includes('simulated-rails') && 'allows adapters that only simulate payments',
  },
  {
    name: 'no-mail',
    setting: 'SMTP_URL',
    program: 'gateway',
    find: ({ smtpUrl }) =>
      smtpUrl === undefined && 'is not set: transfer authorization codes and merchant notices could not be sent',
  },
  {
    name: 'plain-mail',
    setting: 'SMTP_URL',
    program: 'gateway',
    find: ({ smtpUrl }) => smtpUrl !== undefined && (whyPlainMail(smtpUrl) ?? false),
  },
  // Webhook URLs are not settings and are rejected when they are set; this only reports that the check is off.
  {
    name: 'plain-receivers',
    setting: 'KOBO_ALLOW',
    program: 'gateway',
    find: ({ allowed }) => allowed.includes('plain-receivers') && 'allows unencrypted webhooks to http:// URLs',
  },
  {
    name: 'private-receivers',
    setting: 'KOBO_PRIVATE_RECEIVERS',
    program: 'gateway',
    find: ({ privateWebhooks }) =>
      privateWebhooks && 'is yes: anyone who can set a webhook URL could send requests into your network',
  },
  {
    name: 'any-receiver-port',
    setting: 'KOBO_RECEIVER_PORTS',
    program: 'gateway',
    find: ({ receiverPorts }) =>
      receiverPorts === undefined && 'is any: webhooks could go to services that are not web servers',
  },
  {
    name: 'no-rate-limit',
    setting: 'KOBO_RATE_LIMIT',
    program: 'gateway',
    find: ({ rateLimit: { perMinute } }) =>
      perMinute === 0
        ? 'is 0: password and key guessing would not be rate limited'
        : perMinute > RATE_LIMIT_MAX && `is above ${RATE_LIMIT_MAX}, so nothing would be rate limited`,
  },
  {
    name: 'no-card-testing-guard',
    setting: 'KOBO_CARD_TESTING_GUARD',
    program: 'gateway',
    find: ({ cardTestingGuard }) => !cardTestingGuard && 'is off: stolen cards could be tested without a limit',
  },
  {
    name: 'plain-traces',
    setting: 'KOBO_OTLP_URL',
    program: 'gateway',
    find: ({ otlpUrl }) =>
      otlpUrl !== undefined &&
      isPlain(otlpUrl) &&
      !LOOPBACK.test(URL.parse(otlpUrl)?.hostname ?? '') &&
      'is http:// to another machine: traces with references and paths would be sent unencrypted',
  },
  {
    name: 'plain-audit',
    setting: 'KOBO_AUDIT_SYSLOG',
    program: 'gateway',
    find: ({ auditSyslog }) =>
      auditSyslog?.startsWith('tcp:') === true &&
      !LOOPBACK.test(URL.parse(auditSyslog)?.hostname ?? '') &&
      'is tcp:// to another machine: names and addresses in the audit log would be sent unencrypted',
  },
]

export interface InsecureSetting {
  readonly name: InsecureSettingName
  readonly setting: string
  readonly reason: string
}

/** Finds all insecure settings, allowed or not; returns none in the sandbox. */
export function findInsecureSettings(settings: Settings, program: Program): readonly InsecureSetting[] {
  if (settings.environment !== 'live') return []
  return CHECKS.flatMap(({ name, setting, program: needs, find }) => {
    const reason = program === 'gateway' || needs === 'command' ? find(settings) : false
    return reason === false ? [] : { name, setting, reason }
  })
}

/** Returns why a webhook URL is not allowed, or undefined if it is allowed. */
export const whyNotWebhookUrl = (
  { environment, allowed }: Pick<Settings, 'environment' | 'allowed'>,
  url: string,
): string | undefined =>
  environment === 'live' && isPlain(url) && !allowed.includes('plain-receivers')
    ? 'must be an https URL in live mode, because events must be encrypted in transit (KOBO_ALLOW=plain-receivers allows http)'
    : undefined

const isPlain = (url: string): boolean => !/^https:/i.test(url)

function whyPlainMail(url: string): string | undefined {
  const query = URL.parse(url)?.searchParams
  const isEncrypted =
    url.startsWith('smtps:') || (query?.get('requireTLS') === 'true' && (query.get('ignoreTLS') ?? 'false') === 'false')
  if (!isEncrypted) return 'is smtp:// without ?requireTLS=true: transfer authorization codes could be sent unencrypted'
  return (query?.get('tls.rejectUnauthorized') ?? 'true') !== 'true'
    ? 'sets tls.rejectUnauthorized: transfer authorization codes could be sent to an impostor'
    : undefined
}

// A socket path or a missing host also means this machine.
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\]|\/.*)?$/

const isPlainDatabase = (text: string): boolean => readHosts(text).urls.some(isPlainServer)

function isPlainServer(text: string): boolean {
  const url = URL.parse(text)
  if (url === null) return true
  const query = url.searchParams
  if (LOOPBACK.test(query.get('host') ?? url.hostname)) return false
  const mode = query.get('sslmode') ?? (query.get('ssl') === 'true' ? 'verify-full' : 'disable')
  // The driver checks the certificate in all three modes; with uselibpqcompat=true it does not in mode `require`.
  const checked = query.get('uselibpqcompat') === 'true' ? [] : ['require']
  return ![...checked, 'verify-ca', 'verify-full'].includes(mode)
}
