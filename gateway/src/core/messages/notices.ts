import type { NotificationTopic } from '@kobo/contract'
import { secondsAfter } from '../../kernel/clock.ts'
import type { Log } from '../../platform/observability/log.ts'
import { inOneQuery, type Tx } from '../../platform/postgres/db.ts'
import { column, type Row, table } from '../../platform/postgres/table.ts'
import type { MailedFile } from '../../platform/smtp.ts'
import type { Core } from '../core.ts'
import { ofShard, type Shard } from '../shards/index.ts'
import type { Sweep } from '../sweep.ts'
import { type UnitOfWork, unitOfWork } from '../unit-of-work.ts'
import type { Mailer } from './mail.ts'
import { selectMailed } from './notification-choices.ts'

/** A notification by mail, to a merchant or to a person whom the merchant named. */
export interface Notice {
  readonly merchantId: bigint
  /** The merchant's own address by default. */
  readonly recipient?: string
  readonly subject: string
  readonly text: string
  /** The dashboard page that the mail links to, such as `/dashboard/approvals`. */
  readonly page?: string
  /** The language of the texts; English by default. */
  readonly language?: string
  /** Set if team members may want a copy of a mail to the merchant. */
  readonly topic?: NotificationTopic
  readonly file?: MailedFile
}

const notices = table('notice', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  /** Null if the merchant itself is the recipient. */
  recipient: column<string | null>(),
  subject: column<string>(),
  text: column<string>(),
  attempts: column<number>(),
  createdAt: column<Date>(),
  /** In business time. */
  nextAttemptAt: column<Date>(),
  /** The end of the sender's lease, by the database's clock. */
  leasedUntil: column<Date | null>(),
  fileName: column<string | null>(),
  fileText: column<string | null>(),
  page: column<string | null>(),
  language: column<string | null>(),
  /** Set until the copies are queued. */
  topic: column<NotificationTopic | null>(),
})
type NoticeRow = Row<typeof notices>

/** Longer than sending a mail may take. */
const LEASE_SECONDS = 120
const UNDER_WAY_MAX = 16
/** The delays after failed attempts. If the attempt after the last delay fails too, the mail is given up. */
const RETRY_AFTER_SECONDS = [60, 300, 3_600, 21_600] as const

/** Queues notifications in the caller's transaction: they are mailed if and only if it commits. */
export function notify({ tx, ids, at }: UnitOfWork, requested: readonly Notice[]): void {
  const rows = requested.map(
    ({ merchantId, recipient = null, subject, text, page = null, language = null, topic = null, file }): NoticeRow => ({
      merchantId,
      id: ids.id(),
      recipient,
      subject,
      text,
      attempts: 0,
      createdAt: at,
      nextAttemptAt: at,
      leasedUntil: null,
      fileName: file?.name ?? null,
      fileText: file?.text ?? null,
      page,
      language,
      topic,
    }),
  )
  notices.insert(tx, rows)
}

/** Deletes queued mails to these addresses, given in lower case. */
export async function deleteNotices(tx: Tx, merchantId: bigint, addresses: readonly string[]): Promise<number> {
  const { count } = await tx`
    delete from notice where merchant_id = ${merchantId} and lower(recipient) = any(${addresses}::text[])`
  return count
}

interface Deps {
  readonly core: Core
  readonly mailer: Mailer
  readonly dashboardUrl: () => string
  readonly log: Log
}

/** Leases due mails, sends them outside a transaction, and stores the outcomes. */
export function noticeSweep(deps: Deps): Sweep {
  return {
    name: 'mail notices',
    runShard: async (shard, at, limit) => {
      const leased = await leaseNotices(deps, shard, at, Math.min(limit, UNDER_WAY_MAX))
      await Promise.all(leased.map((notice) => sendNotice(deps, at, notice)))
      return leased.length
    },
  }
}

const leaseNotices = ({ core: { db } }: Deps, shard: Shard, at: Date, limit: number): Promise<NoticeRow[]> =>
  inOneQuery(
    db,
    (tx) => tx<NoticeRow[]>`
      with taken as materialized (
        select merchant_id, id from notice n
         where ${ofShard(shard, 'n')} and next_attempt_at <= ${at} and (leased_until is null or leased_until < now())
         order by next_attempt_at limit ${limit}
           for update skip locked)
      update notice n
         set leased_until = now() + ${LEASE_SECONDS} * interval '1 second', attempts = attempts + 1
       where ${ofShard(shard, 'n')} and (merchant_id, id) in (select merchant_id, id from taken)
      returning ${notices.columns}`,
  )

/**
 * Queues a copy of a mail for each team member who wants mails of its topic. Returns whether the merchant's own address
 * gets the mail too. If not, the mail is deleted.
 */
const copyToTeam = (core: Core, notice: NoticeRow, topic: NotificationTopic): Promise<boolean> =>
  unitOfWork(core, async (unit) => {
    const { merchantId, id, subject, text, page } = notice
    const merchant = await core.directory.byId(merchantId)
    const isMuted = merchant?.mutedTopics.includes(topic) === true
    const members = await selectMailed(unit.tx, merchantId, topic)
    notify(
      unit,
      members
        .filter(({ email }) => isMuted || email !== merchant?.email)
        .map(({ email: recipient }) => ({ merchantId, recipient, subject, text, ...(page === null ? {} : { page }) })),
    )
    if (isMuted) void unit.tx`delete from notice where merchant_id = ${merchantId} and id = ${id}`
    else notices.update(unit.tx, [{ ...notice, topic: null }], ['topic'])
    return !isMuted
  })

async function sendNotice(deps: Deps, at: Date, notice: NoticeRow): Promise<void> {
  if (notice.topic !== null && !(await copyToTeam(deps.core, notice, notice.topic))) return
  const { mailer, log, dashboardUrl } = deps
  const { db, directory } = deps.core
  const { merchantId, id, recipient, subject, attempts, fileName, fileText, page, language } = notice
  const text = page === null ? notice.text : `${notice.text}\n\n${dashboardUrl()}${page}`
  const file = fileName === null || fileText === null ? {} : { file: { name: fileName, text: fileText } }
  const merchant = await directory.byId(merchantId)
  const to = recipient ?? merchant?.email
  const sent = to !== undefined && (await mailer.send({ merchantId, to, subject, text, language, ...file }))
  const waitSeconds = sent ? undefined : RETRY_AFTER_SECONDS[attempts - 1]
  if (waitSeconds !== undefined) {
    const nextAttemptAt = secondsAfter(at, waitSeconds)
    await inOneQuery(db, (tx) =>
      notices.update(tx, [{ ...notice, nextAttemptAt, leasedUntil: null }], ['nextAttemptAt', 'leasedUntil']),
    )
    return
  }
  if (!sent) log.warn({ merchantId: String(merchantId) }, 'notice email given up')
  await inOneQuery(db, (tx) => tx`delete from notice where merchant_id = ${merchantId} and id = ${id}`)
}
