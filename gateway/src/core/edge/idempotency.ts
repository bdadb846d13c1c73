import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { idempotencyRefusals } from '@kobo/contract'
import { canonicalJson } from '../../kernel/canonical-json.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { refusals } from '../../kernel/errors.ts'
import { keyedHash } from '../../platform/crypto.ts'
import { isDatabaseLoss, OutcomeUnknown } from '../../platform/postgres/connection-loss.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { deleteBatch } from '../../platform/postgres/delete-in-batches.ts'
import { type Fragment, sql } from '../../platform/postgres/sql.ts'
import { column, table } from '../../platform/postgres/table.ts'
import { openWriteLater, type WriteLater } from '../../platform/postgres/write-later.ts'
import type { Core } from '../core.ts'
import type { Keyring } from '../security/keyring.ts'
import { sealedColumn } from '../security/sealed-column.ts'
import { ofShard, type Shard } from '../shards/index.ts'

export interface WireResponse {
  readonly status: number
  readonly text: string
  /** The error code, if it is an error. */
  readonly refusal: string | null
}

export interface KeyedRequest {
  readonly merchantId: bigint
  readonly path: string
  readonly key: string
  readonly body: unknown
}

export const IDEMPOTENCY_KEY_LENGTH_MAX = 255
const STORED_SECONDS = 86_400
/** A process that has not renewed its lease for this long, by the database's clock, is presumed dead. */
const LEASE_SECONDS = 30
/** A lease is renewed this many times before it would end, so that one renewal may fail. */
const RENEWALS_PER_LEASE = 3
/** How long a duplicate waits for the first response, polling less and less often. */
const WAIT_MILLISECONDS_MAX = 30_000
const POLL_MILLISECONDS_MIN = 20
const POLL_MILLISECONDS_MAX = 500
const RESPONSES_READ_AT_ONCE_MAX = 500
/** These errors depend on the caller, not on the request: the same request may succeed later. */
const NOT_STORED = new Set([401, 403, 429, 503])
/** Whether a response with this status is stored and repeated. */
export const isStored = (status: number): boolean => status < 500 && !NOT_STORED.has(status)

export const idempotencyErrors = refusals(idempotencyRefusals)

/**
 * Runs a request under a key. `since` is set if an earlier attempt ended without a response: it is when the key was
 * first taken, so that any effect of an earlier attempt is from `since` or later.
 */
export type CarryOut = (since: Date | undefined) => Promise<WireResponse>

export type Once = (request: KeyedRequest, carryOut: CarryOut) => Promise<WireResponse & { readonly replayed: boolean }>

/**
 * Runs each request once per key: a repeat gets the first response, byte for byte. The response is stored before it is
 * sent. If the request throws, no response is stored, and the next attempt gets `since`. Bodies may hold a PIN and are
 * stored as keyed hashes; responses may hold a BVN and are encrypted. If the database is unreachable, the response is
 * stored as soon as it is back, so that a repeated request need not wait until the lease ends.
 */
export function openOnce(core: Core, leaseSeconds = LEASE_SECONDS): Once {
  const settings: LeaseSettings = { leaseSeconds, later: openWriteLater() }
  return async (request, carryOut) => {
    const bodyHash = hashOf(core.keyring, request.body)
    for (;;) {
      const claimed = await claim(core, request, bodyHash, settings)
      const reply = claimed && (await runWithLease(core, request, claimed, settings, carryOut))
      // Each key has only one response: a process that was presumed dead returns the response of its successor.
      const response = reply ?? (await responseOfFirst(core, request, bodyHash))
      if (response !== undefined) return response
    }
  }
}

interface LeaseSettings {
  readonly leaseSeconds: number
  readonly later: WriteLater
}

/** Runs a request and stores its response under the leased key; undefined if another process took over the key. */
async function runWithLease(
  core: Core,
  request: KeyedRequest,
  { lease, since }: Claim,
  { leaseSeconds, later }: LeaseSettings,
  carryOut: CarryOut,
): Promise<(WireResponse & { readonly replayed: boolean }) | undefined> {
  const stopRenewal = renewLease(core.db, request, lease, leaseSeconds)
  let response: WireResponse | undefined
  try {
    response = await carryOut(since)
    return (await store(core, request, await stopRenewal(), response)) ? { ...response, replayed: false } : undefined
  } catch (error) {
    const [lastLease, known] = [await stopRenewal(), response]
    const write = async (): Promise<void> => {
      if (known !== undefined && isDatabaseLoss(error)) await store(core, request, lastLease, known)
      else await release(core.db, request, lastLease)
    }
    await write().catch((failure: unknown) => {
      if (!isDatabaseLoss(failure)) throw failure
      later(write, leaseSeconds)
    })
    throw error
  }
}

/** Renews a lease while the request runs. The returned function stops the renewal and returns the current lease. */
function renewLease(db: Db, request: KeyedRequest, first: Date, leaseSeconds: number): () => Promise<Date> {
  let lease = first
  let renewing = Promise.resolve()
  const renewOnce = async (): Promise<void> => {
    lease = (await renew(db, request, lease, leaseSeconds)) ?? lease
  }
  const renewal = setInterval(
    () => {
      renewing = renewing.then(renewOnce).catch(() => {}) // the next renewal may succeed
    },
    (leaseSeconds * 1_000) / RENEWALS_PER_LEASE,
  )
  return async () => {
    clearInterval(renewal)
    await renewing
    return lease
  }
}

/** Waits for the response of the process that holds the key. Returns undefined if the key became free. */
async function responseOfFirst(
  core: Core,
  request: KeyedRequest,
  bodyHash: Buffer,
): Promise<(WireResponse & { readonly replayed: boolean }) | undefined> {
  let pause = POLL_MILLISECONDS_MIN
  for (let waited = 0; ; waited += pause) {
    const first = await read(core, request)
    if (first === undefined) return undefined
    if (!first.bodyHash.equals(bodyHash)) throw idempotencyErrors.anotherBody()
    const { status, answer, refusal } = first
    if (status !== null && answer !== null)
      return { status, text: core.keyring.of('answers').open(answer, contextOf(request)), refusal, replayed: true }
    if (first.isFree) return undefined
    if (waited >= WAIT_MILLISECONDS_MAX) throw idempotencyErrors.stillUnderWay()
    await wait(pause)
    pause = Math.min(pause * 2, POLL_MILLISECONDS_MAX)
  }
}

const hashOf = (keyring: Keyring, body: unknown): Buffer =>
  Buffer.from(keyedHash(keyring.derive('idempotent requests'), canonicalJson(body)), 'base64')

const contextOf = ({ merchantId, path, key }: Pick<KeyedRequest, 'merchantId' | 'path' | 'key'>): string =>
  `idempotency/${merchantId}/${path}/${key}`

const storedResponses = table('idempotency_key', ['merchantId', 'path', 'key'], {
  merchantId: column<bigint>(),
  path: column<string>(),
  key: column<string>(),
  answer: column<Buffer | null>(),
  createdAt: column<Date>(),
})

export const encryptedResponses = [sealedColumn('answers', storedResponses, 'answer', contextOf)]

interface Claim {
  /** The end of our lease. It also identifies this claim. */
  readonly lease: Date
  /** When the first attempt took the key, if this is a later attempt. */
  readonly since: Date | undefined
}

/** The end of a new lease, by the database's clock and rounded down to the millisecond. */
const leaseEnd = (leaseSeconds: number): Fragment =>
  sql`date_trunc('milliseconds', now() + ${leaseSeconds} * interval '1 second')`

/**
 * Whether the current lease has expired. Compares it with the end of the new lease, because Citus accepts no `now()` in
 * `on conflict`.
 */
const isOver = (leaseSeconds: number): Fragment => sql`
  case when held.leased_until = '-infinity' then true
       else excluded.leased_until - held.leased_until > ${leaseSeconds} * interval '1 second' end`

/** Takes the key if it is free, expired, or held by a dead process. */
async function claim(
  { db, clock }: Core,
  { merchantId, path, key }: KeyedRequest,
  bodyHash: Buffer,
  { leaseSeconds, later }: LeaseSettings,
): Promise<Claim | undefined> {
  const at = clock.now()
  const number = randomBytes(8).readBigInt64BE()
  const expiry = secondsAfter(at, -STORED_SECONDS)
  const [claimed] = await db<{ createdAt: Date; leasedUntil: Date }[]>`
    insert into idempotency_key as held (merchant_id, path, key, body_hash, created_at, leased_until, claim)
    values (${merchantId}, ${path}, ${key}, ${bodyHash}, ${at}, ${leaseEnd(leaseSeconds)}, ${number})
        on conflict (merchant_id, path, key) do update
       set body_hash = excluded.body_hash, leased_until = excluded.leased_until, claim = excluded.claim, status = null, answer = null, refusal = null,
           created_at = case when held.created_at <= ${expiry} then excluded.created_at else held.created_at end
     where (held.status is null and ${isOver(leaseSeconds)} and held.body_hash = excluded.body_hash)
        or (held.created_at <= ${expiry} and (held.status is not null or ${isOver(leaseSeconds)}))
    returning created_at, leased_until`.catch((error: unknown) => {
    // The claim may be committed although we did not get its lease.
    if (error instanceof OutcomeUnknown) later(() => unclaim(db, { merchantId, path, key }, number), leaseSeconds)
    throw error
  })
  if (claimed === undefined) return undefined
  const isFirst = claimed.createdAt.getTime() === at.getTime()
  return { lease: claimed.leasedUntil, since: isFirst ? undefined : claimed.createdAt }
}

interface StoredResponse {
  readonly bodyHash: Buffer
  readonly status: number | null
  readonly answer: Buffer | null
  readonly refusal: string | null
  /** Whether the key is free. */
  readonly isFree: boolean
}

async function read({ db }: Core, { merchantId, path, key }: KeyedRequest): Promise<StoredResponse | undefined> {
  const [row] = await db<StoredResponse[]>`
    select body_hash, status, answer, refusal, leased_until < now() as is_free
      from idempotency_key where merchant_id = ${merchantId} and path = ${path} and key = ${key}`
  return row
}

const heldBy = ({ merchantId, path, key }: KeyedRequest, lease: Date): Fragment => sql`
  merchant_id = ${merchantId} and path = ${path} and key = ${key} and leased_until = ${lease} and status is null`

/** Extends the lease; returns its end, or undefined if another process took the key over. */
async function renew(db: Db, request: KeyedRequest, lease: Date, leaseSeconds: number): Promise<Date | undefined> {
  const [renewed] = await db<{ leasedUntil: Date }[]>`
    update idempotency_key set leased_until = ${leaseEnd(leaseSeconds)} where ${heldBy(request, lease)} returning leased_until`
  return renewed?.leasedUntil
}

/** Stores the response; returns whether the key was still ours. */
async function store(
  { db, keyring }: Core,
  request: KeyedRequest,
  lease: Date,
  { status, text, refusal }: WireResponse,
): Promise<boolean> {
  const { count } = await db`
    update idempotency_key
       set status = ${status}, answer = ${keyring.of('answers').seal(text, contextOf(request))}, refusal = ${refusal}
     where ${heldBy(request, lease)}`
  return count === 1
}

/** Releases the key. The row stays, because this attempt may have had an effect. */
async function release(db: Db, request: KeyedRequest, lease: Date): Promise<void> {
  await db`update idempotency_key set leased_until = '-infinity' where ${heldBy(request, lease)}`
}

/** Releases the key if this claim holds it. */
const unclaim = (db: Db, { merchantId, path, key }: Omit<KeyedRequest, 'body'>, number: bigint): Promise<unknown> =>
  db`
    update idempotency_key set leased_until = '-infinity'
     where merchant_id = ${merchantId} and path = ${path} and key = ${key} and claim = ${number} and status is null`

/** Deletes keys older than a day; returns how many. */
export const deleteOldKeys = (db: Db, shard: Shard, at: Date, limit: number): Promise<number> =>
  deleteBatch(
    db,
    storedResponses,
    sql`created_at <= ${secondsAfter(at, -STORED_SECONDS)}`,
    limit,
    'createdAt',
    ofShard(shard, 't'),
  )

/**
 * Deletes those of a merchant's stored responses that `isMatch` accepts, in batches; returns how many. The responses
 * are encrypted, so they are decrypted here and not searched in the database.
 */
export async function deleteStoredResponses(
  { db, keyring }: Core,
  merchantId: bigint,
  isMatch: (text: string) => boolean,
): Promise<number> {
  let deleted = 0
  let last = { path: '', key: '' }
  for (;;) {
    const rows = await db<{ readonly path: string; readonly key: string; readonly answer: Buffer }[]>`
      select path, key, answer
        from idempotency_key
       where merchant_id = ${merchantId} and (path, key) > (${last.path}, ${last.key}) and answer is not null
       order by path, key
       limit ${RESPONSES_READ_AT_ONCE_MAX}`
    const found = rows.filter(({ path, key, answer }) =>
      isMatch(keyring.of('answers').open(answer, contextOf({ merchantId, path, key }))),
    )
    if (found.length > 0)
      await db`
        delete from idempotency_key
         where merchant_id = ${merchantId}
           and (path, key) in (select * from unnest(${found.map(({ path }) => path)}::text[], ${found.map(({ key }) => key)}::text[]))`
    deleted += found.length
    const end = rows.at(-1)
    if (end === undefined || rows.length < RESPONSES_READ_AT_ONCE_MAX) return deleted
    last = end
  }
}
