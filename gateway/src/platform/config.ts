import { readFileSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { BATCH_ITEMS_MAX } from '@kobo/contract'
import { isAddressRange } from './addresses.ts'
import { CARELESSNESS, type Carelessness, findCareless, type Program } from './careless.ts'
import { KEY_LENGTH } from './crypto.ts'
import { readHosts } from './database-hosts.ts'
import {
  type RailsAddress,
  type RailsSecret,
  readRailsAddresses,
  readRailsSecrets,
  withoutSecret,
} from './rails-settings.ts'

export type Environment = 'sandbox' | 'live'

/** A setting: its name in the environment, what it means, and how its text is read (throws a reason where it is wrong). */
interface Setting<T> {
  readonly name: string
  readonly help: string
  readonly standard: string
  readonly read: (text: string | undefined, env: NodeJS.ProcessEnv) => T
}

const setting = <T>(declared: Setting<T>): Setting<T> => declared

const PORT_MAX = 65_535
const KEPT = ['events', 'attempts', 'cards', 'identities', 'inbox', 'requests']
/** Records of identity are kept five years, as the law against money laundering asks. */
const KEEP_STANDARD = 'events=90,attempts=396,cards=396,identities=1826,inbox=30,requests=7'
const KEEP_DAYS_MAX = 36_500
const WORKERS_MAX = 64
const DRAIN_SECONDS_MAX = 300
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/** Every setting there is. `--help` prints this table; nothing else reads the environment. */
const SETTINGS = {
  environment: setting<Environment>({
    name: 'KOBO_ENVIRONMENT',
    standard: 'sandbox',
    help: '`sandbox` has a bank, a mailbox and a clock inside; `live` uses your rails',
    read: (text) => oneOf(text ?? 'sandbox', ['sandbox', 'live']) as Environment,
  }),
  host: setting({
    name: 'HOST',
    standard: '127.0.0.1 in sandbox, 0.0.0.0 in live',
    help: 'Address to listen on',
    read: (text, env) => text ?? (env['KOBO_ENVIRONMENT'] === 'live' ? '0.0.0.0' : '127.0.0.1'),
  }),
  port: setting({
    name: 'PORT',
    standard: '8080',
    help: 'Port to listen on; 0 takes any free one',
    read: (text) => wholeNumber(text ?? '8080', 0, PORT_MAX),
  }),
  publicUrl: setting<string | undefined>({
    name: 'KOBO_PUBLIC_URL',
    standard: 'http://localhost:PORT',
    help: 'Address by which customers reach this gateway; it starts every checkoutUrl',
    read: (text) => (text === undefined ? undefined : httpUrl(text)),
  }),
  dashboardUrl: setting<string | undefined>({
    name: 'KOBO_DASHBOARD_URL',
    standard: 'KOBO_PUBLIC_URL',
    help: 'Address by which people reach the dashboard, where it is another; links in mails start with it',
    read: (text) => (text === undefined ? undefined : httpUrl(text)),
  }),
  dataDirectory: setting({
    name: 'KOBO_DATA_DIR',
    standard: './data',
    help: 'Where the embedded database and the sandbox master key live',
    read: (text) => resolve(text ?? 'data'),
  }),
  databaseUrl: setting<string | undefined>({
    name: 'DATABASE_URL',
    standard: 'the embedded PostgreSQL',
    help: 'postgres://… of a PostgreSQL 15 or newer; of several servers as postgres://user:password@one:5432,two:5432/kobo, of which the one that takes writes is used',
    read: databaseAddress,
  }),
  readDatabaseUrl: setting<string | undefined>({
    name: 'DATABASE_READ_URL',
    standard: 'DATABASE_URL',
    help: 'A standby of the same database, from which is read what may be some seconds old: files of lists, and pages of lists after the first',
    read: databaseAddress,
  }),
  sessionDatabaseUrl: setting<string | undefined>({
    name: 'KOBO_SESSION_DATABASE_URL',
    standard: 'none: DATABASE_URL is no pooler',
    help: 'Set where DATABASE_URL is a PgBouncer in transaction mode: the same database and role around it, for the one connection on which nodes hear of changes',
    read: databaseAddress,
  }),
  vaultDatabaseUrl: setting<string | undefined>({
    name: 'KOBO_VAULT_DATABASE_URL',
    standard: 'DATABASE_URL',
    help: 'The same database as the role that alone may read encrypted card numbers',
    read: databaseAddress,
  }),
  migrationDatabaseUrl: setting<string | undefined>({
    name: 'KOBO_MIGRATION_DATABASE_URL',
    standard: 'DATABASE_URL',
    help: 'The same database as the role that owns its tables: it migrates, and grants the other roles what they need',
    read: databaseAddress,
  }),
  databaseConnectionsMax: setting({
    name: 'KOBO_DATABASE_CONNECTIONS',
    standard: '10',
    help: 'Connections to the database that each process may hold',
    read: (text) => wholeNumber(text ?? '10', 3, 1_000),
  }),
  masterKey: setting<Buffer | undefined>({
    name: 'KOBO_MASTER_KEY',
    standard: 'made and kept in KOBO_DATA_DIR in sandbox; required in live, here or in KOBO_MASTER_KEY_FILE',
    help: '32 bytes in base64: the key that protects all other keys',
    read: (text, env) => {
      const file = env['KOBO_MASTER_KEY_FILE']
      if (text !== undefined && file !== undefined) wrong('and KOBO_MASTER_KEY_FILE exclude each other: set one')
      if (text === undefined && file === undefined && env['KOBO_ENVIRONMENT'] === 'live') wrong('is required in live')
      return text === undefined ? undefined : key(text)
    },
  }),
  masterKeyFile: setting<Buffer | undefined>({
    name: 'KOBO_MASTER_KEY_FILE',
    standard: 'none',
    help: 'A file that holds the master key instead, as text in base64; others than its owner and group must not be able to read it',
    read: (text) => (text === undefined ? undefined : keyIn(text)),
  }),
  masterKeyNext: setting<Buffer | undefined>({
    name: 'KOBO_MASTER_KEY_NEXT',
    standard: 'none',
    help: '32 bytes in base64: the key that is to replace KOBO_MASTER_KEY; read by `kobo keys rotate` alone',
    read: (text) => (text === undefined ? undefined : key(text)),
  }),
  workers: setting({
    name: 'KOBO_WORKERS',
    standard: '1',
    help: 'HTTP processes; with more than one, a further process sends events and does what falls due',
    read: (text) => wholeNumber(text ?? '1', 1, Math.max(WORKERS_MAX, availableParallelism())),
  }),
  drainSeconds: setting({
    name: 'KOBO_DRAIN_SECONDS',
    standard: '0',
    help: 'For how long a process that is stopped still serves while it says that it is not ready, so that a proxy turns to others',
    read: (text) => wholeNumber(text ?? '0', 0, DRAIN_SECONDS_MAX),
  }),
  smtpUrl: setting<string | undefined>({
    name: 'SMTP_URL',
    standard: 'none; the sandbox keeps mails in its inbox',
    help: 'smtp:// or smtps:// address of the mail server that sends codes and instructions',
    read: (text) =>
      text === undefined
        ? undefined
        : matching(text, /^smtps?:\/\/.+/, 'an address that starts with smtp:// or smtps://'),
  }),
  mailFrom: setting({
    name: 'KOBO_MAIL_FROM',
    standard: 'Kobo <no-reply@localhost>',
    help: 'Whom mails come from',
    read: (text) => matching(text ?? 'Kobo <no-reply@localhost>', /^[^\r\n]*[^@\s]@[^@\s]+$/, 'a mail address'),
  }),
  trustedProxies: setting<readonly string[]>({
    name: 'KOBO_TRUSTED_PROXIES',
    standard: 'none',
    help: 'Addresses and CIDR ranges, comma-separated, whose X-Forwarded-For is believed',
    read: (text) =>
      list(text).map((range) =>
        isAddressRange(range) ? range : wrong(`holds ${range}, which is no address or CIDR range`),
      ),
  }),
  signatureHeaders: setting<readonly string[]>({
    name: 'KOBO_SIGNATURE_HEADERS',
    standard: 'none',
    help: 'Further header names, comma-separated, that carry the event signature beside service-signature',
    read: (text) =>
      list(text).map((name) => matching(name.toLowerCase(), /^[a-z0-9-]{1,64}$/, 'a list of header names')),
  }),
  referencePrefix: setting({
    name: 'KOBO_REFERENCE_PREFIX',
    standard: 'KOBO',
    help: 'How transaction references start',
    read: (text) => matching(text ?? 'KOBO', /^[A-Z]{2,8}$/, '2 to 8 upper-case letters'),
  }),
  cellDigits: setting({
    name: 'KOBO_CELL_DIGITS',
    standard: 'none',
    help: 'Of several installations, which this one is: the digits that its account numbers have behind those that the bank assigned',
    read: (text) => (text === undefined ? '' : matching(text, /^\d{1,2}$/, '1 or 2 digits')),
  }),
  cardTestingGuard: setting<boolean>({
    name: 'KOBO_CARD_TESTING_GUARD',
    standard: 'on in live, off in sandbox',
    help: '`on` holds up whoever tries out cards: after many declines no card is charged for a while',
    read: (text, env) => oneOf(text ?? (env['KOBO_ENVIRONMENT'] === 'live' ? 'on' : 'off'), ['on', 'off']) === 'on',
  }),
  batchTransfersMax: setting({
    name: 'KOBO_BATCH_TRANSFERS_MAX',
    standard: '1000',
    help: 'The most transfers in one batch',
    read: (text) => wholeNumber(text ?? '1000', 1, BATCH_ITEMS_MAX),
  }),
  rateLimit: setting<{ readonly perMinute: number; readonly sparesLoopback: boolean }>({
    name: 'KOBO_RATE_LIMIT',
    standard: '6000; none for loopback in sandbox',
    help: 'Requests a minute from one network to one process; 0 for none',
    read: (text, env) => ({
      perMinute: wholeNumber(text ?? '6000', 0, 100_000_000),
      sparesLoopback: text === undefined && env['KOBO_ENVIRONMENT'] !== 'live',
    }),
  }),
  receiverPorts: setting<readonly number[] | undefined>({
    name: 'KOBO_RECEIVER_PORTS',
    standard: '443 in live, any in sandbox',
    help: 'Ports, comma-separated, to which events may be sent; `any` for all',
    read: (text, env) => {
      if (text === undefined) return env['KOBO_ENVIRONMENT'] === 'live' ? [443] : undefined
      return text === 'any' ? undefined : list(text).map((port) => wholeNumber(port, 1, PORT_MAX))
    },
  }),
  privateReceivers: setting({
    name: 'KOBO_PRIVATE_RECEIVERS',
    standard: 'yes in sandbox, no in live',
    help: 'Whether events may be sent to private addresses; say no for a sandbox that others use too',
    read: (text, env) => oneOf(text ?? (env['KOBO_ENVIRONMENT'] === 'live' ? 'no' : 'yes'), ['yes', 'no']) === 'yes',
  }),
  railsAddresses: setting<readonly RailsAddress[]>({
    name: 'KOBO_RAILS_URL',
    standard: 'none: simulated in sandbox, nothing is connected in live',
    help: 'Address of the adapter that connects your banks, cards and billers (docs/rails.md); of several partners each with its code, as wema=https://…,providus=https://…',
    read: readRailsAddresses,
  }),
  railsSecrets: setting<readonly RailsSecret[]>({
    name: 'KOBO_RAILS_SECRET',
    standard: 'none; required with KOBO_RAILS_URL',
    help: 'Signs what goes to the adapter, and what it tells of credits; at least 32 characters, and another for each of several partners, as wema=…,providus=…',
    read: (text, env) => {
      const addresses = addressesIn(env)
      if (text === undefined && addresses.length > 0) wrong('is required with KOBO_RAILS_URL')
      const secrets = readRailsSecrets(text, addresses)
      const [lacking] = secrets.length === 0 ? [] : withoutSecret(addresses, secrets)
      return lacking === undefined ? secrets : wrong(`lacks that of ${lacking.code}`)
    },
  }),
  railsSecretsAlso: setting<readonly RailsSecret[]>({
    name: 'KOBO_RAILS_SECRET_ALSO',
    standard: 'none',
    help: 'A second secret of the adapter that is accepted too, while one takes the place of the other; of several partners as above',
    read: (text, env) => readRailsSecrets(text, addressesIn(env)),
  }),
  railsProtocol: setting<'auto' | '1' | '2'>({
    name: 'KOBO_RAILS_PROTOCOL',
    standard: 'auto',
    help: 'Version of the protocol with the adapter: 1, 2, or `auto` for 2 where the adapter has a manifest',
    read: (text) => oneOf(text ?? 'auto', ['auto', '1', '2']) as 'auto' | '1' | '2',
  }),
  allowed: setting<readonly Carelessness[]>({
    name: 'KOBO_ALLOW',
    standard: 'none',
    help: `What live is to start with although it is careless, comma-separated: ${CARELESSNESS.join(', ')}`,
    read: (text) => list(text).map((name) => oneOf(name, CARELESSNESS) as Carelessness),
  }),
  keep: setting<Keep>({
    name: 'KOBO_KEEP_DAYS',
    standard: KEEP_STANDARD,
    help: 'For how many days what is known of people is kept, by kind, comma-separated; 0 keeps it for ever. Event texts count once delivered or given up, attempts to deliver an event from when it was made, cards from their expiry, identities (BVN, NIN) from when an account is given up, the inbox in sandbox alone; requests are those of the log that developers read',
    read: keptDays,
  }),
  otlpUrl: setting<string | undefined>({
    name: 'KOBO_OTLP_URL',
    standard: 'none: nothing is traced',
    help: 'Address of a collector that takes OpenTelemetry traces as JSON over HTTP, as http://localhost:4318',
    read: (text) => (text === undefined ? undefined : httpUrl(text)),
  }),
  traceShare: setting({
    name: 'KOBO_TRACE_SHARE',
    standard: '1',
    help: 'Which share of requests and deliveries is traced, from 0 to 1, as 0.05',
    read: (text) => Number(matching(text ?? '1', /^(0(\.\d{1,6})?|1(\.0{1,6})?)$/, 'a number from 0 to 1')),
  }),
  logLevel: setting({
    name: 'LOG_LEVEL',
    standard: 'info',
    help: `One of ${LOG_LEVELS.join(', ')}; debug logs every request`,
    read: (text) => oneOf(text ?? 'info', LOG_LEVELS),
  }),
}

/** For how many days what is known of people is kept. */
interface Keep {
  readonly eventBodies: number
  readonly attempts: number
  readonly expiredCards: number
  readonly identities: number
  readonly inbox: number
  readonly requests: number
}

export type Config = { readonly [Name in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[Name]['read']> }

/** Reads and checks all settings at once; throws the whole list of what is wrong, and in live of what is careless. */
export function readConfig(env: NodeJS.ProcessEnv, program: Program = 'gateway'): Config {
  const wrongs: string[] = []
  const unread = new Set<string>()
  const given = trimmed(env)
  const entries = Object.entries(SETTINGS).map(([key, { name, read }]) => {
    try {
      return [key, read(given[name], given)]
    } catch (error) {
      wrongs.push(`  ${name} ${(error as Error).message}`)
      unread.add(name)
      return [key, read(undefined, {})]
    }
  })
  const config = Object.fromEntries(entries) as Config
  for (const { name, setting, reason } of findCareless(config, program))
    if (!config.allowed.includes(name) && !unread.has(setting))
      wrongs.push(`  ${setting} ${reason} (KOBO_ALLOW=${name} allows it)`)
  if (wrongs.length > 0) throw new Error(`Settings that are wrong:\n${wrongs.join('\n')}`)
  return config
}

/** An environment file may leave blanks around a value, or nothing but blanks: one setting must not see what another does not. */
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

/** The partners whose secrets are read; none where their addresses are wrong, which is told of by itself. */
function addressesIn(env: NodeJS.ProcessEnv): readonly RailsAddress[] {
  try {
    return readRailsAddresses(env['KOBO_RAILS_URL'])
  } catch {
    return []
  }
}

/** Each kind by its word in the setting. */
function keptDays(text: string | undefined): Keep {
  const days: Record<string, number> = {}
  for (const item of [...list(KEEP_STANDARD), ...list(text)]) {
    const [word = '', count = ''] = item.split('=')
    days[oneOf(word, KEPT)] = wholeNumber(count, 0, KEEP_DAYS_MAX)
  }
  const { events = 0, attempts = 0, cards = 0, identities = 0, inbox = 0, requests = 0 } = days
  if (cards === 0) wrong('must not keep expired cards for ever')
  return { eventBodies: events, attempts, expiredCards: cards, identities, inbox, requests }
}

const wrong = (reason: string): never => {
  throw new Error(reason)
}
function key(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === KEY_LENGTH ? bytes : wrong(`must be ${KEY_LENGTH} bytes in base64`)
}
const READABLE_BY_OTHERS = 0o004

function keyIn(path: string): Buffer {
  const { mode } = statSync(path, { throwIfNoEntry: false }) ?? wrong('names a file that is not there')
  if ((mode & READABLE_BY_OTHERS) !== 0) wrong('names a file that everybody can read: chmod o= it')
  return key(readFileSync(path, 'utf8').trim())
}
function databaseAddress(text: string | undefined): string | undefined {
  const pattern = /^postgres(ql)?:\/\/.+/
  if (text === undefined) return undefined
  readHosts(matching(text, pattern, 'an address that starts with postgres://')) // throws what is wrong with it
  return text
}
const oneOf = (text: string, allowed: readonly string[]): string =>
  allowed.includes(text) ? text : wrong(`must be one of ${allowed.join(', ')}`)
const matching = (text: string, pattern: RegExp, what: string): string =>
  pattern.test(text) ? text : wrong(`must be ${what}`)
const list = (text: string | undefined): string[] =>
  text === undefined ? [] : text.split(',').map((item) => item.trim())

function wholeNumber(text: string, min: number, max: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  return value >= min && value <= max ? value : wrong(`must be a whole number from ${min} to ${max}`)
}

function httpUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:/.test(text)) wrong('must be an http or https address')
  return text.replace(/\/+$/, '')
}
