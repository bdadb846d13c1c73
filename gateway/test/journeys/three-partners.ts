import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { RoutingTable } from '../../src/core/routing/index.ts'
import type { Credentials } from '../../src/features/sandbox/index.ts'
import type { Clock } from '../../src/kernel/clock.ts'
import { hidden } from '../../src/kernel/hidden.ts'
import { openPost } from '../../src/platform/http/post-json.ts'
import type { Db } from '../../src/platform/postgres/db.ts'
import { requestSigned } from '../../src/rails/http/index.ts'
import { checkedDatabase } from '../harness/checked-books.ts'
import { ownFolder } from '../harness/clear-up.ts'
import { type Client, client, gateway, type TestGateway } from '../harness/gateway.ts'
import { type MovingClock, movingClock } from '../harness/moving-clock.ts'
import { urlsOf } from '../harness/postgres.ts'
import { commandAt, startProgram } from '../harness/processes.ts'
import { proxyFor } from '../harness/proxy-for.ts'

/** The partners, and the banks of their account numbers: two have assigned a prefix, one issues every number. */
export const BANKS = { wema: '035', providus: '101', easypay: '232' } as const
export type Code = keyof typeof BANKS
export const CODES = Object.keys(BANKS) as Code[]

const SOURCES: Readonly<Record<Code, readonly string[]>> = {
  wema: ['--prefix', '991'],
  providus: ['--prefix', '992', '--wallets'],
  easypay: ['--issued'],
}
const ROUTES: RoutingTable = {
  'transfer/send': {
    rules: [
      { name: 'own bank', when: { destinationBank: ['035'] }, use: ['wema', 'providus'] },
      { name: 'large', when: { amountFrom: 1_500 }, use: ['providus', 'easypay', 'wema'] },
      {
        name: 'rest',
        when: {},
        split: [
          { percent: 60, use: ['easypay', 'wema', 'providus'] },
          { percent: 40, use: ['wema', 'easypay', 'providus'] },
        ],
      },
    ],
    otherwise: ['wema'],
  },
}

/**
 * The final status of a transfer, by the last digits of the account: the bank fails some, knows others later, and
 * reverses some.
 */
export const ENDS = { '789': 'SUCCESS', '001': 'FAILED', '002': 'SUCCESS', '003': 'REVERSED', '005': 'FAILED' } as const
export type Ending = keyof typeof ENDS

export const secretOf = (code: Code): string => `the-secret-between-the-gateway-and-${code}`
export const KOBO_RAILS_SECRET = CODES.map((code) => `${code}=${secretOf(code)}`).join(',')

/** Sends a partner a command that is not in the protocol. */
export type Control = (code: Code, name: string, body?: object) => Promise<Record<string, unknown>>

export interface World {
  readonly nodes: readonly [TestGateway, TestGateway]
  readonly db: Db
  readonly clock: MovingClock
  readonly control: Control
  /** The merchant at each of the nodes, freshly logged in. */
  readonly merchants: () => Promise<readonly [Client, Client]>
  /** Reports a credit to a node without the partner's secret; returns the status. */
  readonly forge: (credit: object) => Promise<number | null>
}

/** Two live gateways on one database, set up by the command line, and the connector process with three partners. */
export async function threePartners(t: TestContext): Promise<World> {
  const clock = movingClock()
  const [partnersDoor, gatewaysDoor] = [await proxyFor(t), await proxyFor(t)]
  const env = {
    KOBO_ENVIRONMENT: 'live',
    KOBO_RAILS_URL: CODES.map((code) => `${code}=${partnersDoor.url}/${code}`).join(','),
    KOBO_RAILS_SECRET,
    KOBO_RAILS_PROTOCOL: '2',
    KOBO_RATE_LIMIT: '600000',
  }
  const { url: databaseUrl, drop } = await checkedDatabase()
  t.after(drop)
  const credentials = await setUp(clock.wall, databaseUrl, env)
  const program = startProgram(t, 'connectors/src/main.ts', [], {
    ...clock.env,
    PORT: '0',
    KOBO_CONNECTORS: CODES.map((code) => `${code}=sandbox`).join(','),
    KOBO_RAILS_SECRET,
    KOBO_GATEWAY_URL: gatewaysDoor.url,
    LOG_LEVEL: 'silent',
  })
  const url = await program.says(/ready at (\S+)/)
  const portOf = (address: string): number => Number(new URL(address).port)
  partnersDoor.forwardTo(portOf(url))
  const start = () => gateway(t, { wall: clock.wall, env, databaseUrl })
  const nodes = [await start(), await start()] as const
  gatewaysDoor.forwardTo(...nodes.map((node) => portOf(node.url)))

  const { post, close } = openPost({ allowPrivate: true, timeoutMilliseconds: 120_000, excerptLengthMax: 100_000_000 })
  t.after(close)
  const sendSigned = (to: string, secret: string, operation: string, body: object) =>
    requestSigned(
      { url: to, keys: { secret: hidden(secret) }, wall: clock.wall, post },
      operation,
      JSON.stringify(body),
    )
  return {
    nodes,
    db: nodes[0].db,
    clock,
    control: async (code, name, body = {}) => {
      const { text, reason } = await sendSigned(`${url}/${code}`, secretOf(code), `control/${name}`, body)
      return JSON.parse(text ?? assert.fail(`${code} ${name}: ${reason}`))
    },
    merchants: () =>
      Promise.all([client(nodes[0].url, credentials), client(nodes[1].url, credentials)]) as Promise<[Client, Client]>,
    forge: async (credit) =>
      (await sendSigned(`${nodes[1].url}/rails`, 'a-secret-that-is-nobodys-between-us', 'credits', credit)).status,
  }
}

/** The operator's setup before any payment; returns the merchant's keys. */
export async function setUp(wall: Clock, databaseUrl: string, env: NodeJS.ProcessEnv): Promise<Credentials> {
  const kobo = async (...args: readonly string[]) => {
    const settings = {
      ...env,
      DATABASE_URL: databaseUrl,
      KOBO_VAULT_DATABASE_URL: urlsOf(databaseUrl).vault,
      KOBO_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    }
    const { code, stdout, stderr } = await commandAt(wall, settings, ...args)
    assert.equal(code, 0, stderr)
    return JSON.parse(stdout)
  }
  for (const code of CODES)
    await kobo('accounts', 'sources', 'add', code, '--partner', code, '--bank', BANKS[code], ...SOURCES[code])
  const file = join(ownFolder('routes'), 'routes.json')
  writeFileSync(file, JSON.stringify(ROUTES))
  await kobo('routes', 'set', file)
  const created = ['--name', 'Ada Stores', '--email', 'ops@adastores.example', '--ip', '127.0.0.0/8']
  const { merchantCode, ...credentials } = await kobo('merchant', 'create', ...created)
  await kobo('merchant', 'set', merchantCode, 'otpEnabled=off', 'permissions.transfers=on')
  const account = ['--bank', '058', '--account', '0123456789', '--account-name', 'ADA STORES']
  await kobo('merchant', 'settle', '--merchant', merchantCode, '--cycle', 'INSTANT', ...account)
  return credentials
}
