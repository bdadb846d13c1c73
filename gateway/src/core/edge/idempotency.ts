import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { idempotencyRefusals } from '@kobo/contract'
import { canonicalJson } from '../../kernel/canonical-json.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { refusals } from '../../kernel/errors.ts'
import { openWriteLater, type WriteLater } from '../../platform/after-loss.ts'
import { keyedHash } from '../../platform/crypto.ts'
import { isDatabaseLoss, OutcomeUnknown } from '../../platform/database-loss.ts'
import type { Db } from '../../platform/db.ts'
import { forgetSome } from '../../platform/forgetting.ts'
import { type Fragment, sql } from '../../platform/sql.ts'
import { column, table } from '../../platform/table.ts'
import type { Core } from '../core.ts'
import type { Keyring } from '../security/keyring.ts'
import { sealedColumn } from '../security/sealed-column.ts'
import { ofShard, type Shard } from '../shards/index.ts'

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
/** Who has not renewed its lease for so long is dead. Judged by the database's clock, which is one for all nodes. */
const LEASE_SECONDS = 30
/** A lease is renewed so many times before it would run out, so that one renewal may fail. */
const RENEWALS_PER_LEASE = 3
/** How long a twin waits for the first answer, asking less and less often. */
const WAIT_MILLISECONDS_MAX = 30_000
const POLL_MILLISECONDS_MIN = 20
const POLL_MILLISECONDS_MAX = 500
const ANSWERS_READ_AT_ONCE_MAX = 500
/** These say something about the caller, not about the request: the same request may fare better later. */
const NOT_KEPT = new Set([401, 403, 429, 503])
/** Whether an answer with this status is kept and repeated. */
export const isKept = (status: number): boolean => status < 500 && !NOT_KEPT.has(status)

export const idempotencyErrors = refusals(idempotencyRefusals)

/**
 * Carries out what is asked under a key. `since` is given where an earlier try of the same request ended without an answer,
 * because it died or failed: what it has left was made at that time or later.
 */
export type CarryOut = (since: Date | undefined) => Promise<Answer>

export type Once = (request: KeyedRequest, carryOut: CarryOut) => Promise<Answer & { readonly replayed: boolean }>

/**
 * Makes what carries out a request once per key: a repeat gets the first answer, to the byte. The answer is stored before
 * it is sent, so whoever saw it will see it again. Where carrying out throws, nothing is kept, and the next one with the
 * same body is told that there was an earlier try. A body may hold a PIN or a code and an answer a BVN: the one is kept as
 * a keyed hash, the other encrypted. What cannot be written because the database is away is written when it is back: who
 * then repeats the request need not wait until the lease is over.
 */
export function openOnce(core: Core, leaseSeconds = LEASE_SECONDS): Once {
  const holding: Holding = { leaseSeconds, later: openWriteLater() }
  return async (request, carryOut) => {
    const bodyHash = hashOf(core.keyring, request.body)
    for (;;) {
      const claimed = await claim(core, request, bodyHash, holding)
      const answer = claimed && (await carryOutHeld(core, request, claimed, holding, carryOut))
      // Nobody else says anything under this key: who was taken for dead says what its successor said.
      const said = answer ?? (await answerOfFirst(core, request, bodyHash))
      if (said !== undefined) return said
    }
  }
}

/** How keys are held. */
interface Holding {
  readonly leaseSeconds: number
  readonly later: WriteLater
}

/** Carries out a request and keeps its answer, holding the key meanwhile; undefined where somebody else has taken it over. */
async function carryOutHeld(
  core: Core,
  request: KeyedRequest,
  { lease, since }: Claim,
  { leaseSeconds, later }: Holding,
  carryOut: CarryOut,
): Promise<(Answer & { readonly replayed: boolean }) | undefined> {
  const letGo = holdKey(core.db, request, lease, leaseSeconds)
  let answer: Answer | undefined
  try {
    answer = await carryOut(since)
    return (await keep(core, request, await letGo(), answer)) ? { ...answer, replayed: false } : undefined
  } catch (error) {
    const [held, known] = [await letGo(), answer]
    const write = async (): Promise<void> => {
      if (known !== undefined && isDatabaseLoss(error)) await keep(core, request, held, known)
      else await release(core.db, request, held)
    }
    await write().catch((failure: unknown) => {
      if (!isDatabaseLoss(failure)) throw failure
      later(write, leaseSeconds)
    })
    throw error
  }
}

/** Renews a lease for as long as the request takes; answers what ends that, and tells how the lease stands then. */
function holdKey(db: Db, request: KeyedRequest, first: Date, leaseSeconds: number): () => Promise<Date> {
  let lease = first
  let renewing = Promise.resolve()
  const renewOnce = async (): Promise<void> => {
    lease = (await renew(db, request, lease, leaseSeconds)) ?? lease
  }
  const renewal = setInterval(
    () => {
      renewing = renewing.then(renewOnce).catch(() => {}) // the next one may fare better
    },
    (leaseSeconds * 1_000) / RENEWALS_PER_LEASE,
  )
  return async () => {
    clearInterval(renewal)
    await renewing
    return lease
  }
}

/** The answer of who has the key, once there is one; undefined where the key has become free. */
async function answerOfFirst(
  core: Core,
  request: KeyedRequest,
  bodyHash: Buffer,
): Promise<(Answer & { readonly replayed: boolean }) | undefined> {
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

const keptAnswers = table('idempotency_key', ['merchantId', 'path', 'key'], {
  merchantId: column<bigint>(),
  path: column<string>(),
  key: column<string>(),
  answer: column<Buffer | null>(),
  createdAt: column<Date>(),
})

/** The answers that are kept for repeats. */
export const sealedAnswers = [sealedColumn('answers', keptAnswers, 'answer', contextOf)]

interface Claim {
  /** Until when the key is ours, which also tells this claim from those before and after. */
  readonly lease: Date
  /** When the first try of the request took the key, where this is not the first. */
  readonly since: Date | undefined
}

/** A time by the database's clock, in the milliseconds that we can hold. */
const leaseEnd = (leaseSeconds: number): Fragment =>
  sql`date_trunc('milliseconds', now() + ${leaseSeconds} * interval '1 second')`

/** Whether the lease that is held is over, told by the end of the new one: where rows conflict, Citus takes no `now()`. */
const isOver = (leaseSeconds: number): Fragment => sql`
  case when held.leased_until = '-infinity' then true
       else excluded.leased_until - held.leased_until > ${leaseSeconds} * interval '1 second' end`

/** Takes the key if it is free, forgotten by age, or held by a process that died. */
async function claim(
  { db, clock }: Core,
  { merchantId, path, key }: KeyedRequest,
  bodyHash: Buffer,
  { leaseSeconds, later }: Holding,
): Promise<Claim | undefined> {
  const at = clock.now()
  const number = randomBytes(8).readBigInt64BE()
  const forgotten = secondsAfter(at, -KEPT_SECONDS)
  const [claimed] = await db<{ createdAt: Date; leasedUntil: Date }[]>`
    insert into idempotency_key as held (merchant_id, path, key, body_hash, created_at, leased_until, claim)
    values (${merchantId}, ${path}, ${key}, ${bodyHash}, ${at}, ${leaseEnd(leaseSeconds)}, ${number})
        on conflict (merchant_id, path, key) do update
       set body_hash = excluded.body_hash, leased_until = excluded.leased_until, claim = excluded.claim, status = null, answer = null, refusal = null,
           created_at = case when held.created_at <= ${forgotten} then excluded.created_at else held.created_at end
     where (held.status is null and ${isOver(leaseSeconds)} and held.body_hash = excluded.body_hash)
        or (held.created_at <= ${forgotten} and (held.status is not null or ${isOver(leaseSeconds)}))
    returning created_at, leased_until`.catch((error: unknown) => {
    // Perhaps it was taken all the same, and nobody knows until when.
    if (error instanceof OutcomeUnknown) later(() => giveUp(db, { merchantId, path, key }, number), leaseSeconds)
    throw error
  })
  if (claimed === undefined) return undefined
  const isFirst = claimed.createdAt.getTime() === at.getTime()
  return { lease: claimed.leasedUntil, since: isFirst ? undefined : claimed.createdAt }
}

interface Kept {
  readonly bodyHash: Buffer
  readonly status: number | null
  readonly answer: Buffer | null
  readonly refusal: string | null
  /** Whether nobody holds the key any more. */
  readonly isFree: boolean
}

async function read({ db }: Core, { merchantId, path, key }: KeyedRequest): Promise<Kept | undefined> {
  const [row] = await db<Kept[]>`
    select body_hash, status, answer, refusal, leased_until < now() as is_free
      from idempotency_key where merchant_id = ${merchantId} and path = ${path} and key = ${key}`
  return row
}

const heldBy = ({ merchantId, path, key }: KeyedRequest, lease: Date): Fragment => sql`
  merchant_id = ${merchantId} and path = ${path} and key = ${key} and leased_until = ${lease} and status is null`

/** Holds the key for longer; answers until when, or undefined where somebody else has taken it over. */
async function renew(db: Db, request: KeyedRequest, lease: Date, leaseSeconds: number): Promise<Date | undefined> {
  const [renewed] = await db<{ leasedUntil: Date }[]>`
    update idempotency_key set leased_until = ${leaseEnd(leaseSeconds)} where ${heldBy(request, lease)} returning leased_until`
  return renewed?.leasedUntil
}

/** Keeps the answer; answers whether the key was still ours. */
async function keep(
  { db, keyring }: Core,
  request: KeyedRequest,
  lease: Date,
  { status, text, refusal }: Answer,
): Promise<boolean> {
  const { count } = await db`
    update idempotency_key
       set status = ${status}, answer = ${keyring.of('answers').seal(text, contextOf(request))}, refusal = ${refusal}
     where ${heldBy(request, lease)}`
  return count === 1
}

/** Lets the next one try. The row stays: nobody knows whether something came of this try. */
async function release(db: Db, request: KeyedRequest, lease: Date): Promise<void> {
  await db`update idempotency_key set leased_until = '-infinity' where ${heldBy(request, lease)}`
}

/** Lets the next one try, where the key was taken by this claim. */
const giveUp = (db: Db, { merchantId, path, key }: Omit<KeyedRequest, 'body'>, number: bigint): Promise<unknown> =>
  db`
    update idempotency_key set leased_until = '-infinity'
     where merchant_id = ${merchantId} and path = ${path} and key = ${key} and claim = ${number} and status is null`

/** Forgets keys that are older than a day; answers how many. */
export const forgetOldKeys = (db: Db, shard: Shard, at: Date, limit: number): Promise<number> =>
  forgetSome(
    db,
    keptAnswers,
    sql`created_at <= ${secondsAfter(at, -KEPT_SECONDS)}`,
    limit,
    'createdAt',
    ofShard(shard, 't'),
  )

/** Forgets the kept answers of a merchant in which a text appears, a set at a time; answers how many. Only we can read them. */
export async function forgetAnswers(
  { db, keyring }: Core,
  merchantId: bigint,
  names: (text: string) => boolean,
): Promise<number> {
  let forgotten = 0
  let last = { path: '', key: '' }
  for (;;) {
    const rows = await db<{ readonly path: string; readonly key: string; readonly answer: Buffer }[]>`
      select path, key, answer
        from idempotency_key
       where merchant_id = ${merchantId} and (path, key) > (${last.path}, ${last.key}) and answer is not null
       order by path, key
       limit ${ANSWERS_READ_AT_ONCE_MAX}`
    const told = rows.filter(({ path, key, answer }) =>
      names(keyring.of('answers').open(answer, contextOf({ merchantId, path, key }))),
    )
    if (told.length > 0)
      await db`
        delete from idempotency_key
         where merchant_id = ${merchantId}
           and (path, key) in (select * from unnest(${told.map(({ path }) => path)}::text[], ${told.map(({ key }) => key)}::text[]))`
    forgotten += told.length
    const end = rows.at(-1)
    if (end === undefined || rows.length < ANSWERS_READ_AT_ONCE_MAX) return forgotten
    last = end
  }
}
