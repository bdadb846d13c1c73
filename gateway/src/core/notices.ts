import { type Clock, secondsAfter } from '../kernel/clock.ts'
import { type Db, inOneStatement, rowSet } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import type { Mailer } from './mail.ts'
import type { MerchantDirectory } from './merchants/index.ts'
import type { Sweep } from './sweep.ts'
import type { UnitOfWork } from './unit-of-work.ts'

/** Something that a merchant, or somebody whom it named, is told by mail. */
export interface Notice {
  readonly merchantId: bigint
  /** The merchant's own address unless given. */
  readonly recipient?: string
  readonly subject: string
  readonly text: string
}

/** Longer than a mail may take. */
const LEASE_SECONDS = 120
const UNDER_WAY_MAX = 16
/** Waits after a mail that could not be sent; after the last one it is given up. */
const RETRY_AFTER_SECONDS = [60, 300, 3_600, 21_600] as const

/** Records notices in the caller's transaction: they are mailed if, and only if, that transaction commits. */
export function notify({ tx, ids, at }: UnitOfWork, notices: readonly Notice[]): void {
  if (notices.length === 0) return
  const rows = notices.map((notice) => ({ ...notice, id: ids.id(), attempts: 0, createdAt: at, nextAttemptAt: at }))
  void tx`insert into notice select * from json_populate_recordset(null::notice, ${rowSet(rows)}::text::json)`
}

interface Deps {
  readonly db: Db
  readonly wall: Clock
  readonly directory: MerchantDirectory
  readonly mailer: Mailer
  readonly log: Log
}

/** Mails what is due: rows are leased, sent with no transaction open, then settled. */
export function noticeSweep(deps: Deps): Sweep {
  return {
    name: 'mail notices',
    run: async (at, limit) => {
      const leased = await leaseNotices(deps, at, Math.min(limit, UNDER_WAY_MAX))
      await Promise.all(leased.map((notice) => sendNotice(deps, at, notice)))
      return leased.length
    },
  }
}

interface LeasedNotice extends Omit<Notice, 'recipient'> {
  readonly recipient: string | null
  readonly id: bigint
  readonly attempts: number
}

const leaseNotices = ({ db, wall }: Deps, at: Date, limit: number): Promise<LeasedNotice[]> => {
  const wallAt = wall.now()
  return inOneStatement(
    db,
    (tx) => tx<LeasedNotice[]>`
      update notice
         set leased_until = ${secondsAfter(wallAt, LEASE_SECONDS)}, attempts = attempts + 1
       where (merchant_id, id) in (
         select merchant_id, id from notice
          where next_attempt_at <= ${at} and (leased_until is null or leased_until < ${wallAt})
          order by next_attempt_at limit ${limit}
            for update skip locked)
      returning merchant_id, id, recipient, subject, text, attempts`,
  )
}

async function sendNotice({ db, directory, mailer, log }: Deps, at: Date, notice: LeasedNotice): Promise<void> {
  const { merchantId, id, recipient, subject, text, attempts } = notice
  const merchant = await directory.byId(merchantId)
  const to = recipient ?? merchant?.email
  const sent = to !== undefined && (await mailer.send({ merchantId, to, subject, text }))
  const waitSeconds = sent ? undefined : RETRY_AFTER_SECONDS[attempts - 1]
  if (waitSeconds !== undefined) {
    await inOneStatement(
      db,
      (tx) => tx`
        update notice set next_attempt_at = ${secondsAfter(at, waitSeconds)}, leased_until = null
         where merchant_id = ${merchantId} and id = ${id}`,
    )
    return
  }
  if (!sent) log.warn({ merchantId: String(merchantId) }, 'a notice is given up')
  await inOneStatement(db, (tx) => tx`delete from notice where merchant_id = ${merchantId} and id = ${id}`)
}
