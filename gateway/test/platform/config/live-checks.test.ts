import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../../src/platform/config/config.ts'
import {
  findInsecureSettings,
  INSECURE_SETTINGS,
  type InsecureSettingName,
  whyNotWebhookUrl,
} from '../../../src/platform/config/live-checks.ts'

const RAILS_SECRET = 'a-secret-between-gateway-and-adapter'
/** A secure live configuration. */
const CAREFUL = {
  KOBO_ENVIRONMENT: 'live',
  KOBO_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
  DATABASE_URL: 'postgres://kobo:secret@db.internal/kobo?sslmode=verify-full',
  KOBO_PUBLIC_URL: 'https://pay.example.com',
  KOBO_TRUSTED_PROXIES: '10.0.0.1',
  KOBO_RAILS_URL: 'https://rails.internal',
  KOBO_RAILS_SECRET: RAILS_SECRET,
  SMTP_URL: 'smtps://mail.internal',
}

const database = (rest: string): Record<string, string> => ({ DATABASE_URL: `postgres://kobo:secret@${rest}` })
const mail = (url: string): Record<string, string> => ({ SMTP_URL: url })

const PLAIN = 'postgres://kobo:secret@db.internal/kobo'

/** Two partners, one of them over plain HTTP. */
const SEVERAL = {
  KOBO_RAILS_URL: 'wema=https://a.internal,other=http://rails.internal',
  KOBO_RAILS_SECRET: `wema=${RAILS_SECRET},other=${RAILS_SECRET}-2`,
}

/** Each insecure setting with an example, by the setting that the message names. */
const WRONG: readonly (readonly [InsecureSettingName, string, Record<string, string>])[] = [
  ['embedded-database', 'DATABASE_URL', { DATABASE_URL: '' }],
  ['plain-database', 'DATABASE_URL', database('db.internal/kobo')],
  ['plain-database', 'DATABASE_URL', database('10.0.0.7:5432/kobo?sslmode=disable')],
  ['plain-database', 'DATABASE_URL', database('db.internal/kobo?sslmode=prefer')],
  ['plain-database', 'DATABASE_URL', database('db.internal/kobo?sslmode=no-verify')],
  ['plain-database', 'DATABASE_URL', database('db.internal/kobo?sslmode=require&uselibpqcompat=true')],
  ['plain-database', 'DATABASE_URL', database('localhost.example.com/kobo')],
  ['plain-database', 'DATABASE_URL', database('localhost/kobo?host=db.internal')],
  ['plain-database', 'DATABASE_READ_URL', { DATABASE_READ_URL: 'postgres://kobo:secret@standby.internal/kobo' }],
  ['plain-database', 'KOBO_SESSION_DATABASE_URL', { KOBO_SESSION_DATABASE_URL: `${PLAIN}?sslmode=no-verify` }],
  ['plain-database', 'KOBO_VAULT_DATABASE_URL', { KOBO_VAULT_DATABASE_URL: PLAIN }],
  ['plain-database', 'KOBO_MIGRATION_DATABASE_URL', { KOBO_MIGRATION_DATABASE_URL: PLAIN }],
  ['unverified-tls', 'NODE_TLS_REJECT_UNAUTHORIZED', { NODE_TLS_REJECT_UNAUTHORIZED: '0' }],
  ['plain-http', 'KOBO_TRUSTED_PROXIES', { KOBO_TRUSTED_PROXIES: '' }],
  ['any-proxy', 'KOBO_TRUSTED_PROXIES', { KOBO_TRUSTED_PROXIES: '10.0.0.1,0.0.0.0/0' }],
  ['any-proxy', 'KOBO_TRUSTED_PROXIES', { KOBO_TRUSTED_PROXIES: '::/0' }],
  ['plain-public-url', 'KOBO_PUBLIC_URL', { KOBO_PUBLIC_URL: '' }],
  ['plain-public-url', 'KOBO_PUBLIC_URL', { KOBO_PUBLIC_URL: 'http://pay.example.com' }],
  ['plain-dashboard-url', 'KOBO_DASHBOARD_URL', { KOBO_DASHBOARD_URL: 'http://desk.example.com' }],
  ['no-rails', 'KOBO_RAILS_URL', { KOBO_RAILS_URL: '', KOBO_RAILS_SECRET: '' }],
  ['plain-rails', 'KOBO_RAILS_URL', { KOBO_RAILS_URL: 'http://rails.internal' }],
  ['plain-rails', 'KOBO_RAILS_URL', SEVERAL],
  ['plain-rails', 'KOBO_RAILS_URL', { KOBO_RAILS_URL: 'http://127.0.0.1:9000' }],
  ['no-mail', 'SMTP_URL', mail('')],
  ['plain-mail', 'SMTP_URL', mail('smtp://mail.internal')],
  ['plain-mail', 'SMTP_URL', mail('smtp://mail.internal:587?requireTLS=false')],
  ['plain-mail', 'SMTP_URL', mail('smtp://mail.internal?requireTLS=true&ignoreTLS=true')],
  ['plain-mail', 'SMTP_URL', mail('smtps://mail.internal?tls.rejectUnauthorized=false')],
  ['simulated-rails', 'KOBO_ALLOW', { KOBO_ALLOW: 'simulated-rails' }],
  ['plain-receivers', 'KOBO_ALLOW', { KOBO_ALLOW: 'plain-receivers' }],
  ['private-receivers', 'KOBO_PRIVATE_RECEIVERS', { KOBO_PRIVATE_RECEIVERS: 'yes' }],
  ['any-receiver-port', 'KOBO_RECEIVER_PORTS', { KOBO_RECEIVER_PORTS: 'any' }],
  ['no-rate-limit', 'KOBO_RATE_LIMIT', { KOBO_RATE_LIMIT: '0' }],
  ['no-rate-limit', 'KOBO_RATE_LIMIT', { KOBO_RATE_LIMIT: '100000000' }],
  ['no-card-testing-guard', 'KOBO_CARD_TESTING_GUARD', { KOBO_CARD_TESTING_GUARD: 'off' }],
  ['plain-traces', 'KOBO_OTLP_URL', { KOBO_OTLP_URL: 'http://collector.internal:4318' }],
  ['plain-audit', 'KOBO_AUDIT_SYSLOG', { KOBO_AUDIT_SYSLOG: 'tcp://siem.internal:601' }],
]

/** Settings that are just as secure. */
const RIGHT: readonly Record<string, string>[] = [
  {},
  database('localhost/kobo'),
  database('127.0.0.1:5433/kobo'),
  database('[::1]/kobo'),
  database('nowhere/kobo?host=/var/run/postgresql'),
  database('db.internal/kobo?sslmode=require'),
  database('db.internal/kobo?ssl=true'),
  database('db.internal/kobo?sslmode=verify-full&uselibpqcompat=true'),
  mail('smtp://mail.internal:587?requireTLS=true'),
  mail('smtps://mail.internal?tls.rejectUnauthorized=true'),
  { DATABASE_READ_URL: 'postgres://kobo:secret@standby.internal/kobo?sslmode=verify-full' },
  { KOBO_TRUSTED_PROXIES: '10.0.0.0/8,fd00::/32' },
  { KOBO_RECEIVER_PORTS: '443,8443' },
  { KOBO_RATE_LIMIT: '600000' },
  { KOBO_OTLP_URL: 'http://localhost:4318' },
  { KOBO_OTLP_URL: 'https://collector.internal' },
]

const wrongs = (env: Record<string, string>, program?: 'command'): readonly string[] => {
  try {
    readConfig(env, program)
    return []
  } catch (error) {
    return (error as Error).message.split('\n').slice(1)
  }
}

for (const changes of RIGHT)
  test(`live starts with ${JSON.stringify(changes)}`, () => assert.deepEqual(wrongs({ ...CAREFUL, ...changes }), []))

test('the table of this test covers every insecure setting', () =>
  assert.deepEqual(new Set(WRONG.map(([name]) => name)), new Set(INSECURE_SETTINGS)))

/** `KOBO_ALLOW` switches off their checks at run time, so allowing them is itself insecure. */
const AT_RUN_TIME: readonly InsecureSettingName[] = ['simulated-rails', 'plain-receivers']

for (const [name, setting, changes] of WRONG.filter(([one]) => AT_RUN_TIME.includes(one)))
  test(`live starts with ${JSON.stringify(changes)}, and warns`, () => {
    const found = findInsecureSettings(readConfig({ ...CAREFUL, ...changes }), 'gateway')
    assert.deepEqual(
      found.map((one) => [one.name, one.setting]),
      [[name, setting]],
    )
  })

for (const [name, setting, changes] of WRONG.filter(([one]) => !AT_RUN_TIME.includes(one))) {
  const env = { ...CAREFUL, ...changes }
  test(`live mode does not start with ${JSON.stringify(changes)} unless ${name} is allowed, and then it warns`, () => {
    const [line = '', ...others] = wrongs(env)
    assert.deepEqual(others, [])
    assert.ok(line.startsWith(`  ${setting} `) && line.endsWith(`(KOBO_ALLOW=${name} allows it)`), line)
    assert.ok(!line.includes('secret@'), 'no password is shown')
    const all = INSECURE_SETTINGS.filter((other) => !AT_RUN_TIME.includes(other))
    const config = readConfig({ ...env, KOBO_ALLOW: all.join(',') })
    assert.deepEqual(
      findInsecureSettings(config, 'gateway').map((careless) => careless.name),
      [name],
      'an allowance that is not needed causes no warning',
    )
    const rest = all.filter((other) => other !== name)
    assert.equal(wrongs({ ...env, KOBO_ALLOW: rest.join(',') }).length, 1, 'nothing else allows it')
  })
  test(`the sandbox starts with ${JSON.stringify(changes)}`, () =>
    assert.deepEqual(wrongs({ ...env, KOBO_ENVIRONMENT: 'sandbox' }), []))
}

test('all insecure settings are listed at once, together with all invalid ones', () => {
  const env = {
    ...Object.assign({}, ...WRONG.map(([, , changes]) => changes)),
    KOBO_ALLOW: '',
    KOBO_ENVIRONMENT: 'live',
    KOBO_RAILS_SECRET: RAILS_SECRET,
    PORT: 'eighty',
  }
  assert.deepEqual(
    wrongs(env).map((line) => line.trim().split(' ')[0]),
    [
      'PORT',
      'KOBO_MASTER_KEY',
      'DATABASE_URL',
      'DATABASE_READ_URL',
      'KOBO_SESSION_DATABASE_URL',
      'KOBO_VAULT_DATABASE_URL',
      'KOBO_MIGRATION_DATABASE_URL',
      'NODE_TLS_REJECT_UNAUTHORIZED',
      'KOBO_TRUSTED_PROXIES',
      'KOBO_PUBLIC_URL',
      'KOBO_DASHBOARD_URL',
      'KOBO_RAILS_URL',
      'SMTP_URL',
      'KOBO_PRIVATE_RECEIVERS',
      'KOBO_RECEIVER_PORTS',
      'KOBO_RATE_LIMIT',
      'KOBO_CARD_TESTING_GUARD',
      'KOBO_OTLP_URL',
      'KOBO_AUDIT_SYSLOG',
    ],
  )
})

test('an invalid setting is reported once, and not as insecure too', () =>
  assert.deepEqual(wrongs({ ...CAREFUL, KOBO_PUBLIC_URL: 'pay.example.com' }), [
    '  KOBO_PUBLIC_URL must be an http or https address',
  ]))

test('a command needs only the database, configured just as securely', () => {
  const { KOBO_ENVIRONMENT, KOBO_MASTER_KEY } = CAREFUL
  const bare = { KOBO_ENVIRONMENT, KOBO_MASTER_KEY }
  assert.deepEqual(wrongs({ ...bare, DATABASE_URL: CAREFUL.DATABASE_URL }, 'command'), [])
  assert.equal(wrongs({ ...bare, ...database('db.internal/kobo') }, 'command').length, 1)
  assert.equal(wrongs(bare, 'command').length, 1)
  const unverified = { DATABASE_URL: CAREFUL.DATABASE_URL, NODE_TLS_REJECT_UNAUTHORIZED: '0' }
  assert.equal(wrongs({ ...bare, ...unverified }, 'command').length, 1)
})

test('live sends events to https URLs only, unless plain ones are allowed with a warning', () => {
  const live = { environment: 'live', allowed: [] } as const
  const lenient = { environment: 'live', allowed: ['plain-receivers'] } as const
  const sandbox = { environment: 'sandbox', allowed: [] } as const
  for (const url of ['http://shop.example.com', 'HTTP://shop.example.com', 'ftp://x']) {
    assert.match(whyNotWebhookUrl(live, url) ?? '', /https/)
    assert.equal(whyNotWebhookUrl(lenient, url), undefined)
    assert.equal(whyNotWebhookUrl(sandbox, url), undefined)
  }
  for (const url of ['https://shop.example.com', 'HTTPS://shop.example.com'])
    assert.equal(whyNotWebhookUrl(live, url), undefined)
  const config = readConfig({ ...CAREFUL, KOBO_ALLOW: 'plain-receivers' })
  assert.deepEqual(
    findInsecureSettings(config, 'gateway').map(({ name }) => name),
    ['plain-receivers'],
  )
})
