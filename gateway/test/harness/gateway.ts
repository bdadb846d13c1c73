import assert from 'node:assert/strict'
import { after, type TestContext } from 'node:test'
import * as contract from '@kobo/contract'
import { bodyOf, type Input, logIn, type Reply, type Route, requestOf } from '@kobo/contract'
import { startGateway } from '../../src/app/compose.ts'
import { type Core, openCore } from '../../src/app/core.ts'
import { openFence } from '../../src/app/data-folder.ts'
import { addSource } from '../../src/core/account-numbers/index.ts'
import { createMerchant, permissionsAtStart, whitelistAtStart } from '../../src/core/onboarding.ts'
import { unitOfWork } from '../../src/core/unit-of-work.ts'
import {
  type Credentials,
  createDemoMerchant,
  ensureDemoMerchant,
  readCredentials,
} from '../../src/features/sandbox/index.ts'
import type { Clock } from '../../src/kernel/clock.ts'
import { lagosDay, lagosMoment } from '../../src/kernel/dates.ts'
import { type Environment, readConfig } from '../../src/platform/config/config.ts'
import { type Log, openLog } from '../../src/platform/observability/log.ts'
import type { Db } from '../../src/platform/postgres/db.ts'
import { checkedDatabase } from './checked-books.ts'
import { ownFolder } from './clear-up.ts'
import { testWall } from './clock.ts'
import { ownDatabase, urlsOf } from './postgres.ts'
import { type ApiError, type ApiResponse, checkRefusal, checkReply, parseEnvelope } from './responses.ts'
import { sendRequest } from './send-request.ts'

const MASTER_KEY = Buffer.alloc(32, 7)

export interface Sent {
  readonly headers?: Record<string, string>
  readonly body?: string | object
}

/** A merchant's client: every response is checked against the contract. */
export interface Client {
  readonly credentials: Credentials
  readonly token: string
  /** Calls a route, expects success, checks the response against the contract. */
  readonly call: <R extends Route>(route: R, input: Input<R>) => Promise<Reply<R>>
  /** Calls a route and expects an error with this status that the contract lists for the route. */
  readonly rejected: <R extends Route>(status: number, route: R, input: Loose<R>) => Promise<ApiError>
  /** Sends any request, with the merchant's token by default. */
  readonly send: (method: string, path: string, sent?: Sent) => Promise<ApiResponse>
}

/** Input for errors: may lack fields or have invalid ones. */
type Loose<_R extends Route> = { readonly params?: object; readonly query?: object; readonly body?: unknown }

/** A merchant of the test's own, and its gateway. */
export interface Shop extends Client {
  readonly merchantId: bigint
  readonly url: string
  readonly core: Core
  readonly db: Db
  /** Lets business time pass, and runs due work. */
  readonly advance: (seconds: number) => Promise<void>
  /** Another merchant of the same gateway. */
  readonly anotherMerchant: (permissions?: readonly contract.Permission[]) => Promise<Client>
}

/** A gateway of the test's own, with its first merchant. */
export interface TestGateway extends Shop {
  readonly databaseUrl: string
}

export interface GatewayOptions {
  readonly env?: Record<string, string>
  readonly log?: Log
  readonly databaseUrl?: string
  readonly masterKey?: Buffer
  /** Real time for this gateway, if it differs from the others'. */
  readonly wall?: Clock
  /** The machine's clock, if it is wrong. */
  readonly machine?: Clock
  readonly nodeLeaseSeconds?: number
  readonly onNodeLost?: () => void
  readonly requestLeaseSeconds?: number
  /** Whether a live gateway starts without a bank for account numbers. */
  readonly hasNoSources?: boolean
  /** Whether the book-keeper checks the gateway's database when the gateway closes. */
  readonly hasCheckedBooks?: boolean
}

/** A gateway of the test's own: its own database, real HTTP on a free port, closed when the test ends. */
export async function gateway(t: TestContext, options: GatewayOptions = {}): Promise<TestGateway> {
  const running = await start(options)
  t.after(running.close)
  const { environment, core, databaseUrl } = running
  if (environment === 'sandbox') await ensureDemoMerchant(core)
  else {
    if (options.databaseUrl === undefined && options.hasNoSources !== true) await addLiveSources(core)
    await addMerchant(running)
  }
  return { ...(await shopAt(running)), databaseUrl }
}

/** A test that lets more time pass needs its own gateway: on a shared one, time passes for all merchants. */
const SHARED_ADVANCE_SECONDS_MAX = 7_200
const SHARED_AHEAD_DAYS = 100

let shared: Promise<Running> | undefined
after(async () => (await shared)?.close())

/**
 * The gateway shared by the tests of this process. Its time differs from real time, so that no test confuses the two.
 */
async function startShared(): Promise<Running> {
  const running = await start({ env: { KOBO_RATE_LIMIT: '100000' } })
  await addMerchant(running)
  await advanceToMorning(running, SHARED_AHEAD_DAYS)
  return running
}

const NIGHT_MINUTES = 60
const NOON_MINUTES = 12 * 60

/** Advances to the morning of a day: the evening's settlements are over, and the next ones are hours away. */
async function advanceToMorning(running: Running, daysAhead: number): Promise<void> {
  const now = running.core.clock.now()
  const morning = lagosMoment(lagosDay(now) + daysAhead, NIGHT_MINUTES)
  await (await shopAt(running)).advance(Math.ceil((morning.getTime() - now.getTime()) / 1_000))
}

/**
 * A merchant of the test's own at the gateway shared by all tests of this process, for tests that read only their
 * merchant's data. A test that reads whole tables, moves the clock by days, or has its own configuration needs
 * `gateway`.
 */
export async function aShop(): Promise<Shop> {
  shared ??= startShared()
  const running = await shared
  const { core } = running
  // Earlier tests have moved the clock. No test should see settlements of an evening that it did not wait for.
  const now = core.clock.now()
  if (now > lagosMoment(lagosDay(now), NOON_MINUTES)) await advanceToMorning(running, 1)
  const id = await createDemoMerchant(core)
  const shop = await shopAt(running, (await core.directory.byId(id))?.code)
  return {
    ...shop,
    advance: (seconds) => {
      assert.ok(seconds <= SHARED_ADVANCE_SECONDS_MAX, 'so much time passes at a gateway of the test’s own only')
      return shop.advance(seconds)
    },
  }
}

/** So long that no test process loses its number, however busy the machine is. */
const NODE_LEASE_SECONDS = 3_600

const SETTINGS = {
  PORT: '0',
  KOBO_MASTER_KEY: MASTER_KEY.toString('base64'),
  // Enough connections for races, but few, because each one plans every query again.
  KOBO_DATABASE_CONNECTIONS: '3',
  // Insecure settings that a live gateway of tests on one machine needs.
  KOBO_ALLOW:
    'embedded-database,plain-http,plain-public-url,no-rails,plain-rails,simulated-rails,no-mail,no-rate-limit',
}

/** A gateway that runs in this process. */
export interface Running {
  readonly url: string
  readonly core: Core
  readonly databaseUrl: string
  readonly environment: Environment
  readonly close: () => Promise<void>
}

let dataFolder: string | undefined

/** Starts a gateway that the caller closes. */
export async function start(options: GatewayOptions): Promise<Running> {
  dataFolder ??= ownFolder('data')
  const config = readConfig({ ...SETTINGS, KOBO_DATA_DIR: dataFolder, ...options.env })
  const make = options.hasCheckedBooks === true ? checkedDatabase : ownDatabase
  const own = options.databaseUrl === undefined ? await make() : undefined
  const databaseUrl = options.databaseUrl ?? own?.url ?? ''
  const log = options.log ?? openLog('silent')
  const core = await openCore({
    ...config,
    database: urlsOf(databaseUrl),
    wall: options.wall ?? testWall,
    masterKey: options.masterKey ?? MASTER_KEY,
    fence: openFence(config, (text) => log.error(text)),
    ...(options.machine === undefined ? {} : { machine: options.machine }),
    nodeLeaseSeconds: options.nodeLeaseSeconds ?? NODE_LEASE_SECONDS,
    onNodeLost: options.onNodeLost ?? (() => assert.fail('node lost')),
  })
  const { url, close } = await startGateway(core, config, log, {
    serves: true,
    works: true,
    ...(options.requestLeaseSeconds === undefined ? {} : { requestLeaseSeconds: options.requestLeaseSeconds }),
  })
  return {
    url,
    core,
    databaseUrl,
    environment: config.environment,
    close: async () => {
      await close()
      await core.close()
      await own?.drop()
    },
  }
}

/** The merchant with this code, or the first. */
async function shopAt(running: Running, code?: string): Promise<Shop> {
  const { url, core, environment } = running
  const clientOf = async (merchantCode?: string): Promise<Client> => {
    const credentials = await readCredentials(core, url, merchantCode)
    assert.ok(credentials !== undefined, 'there is a merchant')
    return client(url, credentials)
  }
  const merchant = await clientOf(code)
  return {
    ...merchant,
    merchantId: (await core.directory.byApiKey(merchant.credentials.apiKey))?.id ?? assert.fail('there is a merchant'),
    url,
    core,
    db: core.db,
    advance: async (seconds) => {
      await merchant.call(contract.advanceClock, { body: { seconds } })
    },
    anotherMerchant: async (permissions = permissionsAtStart(environment)) =>
      clientOf((await core.directory.byId(await addMerchant(running, permissions)))?.code),
  }
}

/** A live operator's prefixes of account numbers: one of Wema, and one of Moniepoint for wallets. */
const addLiveSources = (core: Core): Promise<void> =>
  unitOfWork(core, async (unit) => {
    const prefix = {
      partner: 'adapter',
      kind: 'prefix',
      checkDigit: 'nuban',
      restDays: 90,
      settlementAccount: null,
    } as const
    await addSource(unit, { ...prefix, code: 'wema', bankCode: '035', prefix: '99', forWallets: false }, false)
    await addSource(unit, { ...prefix, code: 'moniepoint', bankCode: '50515', prefix: '98', forWallets: true }, false)
  })

/** Adds a merchant to a gateway. */
export const addMerchant = (
  { core, environment }: Pick<Running, 'core' | 'environment'>,
  permissions: readonly contract.Permission[] = permissionsAtStart(environment),
): Promise<bigint> =>
  unitOfWork(core, (unit) =>
    createMerchant(unit, core.keyring, {
      name: 'Another Shop',
      email: 'another@example.com',
      environment,
      ipWhitelist: whitelistAtStart('sandbox'),
      permissions,
    }),
  )

/** Logs in and returns a client for these credentials. */
export async function client(baseUrl: string, credentials: Credentials): Promise<Client> {
  const { accessToken: token } = await logIn({ baseUrl, send: sendRequest }, credentials)
  const send = async (method: string, path: string, { headers, body }: Sent = {}): Promise<ApiResponse> =>
    parseEnvelope(
      await sendRequest({
        method,
        url: baseUrl + path,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body: typeof body === 'object' ? JSON.stringify(body) : body,
      }),
    )
  const sendTo = async <R extends Route>(route: R, input: Input<R>): Promise<ApiResponse> =>
    parseEnvelope(await sendRequest(requestOf({ baseUrl, token }, route, input)))

  return {
    credentials,
    token,
    send,
    call: async (route, input) => {
      const response = await sendTo(route, input)
      assert.equal(response.status, 200, response.text)
      checkReply(route, response)
      return bodyOf(response)
    },
    rejected: async (status, route, input) => {
      const response = await sendTo(route, input as Input<typeof route>)
      assert.equal(response.status, status, response.text)
      return checkRefusal(route, response)
    },
  }
}

export const basic = ({ apiKey, secretKey }: Pick<Credentials, 'apiKey' | 'secretKey'>): string =>
  `Basic ${Buffer.from(`${apiKey}:${secretKey}`).toString('base64')}`
