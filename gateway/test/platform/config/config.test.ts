import assert from 'node:assert/strict'
import { chmodSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { type Config, readConfig, settingsHelp } from '../../../src/platform/config/config.ts'
import { ownFolder } from '../../harness/clear-up.ts'

const KEY = Buffer.alloc(32, 7)
const RAILS_SECRET = 'a-secret-between-gateway-and-adapter'
/** The settings that live mode requires. */
const LIVE = {
  KOBO_ENVIRONMENT: 'live',
  KOBO_MASTER_KEY: KEY.toString('base64'),
  DATABASE_URL: 'postgres://kobo@db.internal/kobo?sslmode=verify-full',
  KOBO_PUBLIC_URL: 'https://pay.example.com',
  KOBO_TRUSTED_PROXIES: '10.0.0.1',
  KOBO_RAILS_URL: 'https://rails.internal',
  KOBO_RAILS_SECRET: RAILS_SECRET,
  SMTP_URL: 'smtps://mail.internal',
}

const FOLDER = ownFolder('config')
const NOWHERE = join(FOLDER, 'nowhere')

/** A key file that ends with a newline, as editors write it. */
function keyFile(text: string, mode = 0o440): string {
  const path = join(FOLDER, `key-${text.length}-${mode}`)
  writeFileSync(path, `${text}\n`)
  chmodSync(path, mode)
  return path
}

const SANDBOX_DEFAULTS: Config = {
  environment: 'sandbox',
  host: '127.0.0.1',
  port: 8_080,
  publicUrl: undefined,
  dashboardUrl: undefined,
  dataDirectory: resolve('data'),
  databaseUrl: undefined,
  readDatabaseUrl: undefined,
  sessionDatabaseUrl: undefined,
  vaultDatabaseUrl: undefined,
  migrationDatabaseUrl: undefined,
  peers: [],
  databaseConnectionsMax: 10,
  masterKey: undefined,
  masterKeyFile: undefined,
  masterKeyNext: undefined,
  workers: 1,
  drainSeconds: 0,
  oidcIssuer: undefined,
  oidcClientId: undefined,
  oidcClientSecret: undefined,
  oidcDomains: [],
  oidcRequired: false,
  oidcSecondFactor: [],
  smtpUrl: undefined,
  mailFrom: 'Kobo <no-reply@localhost>',
  trustedProxies: [],
  signatureHeaders: [],
  compat: [],
  referencePrefix: 'KOBO',
  cellDigits: '',
  nodeNumbers: { first: 0, last: 99 },
  verifiesTls: true,
  cardTestingGuard: false,
  batchTransfersMax: 1_000,
  rateLimit: { perMinute: 6_000, sparesLoopback: true },
  receiverPorts: undefined,
  privateWebhooks: true,
  railsAddresses: [],
  railsSecrets: [],
  railsSecretsAlso: [],
  railsProtocol: 'auto',
  allowed: [],
  keep: { eventBodies: 90, attempts: 396, expiredCards: 396, identities: 1_826, inbox: 30, requests: 7 },
  otlpUrl: undefined,
  auditSyslog: undefined,
  floatMinimum: [],
  traceShare: 1,
  logLevel: 'info',
}

/** Each setting by its environment variable: a valid text, its parsed value, and invalid texts. */
const SETTINGS: Readonly<Record<string, readonly [keyof Config, string, unknown, readonly string[]]>> = {
  KOBO_ENVIRONMENT: ['environment', 'sandbox', 'sandbox', ['production', 'LIVE', 'live,sandbox']],
  HOST: ['host', '0.0.0.0', '0.0.0.0', []],
  PORT: ['port', '0', 0, ['-1', '65536', '80.5', '0x50', '8o', '1e3', '٨٠']],
  KOBO_PUBLIC_URL: [
    'publicUrl',
    'https://pay.example.com/kobo//',
    'https://pay.example.com/kobo',
    ['pay.example.com', 'ftp://x', 'http://'],
  ],
  KOBO_DASHBOARD_URL: [
    'dashboardUrl',
    'https://desk.example.com/',
    'https://desk.example.com',
    ['desk.example.com', 'ftp://x'],
  ],
  KOBO_DATA_DIR: ['dataDirectory', '/var/lib/kobo', '/var/lib/kobo', []],
  DATABASE_URL: [
    'databaseUrl',
    'postgresql://u:p@h/d',
    'postgresql://u:p@h/d',
    ['mysql://u:p@h/d', 'postgres://', 'h/d'],
  ],
  DATABASE_READ_URL: [
    'readDatabaseUrl',
    'postgres://r:p@a,b/d?target_session_attrs=standby',
    'postgres://r:p@a,b/d?target_session_attrs=standby',
    ['h/d', 'postgres://r:p@a,b/d?target_session_attrs=best'],
  ],
  KOBO_SESSION_DATABASE_URL: ['sessionDatabaseUrl', 'postgres://s:p@h/d', 'postgres://s:p@h/d', ['h/d']],
  KOBO_VAULT_DATABASE_URL: ['vaultDatabaseUrl', 'postgres://v:p@h/d', 'postgres://v:p@h/d', ['mysql://v:p@h/d']],
  KOBO_MIGRATION_DATABASE_URL: ['migrationDatabaseUrl', 'postgres://o:p@h/d', 'postgres://o:p@h/d', ['h/d']],
  KOBO_PEERS: [
    'peers',
    'http://one:3000, http://two:3000',
    [new URL('http://one:3000'), new URL('http://two:3000')],
    ['one:3000', 'ftp://one', 'one'],
  ],
  KOBO_DATABASE_CONNECTIONS: ['databaseConnectionsMax', '3', 3, ['2', '1001', 'many']],
  KOBO_MASTER_KEY: [
    'masterKey',
    KEY.toString('base64'),
    KEY,
    ['short', KEY.toString('hex'), Buffer.alloc(31).toString('base64'), Buffer.alloc(33).toString('base64')],
  ],
  KOBO_MASTER_KEY_FILE: ['masterKeyFile', keyFile(KEY.toString('base64')), KEY, [NOWHERE, keyFile('short')]],
  KOBO_MASTER_KEY_NEXT: [
    'masterKeyNext',
    KEY.toString('base64'),
    KEY,
    ['short', KEY.toString('hex'), Buffer.alloc(31).toString('base64')],
  ],
  KOBO_WORKERS: ['workers', '64', 64, ['0', '-1', '100000']],
  KOBO_DRAIN_SECONDS: ['drainSeconds', '10', 10, ['-1', '301', 'long']],
  KOBO_OIDC_ISSUER: ['oidcIssuer', 'https://id.example.com', 'https://id.example.com', ['id.example.com', 'ftp://x']],
  KOBO_OIDC_CLIENT_ID: ['oidcClientId', 'kobo', 'kobo', []],
  KOBO_OIDC_CLIENT_SECRET: ['oidcClientSecret', 'a secret', '[secret]', []],
  KOBO_OIDC_DOMAINS: ['oidcDomains', 'Example.com, example.ng', ['example.com', 'example.ng'], []],
  KOBO_OIDC_REQUIRED: ['oidcRequired', 'no', false, ['true', 'yes', 'NO']],
  KOBO_OIDC_SECOND_FACTOR: ['oidcSecondFactor', 'mfa, hwk', ['mfa', 'hwk'], []],
  SMTP_URL: ['smtpUrl', 'smtp://localhost:25', 'smtp://localhost:25', ['localhost:25', 'http://localhost', 'smtp://']],
  KOBO_MAIL_FROM: ['mailFrom', 'Shop <pay@example.com>', 'Shop <pay@example.com>', ['Shop', 'a@b c']],
  KOBO_TRUSTED_PROXIES: [
    'trustedProxies',
    '10.0.0.0/8, ::1',
    ['10.0.0.0/8', '::1'],
    ['10.0.0.0/33', 'proxy', '10.0.0.1,,::1', '*'],
  ],
  KOBO_SIGNATURE_HEADERS: [
    'signatureHeaders',
    'X-Signature,x-other',
    ['x-signature', 'x-other'],
    ['x signature', 'x:y', 'a\nb', ','],
  ],
  KOBO_COMPAT: [
    'compat',
    'woocommerce, transfersWithoutName',
    ['monnifySignature', 'transfersWithoutName'],
    ['everything', 'basic,,', 'constructor'],
  ],
  KOBO_REFERENCE_PREFIX: ['referencePrefix', 'PAY', 'PAY', ['P', 'pay', 'TOOLONGPREFIX', 'A|B']],
  KOBO_CELL_DIGITS: ['cellDigits', '7', '7', ['007', 'a', '-1']],
  KOBO_NODE_NUMBERS: ['nodeNumbers', '20-39', { first: 20, last: 39 }, ['39-20', '20', '20-100', 'a-b']],
  NODE_TLS_REJECT_UNAUTHORIZED: ['verifiesTls', '0', false, []],
  KOBO_CARD_TESTING_GUARD: ['cardTestingGuard', 'on', true, ['yes', 'ON', 'on,off']],
  KOBO_BATCH_TRANSFERS_MAX: ['batchTransfersMax', '10000', 10_000, ['0', '10001', 'many']],
  KOBO_RATE_LIMIT: ['rateLimit', '100', { perMinute: 100, sparesLoopback: false }, ['-1', 'none', '1.5']],
  KOBO_RECEIVER_PORTS: ['receiverPorts', '443, 8443', [443, 8_443], ['0', '65536', 'https', '443,,80', '443-445']],
  KOBO_PRIVATE_RECEIVERS: ['privateWebhooks', 'no', false, ['true', 'YES', '1']],
  KOBO_RAILS_URL: [
    'railsAddresses',
    'https://rails.example.com/kobo/',
    [{ code: undefined, url: 'https://rails.example.com/kobo' }],
    [
      'rails.example.com',
      'ftp://x',
      'wema=ftp://x',
      'wema=https://a,https://b',
      'wema=https://a,wema=https://b',
      'card=https://a',
      'https://a,',
    ],
  ],
  KOBO_RAILS_SECRET: [
    'railsSecrets',
    RAILS_SECRET,
    ['undefined [secret]'],
    ['short', 'a secret with blanks in it, long enough for it'],
  ],
  KOBO_RAILS_SECRET_ALSO: ['railsSecretsAlso', RAILS_SECRET, ['undefined [secret]'], ['short']],
  KOBO_RAILS_PROTOCOL: ['railsProtocol', '2', '2', ['3', 'v2']],
  KOBO_FLOAT_MINIMUM: [
    'floatMinimum',
    'wema=5000000,providus=1',
    [
      { partner: 'wema', naira: 5_000_000 },
      { partner: 'providus', naira: 1 },
    ],
    ['wema', 'wema=much', '5000000', 'wema=1,'],
  ],
  KOBO_ALLOW: [
    'allowed',
    'plain-rails, embedded-database',
    ['plain-rails', 'embedded-database'],
    ['everything', 'plain-rails,,plain-mail', '*', 'PLAIN-RAILS'],
  ],
  KOBO_KEEP_DAYS: [
    'keep',
    'events=0, inbox=7, requests=3',
    { eventBodies: 0, attempts: 396, expiredCards: 396, identities: 1_826, inbox: 7, requests: 3 },
    ['30', 'events', 'events=-1', 'events=x', 'mails=3', 'cards=0', 'events=36501'],
  ],
  KOBO_OTLP_URL: ['otlpUrl', 'http://localhost:4318/', 'http://localhost:4318', ['localhost:4318', 'grpc://x']],
  KOBO_TRACE_SHARE: ['traceShare', '0.05', 0.05, ['1.1', '-0.1', '5%', '.5', 'all']],
  KOBO_AUDIT_SYSLOG: [
    'auditSyslog',
    'tls://siem.internal:6514',
    'tls://siem.internal:6514',
    ['https://siem.internal', 'tls://user@siem', 'siem:514'],
  ],
  LOG_LEVEL: ['logLevel', 'silent', 'silent', ['loud', 'INFO']],
}

/** Settings that another one requires. */
const NEEDED: Readonly<Record<string, Record<string, string>>> = {
  KOBO_RAILS_URL: { KOBO_RAILS_SECRET: RAILS_SECRET },
  KOBO_OIDC_ISSUER: {
    KOBO_OIDC_CLIENT_ID: 'kobo',
    KOBO_OIDC_CLIENT_SECRET: 'a secret',
    KOBO_OIDC_DOMAINS: 'example.com',
  },
}

/** A value as it may be printed. */
const shown = (value: unknown): unknown =>
  Array.isArray(value) && value.some((one) => Object.hasOwn(Object(one), 'secret'))
    ? value.map(({ code, secret }) => `${code} ${secret}`)
    : Object.hasOwn(Object(value), 'reveal')
      ? String(value)
      : value

const wrongs = (env: Record<string, string>): string[] => {
  try {
    readConfig(env)
    return []
  } catch (error) {
    return (error as Error).message
      .split('\n')
      .slice(1)
      .map((line) => line.trim())
  }
}

test('with nothing set, every setting has its sandbox default', () =>
  assert.deepEqual(readConfig({}), SANDBOX_DEFAULTS))

test('with only blank values, every setting has its default too', () => {
  const blank = Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, ' ']))
  assert.deepEqual(readConfig(blank), SANDBOX_DEFAULTS)
})

test('mails come from the public host, since mail servers reject localhost', () => {
  assert.equal(readConfig({ KOBO_PUBLIC_URL: 'https://pay.example.com/x' }).mailFrom, 'Kobo <no-reply@pay.example.com>')
})

test('live listens on all addresses and limits the request rate', () => {
  const expected = {
    ...SANDBOX_DEFAULTS,
    environment: 'live',
    host: '0.0.0.0',
    cardTestingGuard: true,
    rateLimit: { perMinute: 6_000, sparesLoopback: false },
    receiverPorts: [443],
    privateWebhooks: false,
    masterKey: KEY,
    databaseUrl: LIVE.DATABASE_URL,
    publicUrl: LIVE.KOBO_PUBLIC_URL,
    trustedProxies: ['10.0.0.1'],
    railsAddresses: [{ code: undefined, url: LIVE.KOBO_RAILS_URL }],
    smtpUrl: LIVE.SMTP_URL,
    mailFrom: 'Kobo <no-reply@pay.example.com>',
  }
  const config = readConfig(LIVE)
  assert.equal(config.railsSecrets[0]?.secret.reveal(), RAILS_SECRET)
  assert.deepEqual({ ...config, railsSecrets: [] }, expected)
  assert.equal(
    readConfig({ ...LIVE, KOBO_RECEIVER_PORTS: 'any', KOBO_ALLOW: 'any-receiver-port' }).receiverPorts,
    undefined,
  )
})

test('the table of this test covers every setting', () => {
  assert.deepEqual(
    Object.values(SETTINGS)
      .map(([key]) => key)
      .sort(),
    Object.keys(readConfig({})).sort(),
  )
})

for (const [name, [key, right, read, wrongTexts]] of Object.entries(SETTINGS)) {
  test(`${name}=${right} is read, with or without blanks around it`, () => {
    assert.deepEqual(shown(readConfig({ ...NEEDED[name], [name]: right })[key]), read)
    assert.deepEqual(shown(readConfig({ ...NEEDED[name], [name]: `  ${right}\r\n` })[key]), read)
  })
  for (const text of wrongTexts) {
    test(`${name}=${JSON.stringify(text)} is invalid, and the message starts with its name`, () => {
      const [wrong = '', ...others] = wrongs({ ...NEEDED[name], [name]: text })
      assert.ok(wrong.startsWith(`${name} `), wrong)
      assert.deepEqual(others, [])
    })
  }
}

test('all configuration errors are reported at once', () => {
  const wrong = Object.fromEntries(
    Object.entries(SETTINGS).flatMap(([name, [, , , [text]]]) => (text === undefined ? [] : [[name, text]])),
  )
  assert.deepEqual(
    wrongs(wrong).map((line) => line.split(' ')[0]),
    Object.keys(wrong),
  )
})

test('live mode accepts an identity provider only over https, and with all that it needs', () => {
  const oidc = NEEDED['KOBO_OIDC_ISSUER']
  assert.deepEqual(wrongs({ ...LIVE, ...oidc, KOBO_OIDC_ISSUER: 'https://id.example.com' }), [])
  const plain = wrongs({ ...LIVE, ...oidc, KOBO_OIDC_ISSUER: 'http://id.example.com' })
  assert.deepEqual(plain, ['KOBO_OIDC_ISSUER must be an https address in live mode'])
  const alone = wrongs({ ...LIVE, KOBO_OIDC_ISSUER: 'https://id.example.com' })
  assert.deepEqual(
    alone.map((line) => line.split(' ')[0]),
    ['KOBO_OIDC_CLIENT_ID', 'KOBO_OIDC_CLIENT_SECRET', 'KOBO_OIDC_DOMAINS'],
  )
})

test('the error for an invalid secret does not contain the secret', () => {
  const errors = wrongs({ KOBO_MASTER_KEY: 'c2VjcmV0LWtleQ==', DATABASE_URL: 'mysql://user:hunter2@host/db' }).join(
    '\n',
  )
  for (const name of ['KOBO_MASTER_KEY', 'DATABASE_URL']) assert.ok(errors.includes(name), errors)
  assert.ok(!errors.includes('hunter2') && !errors.includes('c2VjcmV0'))
})

test('a file may hold the master key, in live mode too, unless it is readable by everyone or the key is set as well', () => {
  const file = keyFile(KEY.toString('base64'))
  const { KOBO_MASTER_KEY: _, ...live } = LIVE
  assert.deepEqual(readConfig({ ...live, KOBO_MASTER_KEY_FILE: file }).masterKeyFile, KEY)
  assert.match(wrongs({ KOBO_MASTER_KEY_FILE: keyFile(KEY.toString('base64'), 0o444) }).join(), /every user can read/)
  assert.match(wrongs({ ...LIVE, KOBO_MASTER_KEY_FILE: file }).join(), /^KOBO_MASTER_KEY and \S+ are both set/)
})

for (const environment of ['live', ' live', 'live\r']) {
  test(`live mode requires KOBO_MASTER_KEY, also when it is written ${JSON.stringify(environment)}`, () => {
    const { KOBO_MASTER_KEY: _, ...others } = LIVE
    for (const without of [others, { ...others, KOBO_MASTER_KEY: ' ' }])
      assert.deepEqual(wrongs({ ...without, KOBO_ENVIRONMENT: environment }), [
        'KOBO_MASTER_KEY is required in live mode',
      ])
    assert.doesNotThrow(() => readConfig({ ...others, KOBO_ENVIRONMENT: environment }, 'command'))
    assert.equal(readConfig({ ...LIVE, KOBO_ENVIRONMENT: environment }).host, '0.0.0.0')
  })
}

for (const [name, nearest] of [
  ['KOBO_ENVIROMENT', 'KOBO_ENVIRONMENT'],
  ['kobo_environment', 'KOBO_ENVIRONMENT'],
  ['KOBO_PORT', 'PORT'],
  ['KOBO_MASTERKEY', 'KOBO_MASTER_KEY'],
  ['KOBO_RAIL_URL', 'KOBO_RAILS_URL'],
] as const)
  test(`${name} is not a setting, so nothing starts, in live mode or as a sandbox`, () => {
    const line = `${name} is not a setting: did you mean ${nearest}?`
    assert.deepEqual(wrongs({ [name]: 'live' }), [line])
    assert.deepEqual(wrongs({ ...LIVE, [name]: 'live' }), [line])
    assert.throws(() => readConfig({ [name]: 'live' }, 'command'), /is not a setting/)
    assert.deepEqual(wrongs({ [name]: ' ' }), [], 'a blank value means nothing')
  })

test('names that other programs read, or that containers get for a service, are no typos', () => {
  const others = {
    KOBO_URL: 'http://localhost:8080',
    KOBO_SECRET_KEY: 'X',
    KOBO_WALLET_ACCOUNT_NUMBER: '1000000001',
    KOBO_TEST_SEED: '1',
    KOBO_GATEWAY_URL: 'http://localhost:8080',
    KOBO_SERVICE_HOST: '10.0.0.1',
    KOBO_SERVICE_PORT_HTTP: '8080',
    KOBO_PORT: 'tcp://10.0.0.1:8080',
    KOBO_PORT_8080_TCP_ADDR: '10.0.0.1',
  }
  assert.deepEqual(wrongs(others), [])
  assert.deepEqual(wrongs({ KOBO_CONNECTORS: 'wema,my-bank=providus', KOBO_WEMA_URL: 'x', KOBO_MY_BANK_URL: 'x' }), [])
  const rails = { KOBO_RAILS_URL: 'wema=https://a', KOBO_RAILS_SECRET: RAILS_SECRET }
  assert.deepEqual(wrongs({ ...rails, KOBO_WEMA_URL: 'x' }), [])
})

test('a rails URL requires the rails secret, and a secret alone is fine', () => {
  assert.deepEqual(wrongs({ KOBO_RAILS_URL: 'https://rails.example.com' }), [
    'KOBO_RAILS_SECRET is required with KOBO_RAILS_URL',
  ])
  assert.equal(readConfig({ KOBO_RAILS_SECRET: RAILS_SECRET }).railsSecrets[0]?.secret.reveal(), RAILS_SECRET)
})

test('several partners are configured by name, each with its own secret', () => {
  const KOBO_RAILS_URL = 'wema=https://rails.example.com/wema, providus=https://rails.example.com/providus/'
  const [ofWema, ofProvidus] = [`${RAILS_SECRET}=`, `${RAILS_SECRET}-2`]
  const { railsAddresses, railsSecrets } = readConfig({
    KOBO_RAILS_URL,
    KOBO_RAILS_SECRET: `providus=${ofProvidus}, wema=${ofWema}`,
  })
  assert.deepEqual(railsAddresses, [
    { code: 'wema', url: 'https://rails.example.com/wema' },
    { code: 'providus', url: 'https://rails.example.com/providus' },
  ])
  assert.deepEqual(
    railsSecrets.map(({ code, secret }) => [code, secret.reveal()]),
    [
      ['providus', ofProvidus],
      ['wema', ofWema],
    ],
  )
  for (const [secrets, why] of [
    [ofWema, /give the partner of each secret/],
    [`wema=${ofWema}`, /has no secret for providus/],
    [`wema=${ofWema},providus=${ofWema}`, /differ for each partner/],
    [`wema=${ofWema},providus=short`, /32 characters/],
    [`wema=${ofWema},nobody=${ofProvidus}`, /not a partner in KOBO_RAILS_URL/],
    [`wema=${ofWema},wema=${ofProvidus}`, /each partner once/],
  ] as const)
    assert.match(wrongs({ KOBO_RAILS_URL, KOBO_RAILS_SECRET: secrets }).join(), why)
  const one = readConfig({ KOBO_RAILS_URL: 'wema=https://a', KOBO_RAILS_SECRET: ofWema })
  assert.deepEqual([one.railsSecrets[0]?.code, one.railsSecrets[0]?.secret.reveal()], ['wema', ofWema])
})

test('help lists every setting on its own line, with its meaning and default', () => {
  const lines = settingsHelp().split('\n')
  assert.deepEqual(lines.map((line) => line.trim().split(' ')[0]).sort(), Object.keys(SETTINGS).sort())
  for (const line of lines) assert.match(line, /^ {2}[A-Z_]+ {2,}\S.* \(default: .+\)$/)
})
