import { readFileSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { BATCH_ITEMS_MAX, type CompatSetting, compatSettingsOf } from '@kobo/contract'
import { type Hidden, hidden } from '../../kernel/hidden.ts'
import type { NodeNumbers } from '../../kernel/ids.ts'
import { editDistance } from '../../kernel/names.ts'
import { KEY_LENGTH } from '../crypto.ts'
import { isAddressRange } from '../http/ip-addresses.ts'
import { readHosts } from '../postgres/hosts.ts'
import { findInsecureSettings, INSECURE_SETTINGS, type InsecureSettingName, type Program } from './live-checks.ts'
import { type RailsAddress, type RailsSecret, readRailsAddresses, readRailsSecrets, withoutSecret } from './rails.ts'

export type Environment = 'sandbox' | 'live'

/**
 * A setting: its name in the environment, its meaning, and how its text is read. Reading an invalid text throws the
 * reason.
 */
interface Setting<T> {
  readonly name: string
  readonly help: string
  readonly standard: string
  readonly read: (text: string | undefined, env: NodeJS.ProcessEnv) => T
}

const setting = <T>(declared: Setting<T>): Setting<T> => declared

const PORT_MAX = 65_535
const RETENTION = ['events', 'attempts', 'cards', 'identities', 'inbox', 'requests']
/** Identity records are kept five years, as anti-money-laundering law requires. */
const KEEP_STANDARD = 'events=90,attempts=396,cards=396,identities=1826,inbox=30,requests=7'
const KEEP_DAYS_MAX = 36_500
const WORKERS_MAX = 64
const DRAIN_SECONDS_MAX = 300
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/** Every setting. `--help` prints this table; nothing else reads the environment. */
const SETTINGS = {
  environment: setting<Environment>({
    name: 'KOBO_ENVIRONMENT',
    standard: 'sandbox',
    help: '`sandbox` includes a simulated bank, an inbox and a clock; `live` uses your rails',
    read: (text) => oneOf(text ?? 'sandbox', ['sandbox', 'live']) as Environment,
  }),
  host: setting({
    name: 'HOST',
    standard: '127.0.0.1 in the sandbox, 0.0.0.0 in live mode',
    help: 'Address to listen on',
    read: (text, env) => text ?? (env['KOBO_ENVIRONMENT'] === 'live' ? '0.0.0.0' : '127.0.0.1'),
  }),
  port: setting({
    name: 'PORT',
    standard: '8080',
    help: 'Port to listen on; 0 picks any free port',
    read: (text) => wholeNumber(text ?? '8080', 0, PORT_MAX),
  }),
  publicUrl: setting<string | undefined>({
    name: 'KOBO_PUBLIC_URL',
    standard: 'http://localhost:PORT',
    help: 'URL at which customers reach this gateway; every checkoutUrl starts with it',
    read: (text) => (text === undefined ? undefined : httpUrl(text)),
  }),
  dashboardUrl: setting<string | undefined>({
    name: 'KOBO_DASHBOARD_URL',
    standard: 'KOBO_PUBLIC_URL',
    help: 'URL of the dashboard, if it differs; links in emails start with it',
    read: (text) => (text === undefined ? undefined : httpUrl(text)),
  }),
  dataDirectory: setting({
    name: 'KOBO_DATA_DIR',
    standard: './data',
    help: 'Folder of the embedded database, the sandbox master key, the audit log’s published head and the database’s newest timeline',
    read: (text) => resolve(text ?? 'data'),
  }),
  databaseUrl: setting<string | undefined>({
    name: 'DATABASE_URL',
    standard: 'the embedded PostgreSQL',
    help: 'postgres:// URL of PostgreSQL 15 or newer; list several servers as postgres://user:password@one:5432,two:5432/kobo, and Kobo uses the one that accepts writes',
    read: databaseAddress,
  }),
  readDatabaseUrl: setting<string | undefined>({
    name: 'DATABASE_READ_URL',
    standard: 'DATABASE_URL',
    help: 'A standby of the same database, for reads that may be a few seconds old: list exports, and every page of a list after the first',
    read: databaseAddress,
  }),
  sessionDatabaseUrl: setting<string | undefined>({
    name: 'KOBO_SESSION_DATABASE_URL',
    standard: 'none: DATABASE_URL is not a pooler',
    help: 'Required if DATABASE_URL is a PgBouncer in transaction mode: a direct URL of the same database and role, for the one connection that listens for changes',
    read: databaseAddress,
  }),
  vaultDatabaseUrl: setting<string | undefined>({
    name: 'KOBO_VAULT_DATABASE_URL',
    standard: 'DATABASE_URL',
    help: 'The same database, as the only role that may read encrypted card numbers',
    read: databaseAddress,
  }),
  migrationDatabaseUrl: setting<string | undefined>({
    name: 'KOBO_MIGRATION_DATABASE_URL',
    standard: 'DATABASE_URL',
    help: 'The same database, as the role that owns its tables: it runs migrations and grants permissions to the other roles',
    read: databaseAddress,
  }),
  peers: setting<readonly URL[]>({
    name: 'KOBO_PEERS',
    standard: 'none',
    help: 'URLs of the other gateway processes, without the proxy in between, separated by commas; a name may stand for several. They tell each other when PostgreSQL has failed over, so that none goes on with a former primary',
    read: (text) => (text ?? '').split(',').flatMap((one) => (one.trim() === '' ? [] : [new URL(httpUrl(one.trim()))])),
  }),
  databaseConnectionsMax: setting({
    name: 'KOBO_DATABASE_CONNECTIONS',
    standard: '10',
    help: 'Maximum database connections per process',
    read: (text) => wholeNumber(text ?? '10', 3, 1_000),
  }),
  masterKey: setting<Buffer | URL | undefined>({
    name: 'KOBO_MASTER_KEY',
    standard: 'generated in KOBO_DATA_DIR in the sandbox; required in live mode, here or in KOBO_MASTER_KEY_FILE',
    help: 'The key that protects all other keys: 32 bytes in base64, a PKCS#11 URI, or command: and the path of a program',
    read: (text, env) => {
      const file = env['KOBO_MASTER_KEY_FILE']
      if (text !== undefined && file !== undefined) wrong('and KOBO_MASTER_KEY_FILE are both set: set only one')
      return text === undefined ? undefined : key(text)
    },
  }),
  masterKeyFile: setting<Buffer | URL | undefined>({
    name: 'KOBO_MASTER_KEY_FILE',
    standard: 'none',
    help: 'A file with the value of KOBO_MASTER_KEY, used instead; only its owner and group may be able to read it',
    read: (text) => (text === undefined ? undefined : keyIn(text)),
  }),
  masterKeyNext: setting<Buffer | URL | undefined>({
    name: 'KOBO_MASTER_KEY_NEXT',
    standard: 'none',
    help: 'The key that will replace KOBO_MASTER_KEY, in the same form; only `kobo keys rotate` reads it',
    read: (text) => (text === undefined ? undefined : key(text)),
  }),
  workers: setting({
    name: 'KOBO_WORKERS',
    standard: '1',
    help: 'Number of HTTP processes; with more than one, an extra process sends webhooks and runs scheduled work',
    read: (text) => wholeNumber(text ?? '1', 1, Math.max(WORKERS_MAX, availableParallelism())),
  }),
  drainSeconds: setting({
    name: 'KOBO_DRAIN_SECONDS',
    standard: '0',
    help: 'How long a stopping process keeps serving while it reports not ready, so that a proxy can drain it',
    read: (text) => wholeNumber(text ?? '0', 0, DRAIN_SECONDS_MAX),
  }),
  oidcIssuer: setting<string | undefined>({
    name: 'KOBO_OIDC_ISSUER',
    standard: 'none: operators sign in with a password',
    help: 'Issuer of the identity provider (OpenID Connect) through which the operator’s team signs in; https in live mode',
    read: (text, env) => {
      if (text === undefined) return undefined
      if (env['KOBO_ENVIRONMENT'] === 'live' && !text.startsWith('https:'))
        wrong('must be an https address in live mode')
      return URL.canParse(text) && /^https?:/.test(text) ? text : wrong('must be an http or https address')
    },
  }),
  oidcClientId: setting<string | undefined>({
    name: 'KOBO_OIDC_CLIENT_ID',
    standard: 'none; required with KOBO_OIDC_ISSUER',
    help: 'Client ID at the identity provider',
    read: requiredWithIssuer,
  }),
  oidcClientSecret: setting<Hidden<string> | undefined>({
    name: 'KOBO_OIDC_CLIENT_SECRET',
    standard: 'none; required with KOBO_OIDC_ISSUER',
    help: 'Client secret at the identity provider',
    read: (text, env) => {
      const secret = requiredWithIssuer(text, env)
      return secret === undefined ? undefined : hidden(secret)
    },
  }),
  oidcDomains: setting<readonly string[]>({
    name: 'KOBO_OIDC_DOMAINS',
    standard: 'none; required with KOBO_OIDC_ISSUER',
    help: 'Email domains, comma-separated, of operators whom the identity provider may sign in',
    read: (text, env) => list(requiredWithIssuer(text, env)).map((domain) => domain.toLowerCase()),
  }),
  oidcRequired: setting({
    name: 'KOBO_OIDC_REQUIRED',
    standard: 'no',
    help: '`yes` accepts operators only through the identity provider',
    read: (text, env) => {
      const isRequired = oneOf(text ?? 'no', ['yes', 'no']) === 'yes'
      if (isRequired && env['KOBO_OIDC_ISSUER'] === undefined) wrong('needs KOBO_OIDC_ISSUER')
      return isRequired
    },
  }),
  oidcSecondFactor: setting<readonly string[]>({
    name: 'KOBO_OIDC_SECOND_FACTOR',
    standard: 'none: operators also need their own second factor',
    help: 'Values of the provider’s amr or acr claim, comma-separated, that count as a second factor, such as mfa',
    read: (text) => list(text),
  }),
  smtpUrl: setting<string | undefined>({
    name: 'SMTP_URL',
    standard: 'none; the sandbox stores emails in its inbox',
    help: 'smtp:// or smtps:// URL of the mail server',
    read: (text) =>
      text === undefined ? undefined : matching(text, /^smtps?:\/\/.+/, 'a URL that starts with smtp:// or smtps://'),
  }),
  mailFrom: setting({
    name: 'KOBO_MAIL_FROM',
    standard: 'Kobo <no-reply@ the host of KOBO_PUBLIC_URL>',
    help: 'Sender address of emails; the mail server must accept it',
    read: (text, env) => {
      const host = URL.parse(env['KOBO_PUBLIC_URL'] ?? '')?.hostname || 'localhost'
      return matching(text ?? `Kobo <no-reply@${host}>`, /^[^\r\n]*[^@\s]@[^@\s]+$/, 'an email address')
    },
  }),
  trustedProxies: setting<readonly string[]>({
    name: 'KOBO_TRUSTED_PROXIES',
    standard: 'none',
    help: 'IP addresses and CIDR ranges, comma-separated, of proxies whose X-Forwarded-For is trusted',
    read: (text) =>
      list(text).map((range) =>
        isAddressRange(range) ? range : wrong(`contains ${range}, which is not an IP address or CIDR range`),
      ),
  }),
  signatureHeaders: setting<readonly string[]>({
    name: 'KOBO_SIGNATURE_HEADERS',
    standard: 'none',
    help: 'Additional header names, comma-separated, that carry the webhook signature alongside service-signature',
    read: (text) =>
      list(text).map((name) => matching(name.toLowerCase(), /^[a-z0-9-]{1,64}$/, 'a list of header names')),
  }),
  compat: setting<readonly CompatSetting[]>({
    name: 'KOBO_COMPAT',
    standard: 'none',
    help: 'Sandbox only: relaxes rules for older clients, for all merchants; clients or settings of docs/reference/clients.md, comma-separated',
    read: (text, env) => {
      if (text !== undefined && env['KOBO_ENVIRONMENT'] === 'live')
        wrong('is for the sandbox only: in live mode, use kobo merchant set CODE --compat')
      const all = list(text).flatMap((word) => compatSettingsOf(word) ?? wrong(`contains ${word}, which is unknown`))
      return [...new Set(all)]
    },
  }),
  referencePrefix: setting({
    name: 'KOBO_REFERENCE_PREFIX',
    standard: 'KOBO',
    help: 'Prefix of transaction references',
    read: (text) => matching(text ?? 'KOBO', /^[A-Z]{2,8}$/, '2 to 8 upper-case letters'),
  }),
  cellDigits: setting({
    name: 'KOBO_CELL_DIGITS',
    standard: 'none',
    help: 'Identifies this installation among several: the digits that follow the bank-assigned prefix in its account numbers',
    read: (text) => (text === undefined ? '' : matching(text, /^\d{1,2}$/, '1 or 2 digits')),
  }),
  nodeNumbers: setting<NodeNumbers>({
    name: 'KOBO_NODE_NUMBERS',
    standard: '0-99; ten by KOBO_CELL_DIGITS',
    help: 'Node numbers that processes of this installation may use, such as 20-39: installations that share a partner need different ones',
    read: (text, env) => nodeNumbers(text ?? nodeNumbersOf(env['KOBO_CELL_DIGITS'] ?? '')),
  }),
  verifiesTls: setting<boolean>({
    name: 'NODE_TLS_REJECT_UNAUTHORIZED',
    standard: '1',
    help: 'Node.js verifies TLS certificates; `0` turns that off, which live mode rejects',
    read: (text) => text !== '0',
  }),
  cardTestingGuard: setting<boolean>({
    name: 'KOBO_CARD_TESTING_GUARD',
    standard: 'on in live mode, off in the sandbox',
    help: '`on` blocks card testing: after many declines, card charges pause for a while',
    read: (text, env) => oneOf(text ?? (env['KOBO_ENVIRONMENT'] === 'live' ? 'on' : 'off'), ['on', 'off']) === 'on',
  }),
  batchTransfersMax: setting({
    name: 'KOBO_BATCH_TRANSFERS_MAX',
    standard: '1000',
    help: 'Maximum transfers in one batch',
    read: (text) => wholeNumber(text ?? '1000', 1, BATCH_ITEMS_MAX),
  }),
  rateLimit: setting<{ readonly perMinute: number; readonly sparesLoopback: boolean }>({
    name: 'KOBO_RATE_LIMIT',
    standard: '6000; none for loopback in the sandbox',
    help: 'Requests per minute that one process accepts from one network; 0 for no limit',
    read: (text, env) => ({
      perMinute: wholeNumber(text ?? '6000', 0, 100_000_000),
      sparesLoopback: text === undefined && env['KOBO_ENVIRONMENT'] !== 'live',
    }),
  }),
  receiverPorts: setting<readonly number[] | undefined>({
    name: 'KOBO_RECEIVER_PORTS',
    standard: '443 in live mode, any in the sandbox',
    help: 'Ports, comma-separated, that webhook URLs may use; `any` for all',
    read: (text, env) => {
      if (text === undefined) return env['KOBO_ENVIRONMENT'] === 'live' ? [443] : undefined
      return text === 'any' ? undefined : list(text).map((port) => wholeNumber(port, 1, PORT_MAX))
    },
  }),
  privateWebhooks: setting({
    name: 'KOBO_PRIVATE_RECEIVERS',
    standard: 'yes in the sandbox, no in live mode',
    help: 'Whether webhooks may go to private addresses; use no for a shared sandbox',
    read: (text, env) => oneOf(text ?? (env['KOBO_ENVIRONMENT'] === 'live' ? 'no' : 'yes'), ['yes', 'no']) === 'yes',
  }),
  railsAddresses: setting<readonly RailsAddress[]>({
    name: 'KOBO_RAILS_URL',
    standard: 'none: simulated in the sandbox, not connected in live mode',
    help: 'URL of the adapter that connects your banks, cards and billers (docs/reference/rails.md); for several partners, give each its code: wema=https://…,providus=https://…',
    read: readRailsAddresses,
  }),
  railsSecrets: setting<readonly RailsSecret[]>({
    name: 'KOBO_RAILS_SECRET',
    standard: 'none; required with KOBO_RAILS_URL',
    help: 'Signs requests to the adapter and its notifications; at least 32 characters, different for each partner: wema=…,providus=…',
    read: (text, env) => {
      const addresses = addressesIn(env)
      if (text === undefined && addresses.length > 0) wrong('is required with KOBO_RAILS_URL')
      const secrets = readRailsSecrets(text, addresses)
      const [lacking] = secrets.length === 0 ? [] : withoutSecret(addresses, secrets)
      return lacking === undefined ? secrets : wrong(`has no secret for ${lacking.code}`)
    },
  }),
  railsSecretsAlso: setting<readonly RailsSecret[]>({
    name: 'KOBO_RAILS_SECRET_ALSO',
    standard: 'none',
    help: 'A second adapter secret that is also accepted during a rotation; for several partners as above',
    read: (text, env) => readRailsSecrets(text, addressesIn(env)),
  }),
  railsProtocol: setting<'auto' | '1' | '2'>({
    name: 'KOBO_RAILS_PROTOCOL',
    standard: 'auto',
    help: 'Version of the adapter protocol: 1, 2, or `auto` for 2 if the adapter has a manifest',
    read: (text) => oneOf(text ?? 'auto', ['auto', '1', '2']) as 'auto' | '1' | '2',
  }),
  floatMinimum: setting<readonly FloatMinimum[]>({
    name: 'KOBO_FLOAT_MINIMUM',
    standard: 'none',
    help: 'The minimum that each partner should hold, in naira, for an alert: wema=5000000,providus=1000000',
    read: (text) => list(text).map(floatMinimum),
  }),
  allowed: setting<readonly InsecureSettingName[]>({
    name: 'KOBO_ALLOW',
    standard: 'none',
    help: `Insecure settings that live mode may start with, comma-separated: ${INSECURE_SETTINGS.join(', ')}`,
    read: (text) => list(text).map((name) => oneOf(name, INSECURE_SETTINGS) as InsecureSettingName),
  }),
  keep: setting<Keep>({
    name: 'KOBO_KEEP_DAYS',
    standard: KEEP_STANDARD,
    help: 'Retention of personal data in days, by kind, comma-separated; 0 keeps it forever. The period starts when an event was delivered or given up (event texts), when the event was created (delivery attempts), when the card expires (cards), and when the account is closed (identities: BVN, NIN). The inbox exists only in the sandbox; requests are those in the request log',
    read: retentionDays,
  }),
  otlpUrl: setting<string | undefined>({
    name: 'KOBO_OTLP_URL',
    standard: 'none: tracing is off',
    help: 'URL of a collector that accepts OpenTelemetry traces as JSON over HTTP, for example http://localhost:4318',
    read: (text) => (text === undefined ? undefined : httpUrl(text)),
  }),
  traceShare: setting({
    name: 'KOBO_TRACE_SHARE',
    standard: '1',
    help: 'Share of requests and deliveries to trace, from 0 to 1, for example 0.05',
    read: (text) => Number(matching(text ?? '1', /^(0(\.\d{1,6})?|1(\.0{1,6})?)$/, 'a number from 0 to 1')),
  }),
  auditSyslog: setting<string | undefined>({
    name: 'KOBO_AUDIT_SYSLOG',
    standard: 'none',
    help: 'Syslog server that receives every audit record (RFC 5424): tls://host:6514 or tcp://host:601',
    read: (text) =>
      text === undefined || (/^(tls|tcp):\/\/[^/?#@]+$/.test(text) && URL.canParse(text))
        ? text
        : wrong('must be tls://host:port or tcp://host:port'),
  }),
  logLevel: setting({
    name: 'LOG_LEVEL',
    standard: 'info',
    help: `One of ${LOG_LEVELS.join(', ')}; debug logs every request`,
    read: (text) => oneOf(text ?? 'info', LOG_LEVELS),
  }),
}

/** The minimum balance that a partner should hold for us. */
export interface FloatMinimum {
  readonly partner: string
  readonly naira: number
}

/** Retention of personal data, in days. */
interface Keep {
  readonly eventBodies: number
  readonly attempts: number
  readonly expiredCards: number
  readonly identities: number
  readonly inbox: number
  readonly requests: number
}

export type Config = { readonly [Name in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[Name]['read']> }

export const NO_MASTER_KEY = '  KOBO_MASTER_KEY is required in live mode'

/** Reads all settings. Throws one error with all invalid settings and, in live mode, all insecure ones. */
export function readConfig(env: NodeJS.ProcessEnv, program: Program = 'gateway'): Config {
  const problems: string[] = []
  const invalidNames = new Set<string>()
  const given = trimmed(env)
  const entries = Object.entries(SETTINGS).map(([key, { name, read }]) => {
    try {
      return [key, read(given[name], given)]
    } catch (error) {
      problems.push(`  ${name} ${(error as Error).message}`)
      invalidNames.add(name)
      return [key, read(undefined, {})]
    }
  })
  const config = Object.fromEntries(entries) as Config
  problems.push(...unknownNames(given))
  // Only the gateway always needs the key. Migrations and ledger verification work without it.
  const hasKey = ['KOBO_MASTER_KEY', 'KOBO_MASTER_KEY_FILE'].some((name) => given[name] !== undefined)
  if (config.environment === 'live' && program === 'gateway' && !hasKey) problems.push(NO_MASTER_KEY)
  for (const { name, setting, reason } of findInsecureSettings(config, program))
    if (!config.allowed.includes(name) && !invalidNames.has(setting))
      problems.push(`  ${setting} ${reason} (KOBO_ALLOW=${name} allows it)`)
  if (problems.length > 0) throw new Error(`Invalid settings:\n${problems.join('\n')}`)
  return config
}

/** Names that other programs read: sample shops, the command line, connectors, proxies, tests. */
const OTHER_NAMES =
  /^KOBO_(URL|API_KEY|SECRET_KEY|CONTRACT_CODE|WALLET_ACCOUNT_NUMBER|CREDENTIALS|OPERATOR_TOKEN|CONNECTORS|GATEWAY_URL|TLS_CERTIFICATE|TLS_KEY|SITE|NODES|(TEST|HA)_\w+)$/
/** Names that Kubernetes and Docker set in containers that run next to a service named kobo. */
const SERVICE_NAMES = /_SERVICE_(HOST|PORT)(_\w+)?$|_PORT_\d+_(TCP|UDP|SCTP)(_\w+)?$/
const SERVICE_ADDRESS = /^(tcp|udp|sctp):\/\//

/** Finds unknown KOBO_ names, mostly typos. If they were ignored, `KOBO_ENVIROMENT=live` would start a sandbox. */
function unknownNames(env: NodeJS.ProcessEnv): readonly string[] {
  const names = Object.values(SETTINGS).map(({ name }) => name)
  const partners = [
    ...addressesIn(env).map(({ code }) => code),
    ...list(env['KOBO_CONNECTORS']).map((connector) => connector.split(/[=?]/)[0]),
  ].flatMap((code) => (code === undefined ? [] : `KOBO_${code.toUpperCase().replaceAll('-', '_')}_`))
  const isKnown = (name: string): boolean =>
    names.includes(name) ||
    OTHER_NAMES.test(name) ||
    SERVICE_NAMES.test(name) ||
    SERVICE_ADDRESS.test(env[name] ?? '') ||
    partners.some((prefix) => name.startsWith(prefix))
  const nearest = (name: string): string =>
    names.find((one) => name === `KOBO_${one}`) ??
    names.reduce((best, one) => (editDistance(name, one) < editDistance(name, best) ? one : best))
  return Object.keys(env)
    .filter((name) => /^KOBO_/i.test(name) && !isKnown(name))
    .map((name) => `  ${name} is not a setting: did you mean ${nearest(name.toUpperCase())}?`)
}

/** The environment with trimmed values, because environment files may have blanks around them. */
const trimmed = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, text]) =>
      text === undefined || text.trim() === '' ? [] : [[name, text.trim()]],
    ),
  )

/** The settings as a table for `--help`. */
export function settingsHelp(): string {
  const width = Math.max(...Object.values(SETTINGS).map(({ name }) => name.length))
  return Object.values(SETTINGS)
    .map(({ name, help, standard }) => `  ${name.padEnd(width)}  ${help} (default: ${standard})`)
    .join('\n')
}

/** The partners whose secrets are read. None if the partners' URLs are invalid, which is reported separately. */
function addressesIn(env: NodeJS.ProcessEnv): readonly RailsAddress[] {
  try {
    return readRailsAddresses(env['KOBO_RAILS_URL'])
  } catch {
    return []
  }
}

/** How many days each kind of data is kept, read from KOBO_KEEP_DAYS. */
function retentionDays(text: string | undefined): Keep {
  const days: Record<string, number> = {}
  for (const item of [...list(KEEP_STANDARD), ...list(text)]) {
    const [word = '', count = ''] = item.split('=')
    days[oneOf(word, RETENTION)] = wholeNumber(count, 0, KEEP_DAYS_MAX)
  }
  const { events = 0, attempts = 0, cards = 0, identities = 0, inbox = 0, requests = 0 } = days
  if (cards === 0) wrong('must not keep expired cards forever')
  return { eventBodies: events, attempts, expiredCards: cards, identities, inbox, requests }
}

function floatMinimum(text: string): FloatMinimum {
  const [, partner = '', amount = ''] = /^([a-z0-9][a-z0-9-]{0,31})=(\d{1,13})$/.exec(text) ?? []
  return partner === '' ? wrong('must be partners with naira: wema=5000000') : { partner, naira: Number(amount) }
}

const wrong = (reason: string): never => {
  throw new Error(reason)
}
/** A key in base64, or the URL of the device that holds the key. */
function key(text: string): Buffer | URL {
  if (/^(pkcs11|command):/.test(text)) return new URL(text)
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length === KEY_LENGTH) return bytes
  return wrong(`must be ${KEY_LENGTH} bytes in base64, or start with pkcs11: or command:`)
}
const READABLE_BY_OTHERS = 0o004

function keyIn(path: string): Buffer | URL {
  const { mode } = statSync(path, { throwIfNoEntry: false }) ?? wrong('names a file that does not exist')
  if ((mode & READABLE_BY_OTHERS) !== 0) wrong('names a file that every user can read: run chmod o= on it')
  return key(readFileSync(path, 'utf8').trim())
}
function databaseAddress(text: string | undefined): string | undefined {
  const pattern = /^postgres(ql)?:\/\/.+/
  if (text === undefined) return undefined
  readHosts(matching(text, pattern, 'a URL that starts with postgres://')) // throws the reason if it is invalid
  return text
}
function requiredWithIssuer(text: string | undefined, env: NodeJS.ProcessEnv): string | undefined {
  if (text === undefined && URL.canParse(env['KOBO_OIDC_ISSUER'] ?? '')) wrong('is required with KOBO_OIDC_ISSUER')
  return text
}
const oneOf = (text: string, allowed: readonly string[]): string =>
  allowed.includes(text) ? text : wrong(`must be one of ${allowed.join(', ')}`)
const matching = (text: string, pattern: RegExp, what: string): string =>
  pattern.test(text) ? text : wrong(`must be ${what}`)
const list = (text: string | undefined): string[] =>
  text === undefined ? [] : text.split(',').map((item) => item.trim())

function nodeNumbers(text: string): NodeNumbers {
  const [, first = '', last = ''] = /^(\d{1,2})-(\d{1,2})$/.exec(text) ?? []
  if (first === '' || Number(first) > Number(last)) wrong('must be a range within 0-99, such as 20-39')
  return { first: Number(first), last: Number(last) }
}

/**
 * The default node numbers of an installation. Two cell digits would leave it only one number, so the operator must set
 * the range.
 */
function nodeNumbersOf(cell: string): string {
  if (/^\d{2}$/.test(cell)) wrong('must be set with two KOBO_CELL_DIGITS, for example 20-39')
  return /^\d$/.test(cell) ? `${cell}0-${cell}9` : '0-99'
}

function wholeNumber(text: string, min: number, max: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  return value >= min && value <= max ? value : wrong(`must be a whole number from ${min} to ${max}`)
}

function httpUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:/.test(text)) wrong('must be an http or https address')
  return text.replace(/\/+$/, '')
}
