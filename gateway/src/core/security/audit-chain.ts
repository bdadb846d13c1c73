import { createHash } from 'node:crypto'
import { canonicalJson } from '../../kernel/canonical-json.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { column, type Row, table } from '../../platform/postgres/table.ts'
import type { Sweep } from '../sweep.ts'
import { type UnitOfWorkDeps, unitOfWork } from '../unit-of-work.ts'
import { type AuditRow, audits } from './audit.ts'

/** The audit chain: each hash covers the previous one and the record. */
const seals = table('audit_seal', ['number'], {
  number: column<bigint>(),
  merchantId: column<bigint>(),
  auditId: column<bigint>(),
  hash: column<Buffer>(),
})
type Seal = Row<typeof seals>

/** The newest link. A copy of it that is kept elsewhere can later prove that no earlier record was changed. */
export interface ChainHead {
  readonly number: bigint
  readonly hash: Buffer
}
const BEFORE_THE_FIRST: ChainHead = { number: 0n, hash: Buffer.alloc(32) }

/** The advisory lock for extending the chain. */
const CHAIN_LOCK = 7_302_001

/**
 * Adds audit records to the chain in batches, soon after their commit. Otherwise every transaction with a
 * record would wait for the newest link.
 */
export function auditSealing(core: UnitOfWorkDeps, publishHead: () => Promise<void>): Sweep {
  let isPublished = false
  return {
    name: 'extend the audit chain',
    run: async (_, limit) => {
      const sealed = await unitOfWork(core, ({ tx }) => seal(tx, limit))
      if (sealed > 0 || !isPublished) await publishHead()
      isPublished = true
      return sealed
    },
  }
}

async function seal(tx: Tx, limit: number): Promise<number> {
  const [lock] = await tx<{ taken: boolean }[]>`select pg_try_advisory_xact_lock(${CHAIN_LOCK}) as taken`
  if (lock?.taken !== true) return 0
  // Over all merchants: there is one chain.
  const rows = await tx<AuditRow[]>`
    select ${audits.of('a')}
      from audit_unsealed u
      join audit a on a.merchant_id = u.merchant_id and a.id = u.id
     order by a.id
     limit ${limit}`
  if (rows.length === 0) return 0
  let head = await readHead(tx)
  const links = rows.map((row): Seal => {
    head = { number: head.number + 1n, hash: hashOf(head.hash, row) }
    return { ...head, merchantId: row.merchantId, auditId: row.id }
  })
  seals.insert(tx, links)
  void tx`
    delete from audit_unsealed u using ${audits.set(rows, ['merchantId', 'id'])} k
     where u.merchant_id = k.merchant_id and u.id = k.id`
  return rows.length
}

export async function readHead(db: Db | Tx): Promise<ChainHead> {
  const [head] = await db<ChainHead[]>`select number, hash from audit_seal order by number desc limit 1`
  return head ?? BEFORE_THE_FIRST
}

/** Whether the chain contains this link. */
export async function isInChain(db: Db, { number, hash }: ChainHead): Promise<boolean> {
  const [link] = await db<{ hash: Buffer }[]>`select hash from audit_seal where number = ${number}`
  return link?.hash.equals(hash) === true
}

/**
 * Returns the hash of a record: SHA-256 of the previous hash and the record as JSON with sorted keys. Anyone can
 * recompute it.
 */
const hashOf = (before: Buffer, row: AuditRow): Buffer =>
  createHash('sha256')
    .update(before)
    .update(canonicalJson({ ...row, merchantId: String(row.merchantId), id: String(row.id), at: row.at.toISOString() }))
    .digest()

/** A link and its record; the record is undefined if it was removed. */
export interface ChainLink extends Seal {
  readonly record: AuditRow | undefined
}

export const chainLine = ({ number, hash, record }: ChainLink): string =>
  JSON.stringify({
    number: String(number),
    ...(record === undefined
      ? { act: 'missing' }
      : { ...record, merchantId: String(record.merchantId), id: String(record.id) }),
    hash: hash.toString('hex'),
  })

const PAGE_MAX = 1_000

export interface ChainFilter {
  readonly merchantId: bigint | null
  readonly act: string | null
  /** An actor, or an actor's name. */
  readonly actor: string | null
  readonly from: Date | null
  readonly to: Date | null
}

/** Links inspected for one page. */
const LOOKED_AT_MAX = 20_000

/** A page of the chain, newest first, and where to continue. */
export interface ChainPage {
  readonly rows: readonly (AuditRow & { readonly number: bigint })[]
  /** The number and time of the last link inspected; undefined at the start of the chain. */
  readonly lookedTo: bigint | undefined
  readonly lookedBackTo: Date | undefined
}

/** Reads a page of the chain: links with numbers below a given one. */
export async function selectChainPage(
  db: Db,
  { merchantId, act, actor, from, to }: ChainFilter,
  before: bigint,
  limit: number,
): Promise<ChainPage> {
  const head = await readHead(db)
  const below = before > head.number ? head.number + 1n : before
  const lowest = below - BigInt(LOOKED_AT_MAX)
  // Over all merchants: for the operator.
  const rows = await db<(AuditRow & { number: bigint })[]>`
    select ${audits.of('a')}, s.number
      from (select number, merchant_id, audit_id from audit_seal
             where number < ${below} and number >= ${lowest}
               and (${merchantId}::bigint is null or merchant_id = ${merchantId}::bigint)) s
      join audit a on a.merchant_id = s.merchant_id and a.id = s.audit_id
     where (${act}::text is null or a.act = ${act}::text)
       and (${actor}::text is null or a.actor = ${actor}::text or lower(a.name) = lower(${actor}::text))
       and (${from}::timestamptz is null or a.at >= ${from}::timestamptz)
       and (${to}::timestamptz is null or a.at <= ${to}::timestamptz)
     order by s.number desc
     limit ${limit}`
  if (lowest <= 1n) return { rows, lookedTo: undefined, lookedBackTo: undefined }
  const [last] = await db<{ at: Date }[]>`
    select a.at from audit_seal s join audit a on a.merchant_id = s.merchant_id and a.id = s.audit_id
     where s.number = ${lowest}`
  return { rows, lookedTo: lowest, lookedBackTo: last?.at }
}

/** Reads the chain after a number, in pages. */
export async function* readChain(db: Db, from = 0n): AsyncGenerator<ChainLink> {
  for (let after = from; ; ) {
    const page = await db<Seal[]>`
      select ${seals.columns} from audit_seal where number > ${after} order by number limit ${PAGE_MAX}`
    const keys = page.map(({ merchantId, auditId }) => ({ merchantId, id: auditId }))
    const records = new Map((await audits.select(db, keys)).map((record) => [record.id, record]))
    for (const link of page) yield { ...link, record: records.get(link.auditId) }
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE_MAX) return
    after = last.number
  }
}

/** The result of verifying the whole chain. */
export interface ChainVerdict {
  readonly links: bigint
  readonly head: string
  /** Records that are neither in the chain nor waiting to be added to it. */
  readonly outside: bigint
  /** Descriptions of the first faults that were found. */
  readonly wrong: readonly string[]
}

const WRONG_MAX = 20

/** Recomputes the chain. `saved` are links stored elsewhere, which the chain must still contain. */
export async function verifyChain(
  db: Db,
  saved: readonly { readonly number: bigint; readonly hash: string }[] = [],
  onLink: (number: bigint) => void = () => {},
): Promise<ChainVerdict> {
  const wrong: string[] = []
  const report = (text: string): void => void (wrong.length < WRONG_MAX && wrong.push(text))
  const expected = Map.groupBy(saved, ({ number }) => number)
  let head = BEFORE_THE_FIRST
  for await (const { number, hash, record } of readChain(db)) {
    if (number !== head.number + 1n) report(`${number} follows ${head.number}: the records between them are missing`)
    if (record === undefined) report(`${number}: its record is missing`)
    else if (!hashOf(head.hash, record).equals(hash))
      report(`${number}: ${record.act} was changed after it was written`)
    const hashes = expected.get(number) ?? []
    expected.delete(number)
    if (hashes.some((one) => one.hash !== hash.toString('hex')))
      report(`${number}: its hash differs from the recorded hash`)
    head = { number, hash }
    onLink(number)
  }
  for (const number of expected.keys()) report(`${number}: a hash was recorded, but the chain ends before it`)
  const outside = await countOutside(db)
  if (outside > 0n) report(`${outside} records are neither in the chain nor queued for it`)
  return { links: head.number, head: head.hash.toString('hex'), outside, wrong }
}

async function countOutside(db: Db): Promise<bigint> {
  // Over all merchants: there is one chain.
  const [row] = await db<{ count: bigint }[]>`
    select count(*) from audit a
     where not exists (select from audit_seal s where s.merchant_id = a.merchant_id and s.audit_id = a.id)
       and not exists (select from audit_unsealed u where u.merchant_id = a.merchant_id and u.id = a.id)`
  return row?.count ?? 0n
}
