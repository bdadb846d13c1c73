import { setTimeout as wait } from 'node:timers/promises'
import { idempotencyRefusals } from '@kobo/contract'
import { canonicalJson } from '../../kernel/canonical-json.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { refusals } from '../../kernel/errors.ts'
import { keyedHash } from '../../platform/crypto.ts'
import type { Db } from '../../platform/db.ts'
import type { Core } from '../core.ts'
import type { Keyring } from '../security/keyring.ts'

/** An answer as it goes over the wire. */
export interface Answer {
  readonly status: number
  readonly text: string
  /** The code of the refusal, where it is one. */
  readonly refusal: string | null
}

export interface KeyedRequest {
  readonly merchantId: bigint
  readonly path: string
  readonly key: string
  readonly body: unknown
}

export const IDEMPOTENCY_KEY_LENGTH_MAX = 255
const KEPT_SECONDS = 86_400
/** How long a twin waits for the first answer, and after which the first is taken for dead. */
const LEASE_SECONDS = 30
const POLL_MILLISECONDS = 20
/** These say something about the caller, not about the request: the same request may fare better later. */
const NOT_KEPT = new Set([401, 403, 429, 503])
/** Whether an answer with this status is kept and repeated. */
export const isKept = (status: number): boolean => status < 500 && !NOT_KEPT.has(status)

export const idempotencyErrors = refusals(idempotencyRefusals)

/**
 * Carries out a request once per key: a repeat gets the first answer, to the byte. The answer is stored before it is
 * sent, so whoever saw it will see it again. When carrying out throws, nothing is kept and the key is free again.
 * A body may hold a PIN or a code and an answer a BVN: the one is kept as a keyed hash, the other encrypted.
 */
export async function once(
  core: Core,
  request: KeyedRequest,
  carryOut: () => Promise<Answer>,
): Promise<Answer & { readonly replayed: boolean }> {
  const { db, wall, keyring } = core
  const bodyHash = hashOf(keyring, request.body)
  const giveUpAt = secondsAfter(wall.now(), LEASE_SECONDS)
  let lease: Date | undefined
  for (;;) {
    lease = await claim(core, request, bodyHash)
    if (lease !== undefined) break
    const first = await read(core, request)
    if (first === undefined) continue // it was released or forgotten just now: claim it
    if (!first.bodyHash.equals(bodyHash)) throw idempotencyErrors.anotherBody()
    if (first.status !== null && first.answer !== null)
      return {
        status: first.status,
        text: keyring.open(first.answer, contextOf(request)),
        refusal: first.refusal,
        replayed: true,
      }
    if (wall.now() > giveUpAt) throw idempotencyErrors.stillUnderWay()
    await wait(POLL_MILLISECONDS)
  }
  try {
    const answer = await carryOut()
    await keep(core, request, lease, answer)
    return { ...answer, replayed: false }
  } catch (error) {
    await release(db, request, lease)
    throw error
  }
}

const hashOf = (keyring: Keyring, body: unknown): Buffer =>
  Buffer.from(keyedHash(keyring.derive('idempotent requests'), canonicalJson(body)), 'base64')

const contextOf = ({ merchantId, path, key }: KeyedRequest): string => `idempotency/${merchantId}/${path}/${key}`

/** Takes the key if it is free, forgotten by age, or held by a process that died. Answers until when it is ours. */
async function claim(
  { db, clock, wall }: Core,
  { merchantId, path, key }: KeyedRequest,
  bodyHash: Buffer,
): Promise<Date | undefined> {
  const at = clock.now()
  const wallAt = wall.now()
  const lease = secondsAfter(wallAt, LEASE_SECONDS)
  const claimed = await db`
    insert into idempotency_key as held (merchant_id, path, key, body_hash, created_at, leased_until)
    values (${merchantId}, ${path}, ${key}, ${bodyHash}, ${at}, ${lease})
        on conflict (merchant_id, path, key) do update
       set body_hash = excluded.body_hash, created_at = excluded.created_at, leased_until = excluded.leased_until,
           status = null, answer = null, refusal = null
     where held.created_at <= ${secondsAfter(at, -KEPT_SECONDS)}
        or (held.status is null and held.leased_until < ${wallAt} and held.body_hash = excluded.body_hash)`
  return claimed.count === 1 ? lease : undefined
}

interface Kept {
  readonly bodyHash: Buffer
  readonly status: number | null
  readonly answer: Buffer | null
  readonly refusal: string | null
}

async function read({ db }: Core, { merchantId, path, key }: KeyedRequest): Promise<Kept | undefined> {
  const [row] = await db<Kept[]>`
    select body_hash, status, answer, refusal
      from idempotency_key where merchant_id = ${merchantId} and path = ${path} and key = ${key}`
  return row
}

/** Keeps the answer, unless the request took so long that another has taken the key over. */
async function keep(
  { db, keyring }: Core,
  request: KeyedRequest,
  lease: Date,
  { status, text, refusal }: Answer,
): Promise<void> {
  const { merchantId, path, key } = request
  await db`
    update idempotency_key
       set status = ${status}, answer = ${keyring.seal(text, contextOf(request))}, refusal = ${refusal}
     where merchant_id = ${merchantId} and path = ${path} and key = ${key} and leased_until = ${lease}`
}

async function release(db: Db, { merchantId, path, key }: KeyedRequest, lease: Date): Promise<void> {
  await db`
    delete from idempotency_key
     where merchant_id = ${merchantId} and path = ${path} and key = ${key} and leased_until = ${lease} and status is null`
}

/** Forgets keys that are older than a day; answers how many. */
export async function forgetOldKeys(db: Db, at: Date, limit: number): Promise<number> {
  const forgotten = await db`
    -- over all merchants: what is due
    delete from idempotency_key
     where (merchant_id, path, key) in (
       select merchant_id, path, key from idempotency_key
        where created_at <= ${secondsAfter(at, -KEPT_SECONDS)}
        order by created_at limit ${limit})`
  return forgotten.count
}
