import assert from 'node:assert/strict'
import { type Input, logIn, Refused, type Reply, type Route, requestOf } from '@kobo/contract'
import type { Credentials } from '../../src/features/sandbox/index.ts'
import type { Db } from '../../src/platform/postgres/db.ts'
import { type ApiResponse, checkRefusal, checkReply, parseEnvelope } from '../harness/responses.ts'
import type { seededRandom } from '../harness/samples.ts'
import { sendRequest } from '../harness/send-request.ts'
import type { Bank } from './bank.ts'
import type { Node, Nodes } from './nodes.ts'
import type { Partners } from './partners.ts'

export type Dice = ReturnType<typeof seededRandom>

/** An account number to pay into, and the amount due. */
export interface Payable {
  readonly bankCode: string
  readonly accountNumber: string
  readonly naira: number
  /** The transaction to pay, if there is one. */
  readonly transactionReference?: string
  /** Whether the bank may assign the number to another customer. */
  readonly isIssuable?: boolean
  /** Whether the number belonged to another customer before. The bank then reports when a credit arrived. */
  readonly isReissued?: boolean
}

/** A merchant of a seed, with the responses that it remembers. */
export interface SimulatedShop {
  readonly id: bigint
  readonly credentials: Credentials
  readonly subAccounts: string[]
  readonly payables: Payable[]
  readonly transactions: string[]
  /** The references of paid transactions. */
  readonly paid: string[]
  readonly cardTokens: string[]
  readonly mandates: string[]
  readonly paycodes: string[]
  readonly tokens: Map<string, string>
  /** Everything acknowledged with 200: none of it may be lost. */
  readonly acknowledged: Acknowledged[]
  /** Whether operators have closed it. */
  isClosed: boolean
}

export interface Acknowledged {
  readonly table:
    | 'transaction'
    | 'transfer'
    | 'transfer_batch'
    | 'refund'
    | 'bill_vend'
    | 'paycode'
    | 'mandate'
    | 'debit'
  readonly reference: string
}

/** Another installation at the same partners, with its own database. */
export interface Cell {
  readonly node: Node
  readonly shop: SimulatedShop
  readonly db: Db
  readonly databaseUrl: string
}

/** The environment of a seed. */
export interface Scene {
  readonly dice: Dice
  readonly nodes: Nodes
  readonly partners: Partners
  readonly bank: Bank
  readonly shops: readonly SimulatedShop[]
  /** A merchant that stays open and moves the clock. */
  readonly keeper: SimulatedShop
  /** Another installation at the same partners. */
  readonly cell: Cell
  /** Two operators, by their ids. */
  readonly operators: readonly bigint[]
  /** Account numbers with a notification that is in progress or got no response. */
  readonly paying: Set<string>
  /** Resolves when the last statement was imported. */
  statements: Promise<unknown>
  /** Creates a reference that no other action of any seed has. */
  readonly reference: (what: string) => string
  /** Requests whose responses were lost. They are retried once everything works. */
  readonly unanswered: (() => Promise<unknown>)[]
}

/** Sends a request to a node; undefined if it is rejected, or if the node's fault prevents a response. */
export async function send<R extends Route>(
  scene: Scene,
  shop: SimulatedShop,
  node: Node,
  route: R,
  input: Input<R>,
  acknowledged?: Acknowledged,
): Promise<Reply<R> | undefined> {
  const response = await responseOf(shop, node, route, input)
  if (response === undefined || response.status >= 500) {
    const isExcused =
      response === undefined || node.trouble !== undefined || shop.isClosed || response.status === BUSY_STATUS
    assert.ok(isExcused, `${route.method} ${route.path} at the ${node.name} node: ${response?.text}`)
    if (acknowledged !== undefined && !shop.isClosed)
      scene.unanswered.push(() => send(scene, shop, other(scene, node), route, input, acknowledged))
    return undefined
  }
  if (response.status !== 200) {
    checkRefusal(route, response)
    return undefined
  }
  checkReply(route, response)
  if (acknowledged !== undefined) shop.acknowledged.push(acknowledged)
  return response.body.responseBody as Reply<R>
}

/** On a busy machine a node may not get a database connection in time. */
const BUSY_STATUS = 503

const other = ({ nodes: { all } }: Scene, node: Node): Node => (all[0] === node ? all[1] : all[0])

/** A node's response; undefined if there may be none. */
async function responseOf<R extends Route>(
  shop: SimulatedShop,
  node: Node,
  route: R,
  input: Input<R>,
): Promise<ApiResponse | undefined> {
  const baseUrl = node.url
  try {
    const login = `${node.name} ${node.life}`
    const token = shop.tokens.get(login) ?? (await logIn({ baseUrl, send: sendRequest }, shop.credentials)).accessToken
    shop.tokens.set(login, token)
    return parseEnvelope(await sendRequest(requestOf({ baseUrl, token }, route, input)))
  } catch (error) {
    // A closed merchant cannot log in.
    const isExcused = node.trouble !== undefined || shop.isClosed
    const isBusy = error instanceof Refused && error.status === BUSY_STATUS
    assert.ok(isExcused || isBusy, `${route.path} at the ${node.name} node: ${error}`)
    return undefined
  }
}
