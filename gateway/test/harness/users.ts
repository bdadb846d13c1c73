import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import {
  bodyOf,
  CSRF_HEADER,
  type Input,
  inDashboard,
  type OperatorRole,
  type Reply,
  type Role,
  type Route,
  requestOf,
  whoAmI,
} from '@kobo/contract'
import type { Core } from '../../src/app/core.ts'
import { insertMembership, insertPerson, startSession } from '../../src/core/sessions/index.ts'
import { unitOfWork } from '../../src/core/unit-of-work.ts'
import { codeOf, stepAt } from '../../src/features/sign-in/totp.ts'
import type { Clock } from '../../src/kernel/clock.ts'
import { testWall } from './clock.ts'
import type { Shop } from './gateway.ts'
import { type ApiError, type ApiResponse, checkRefusal, checkReply, parseEnvelope } from './responses.ts'
import { sendRequest } from './send-request.ts'

/** A user in a browser at the dashboard: every response is checked against the contract. */
export interface TestUser {
  readonly personId: bigint
  readonly email: string
  readonly cookie: string
  /** Calls a route of the dashboard, or one of the API that users may call, and expects success. */
  readonly call: <R extends Route>(route: R, input: Input<R>) => Promise<Reply<R>>
  /** Calls a route and expects an error with this status that the contract lists for the route. */
  readonly rejected: <R extends Route>(status: number, route: R, input: object) => Promise<ApiError>
  /** Sends a request whose headers may differ from those of a browser on our own page. */
  readonly send: <R extends Route>(
    route: R,
    input: object,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<ApiResponse>
}

/** The headers of a browser on our own pages, besides cookies. */
export const OWN_PAGE = { 'sec-fetch-site': 'same-origin' }

export interface UserOptions {
  readonly approves?: boolean
  /** When the second factor was provided, if there is one: just now, longer ago than counts as fresh, or not yet. */
  readonly secondFactor?: 'fresh' | 'shown' | 'not shown'
}

const LONG_AGO_MILLISECONDS = 600_000

/** A member of a shop's team, signed in. */
export const aTeamMember = (
  { core, url, merchantId }: Pick<Shop, 'core' | 'url' | 'merchantId'>,
  role: Role,
  options: UserOptions = {},
): Promise<TestUser> => signedIn(core, url, { role, merchantId }, options)

/** A user of the operator, signed in. */
export const anOperator = (
  { core, url }: Pick<Shop, 'core' | 'url'>,
  operatorRole: OperatorRole,
  options: UserOptions = { secondFactor: 'fresh' },
): Promise<TestUser> => signedIn(core, url, { operatorRole }, options)

interface Does {
  readonly role?: Role
  readonly merchantId?: bigint
  readonly operatorRole?: OperatorRole
}

async function signedIn(
  core: Core,
  url: string,
  { role, merchantId, operatorRole }: Does,
  { approves = false, secondFactor }: UserOptions,
): Promise<TestUser> {
  const personId = core.ids.id()
  const email = `${role ?? operatorRole}-${randomUUID().slice(0, 8)}@example.com`
  const at = core.wall.now()
  const shownAt = { fresh: at, shown: new Date(at.getTime() - LONG_AGO_MILLISECONDS), 'not shown': null }
  const token = await unitOfWork(core, async (unit) => {
    const { tx } = unit
    const name = `Test ${role ?? operatorRole}`
    await insertPerson(tx, { id: personId, email, name, operatorRole: operatorRole ?? null, createdAt: at })
    if (merchantId !== undefined && role !== undefined)
      await insertMembership(tx, { merchantId, personId, role, approves, createdAt: at })
    if (secondFactor !== undefined)
      await tx`
        insert into second_factor (person_id, id, kind, name, secret, created_at, confirmed_at)
        values (${personId}, ${personId}, 'TOTP', 'Test', ''::bytea, ${at}, ${at})`
    return startSession(unit, {
      personId,
      merchantId: merchantId ?? null,
      deviceId: personId,
      address: '127.0.0.1',
      agent: 'a test',
      secondFactorAt: secondFactor === undefined ? null : shownAt[secondFactor],
      at,
    })
  })
  const [live] = await core.db<{ readonly name: string }[]>`select name from environment where name = 'live'`
  return inBrowser(url, { personId, email }, `${live === undefined ? '' : '__Host-'}kobo=${token}`)
}

/** A browser that has this cookie. */
export async function inBrowser(
  baseUrl: string,
  who: { readonly personId: bigint; readonly email: string },
  cookie: string,
): Promise<TestUser> {
  return { ...who, cookie, ...aBrowser(baseUrl, cookie) }
}

/** A clock of real time that a test moves ahead, so that no test waits half a minute for the next code. */
export function aWall(): Clock & { readonly pass: (seconds: number) => void } {
  let milliseconds = testWall.now().getTime()
  return {
    now: () => new Date(milliseconds++),
    pass: (seconds) => {
      milliseconds += seconds * 1_000
    },
  }
}

export type TestBrowser = Pick<TestUser, 'call' | 'rejected' | 'send'> & { readonly cookies: Map<string, string> }

/** A browser at the dashboard, which keeps its cookies. */
export function aBrowser(baseUrl: string, cookie = ''): TestBrowser {
  const cookies = new Map(cookie === '' ? [] : [cookie.split('=') as [string, string]])
  const shown = (): string => [...cookies].map((pair) => pair.join('=')).join('; ')
  const keep = ({ headers }: { readonly headers: Headers }): void => {
    for (const set of headers.getSetCookie()) {
      const [name = '', value = ''] = (set.split(';')[0] ?? '').split('=')
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
  }
  const served = (route: Route): Route => (route.path.startsWith('/dashboard/') ? route : inDashboard(route))
  let known = { cookie: '', csrf: '' }
  /** The headers of our own page, which fetches the CSRF token of the session first. */
  const ownHeaders = async (route: Route): Promise<Readonly<Record<string, string>>> => {
    if (route.method === 'GET') return {}
    if (route.access === 'open') return OWN_PAGE
    if (known.cookie !== shown()) {
      const { text } = await sendRequest({ method: 'GET', url: baseUrl + whoAmI.path, headers: { cookie: shown() } })
      const me = (JSON.parse(text) as { readonly responseBody?: Reply<typeof whoAmI> }).responseBody
      known = { cookie: shown(), csrf: me?.csrf ?? '' }
    }
    return { ...OWN_PAGE, [CSRF_HEADER]: known.csrf }
  }
  const send: TestUser['send'] = async (route, input, headers) => {
    const request = requestOf({ baseUrl }, served(route), input as Input<Route>)
    const sent = { ...request.headers, cookie: shown(), ...(headers ?? (await ownHeaders(served(route)))) }
    const response = parseEnvelope(await sendRequest({ ...request, headers: sent }))
    keep(response)
    return response
  }
  return {
    cookies,
    send,
    call: async (route, input) => {
      const response = await send(route, input as object)
      assert.equal(response.status, 200, response.text)
      checkReply(served(route), response)
      return bodyOf(response)
    },
    rejected: async (status, route, input) => {
      const response = await send(route, input)
      assert.equal(response.status, status, response.text)
      return checkRefusal(served(route), response)
    },
  }
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** An authenticator app's code at a moment for a secret in base32. */
export function totpCode(secret: string, at: Date): string {
  const bits = [...secret].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  return codeOf(bytes, stepAt(at))
}
