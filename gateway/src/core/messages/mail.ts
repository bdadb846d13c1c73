import type { Log } from '../../platform/observability/log.ts'
import { type Db, inOneQuery, type Tx } from '../../platform/postgres/db.ts'
import { deleteBatch } from '../../platform/postgres/delete-in-batches.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { column, type Row, table } from '../../platform/postgres/table.ts'
import type { Mail, Smtp } from '../../platform/smtp.ts'
import type { Core } from '../core.ts'
import { mailPage } from './mail-page.ts'

/** A mail to a merchant, or on its behalf to a customer. */
export interface MerchantMail extends Mail {
  readonly merchantId: bigint
  /** Whether only the recipient may read it. The sandbox inbox then stores it only if no mail server is configured. */
  readonly isPrivate?: boolean
  /** The language of the text; English by default. */
  readonly language?: string | null
}

export interface Mailer {
  /** Returns whether the mail was accepted. Never throws; never call it in a database transaction. */
  readonly send: (mail: MerchantMail) => Promise<boolean>
  /** Whether a mail server is configured. Without one, mails go only to the sandbox inbox. */
  readonly hasServer: boolean
}

const sandboxMails = table('sandbox_mail', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  recipient: column<string>(),
  subject: column<string>(),
  text: column<string>(),
  sentAt: column<Date>(),
  /** A sign-in link or an invitation, for its recipient only. */
  isPrivate: column<boolean>(),
})
export type StoredMail = Row<typeof sandboxMails>

interface Deps {
  readonly core: Core
  readonly log: Log
  /** The connection to the mail server; undefined if none is configured. */
  readonly smtp: Smtp | undefined
  /** Whether mails are stored in the sandbox inbox. */
  readonly keepsInbox: boolean
  readonly count?: (outcome: 'sent' | 'failed') => void
}

/** Sends mails through the mail server, if there is one. In a sandbox, also stores them in the inbox. */
export function openMailer({ core, log, smtp, keepsInbox, count }: Deps): Mailer {
  return {
    hasServer: smtp !== undefined,
    send: async ({ merchantId, isPrivate = false, language, ...mail }) => {
      try {
        const merchant = await core.directory.byId(merchantId)
        if (merchant?.mail === 'FAIL') return false
        if (smtp === undefined && !keepsInbox) {
          log.warn('email not sent: no mail server configured (SMTP_URL)')
          count?.('failed')
          return false
        }
        if (smtp !== undefined)
          await smtp.send({ ...mail, ...(await mailPage(core, merchant, mail, language ?? 'en')) })
        if (keepsInbox && !(isPrivate && smtp !== undefined)) await store(core, merchantId, mail, isPrivate)
        count?.('sent')
        return true
      } catch (error) {
        log.warn({ error }, 'email not sent')
        count?.('failed')
        return false
      }
    },
  }
}

async function store({ db, ids, clock }: Core, merchantId: bigint, mail: Mail, isPrivate: boolean): Promise<void> {
  const { to: recipient, subject, text } = mail
  const row = { merchantId, id: ids.id(), recipient, subject, text, sentAt: clock.now(), isPrivate }
  await inOneQuery(db, (tx) => sandboxMails.insert(tx, [row]))
}

/** Reads a merchant's sandbox mails, newest first. If `reader` is given, private mails to others are left out. */
export const selectMails = (
  db: Db,
  merchantId: bigint,
  { to, reader }: { readonly to: string | undefined; readonly reader: string | undefined },
  limit: number,
): Promise<StoredMail[]> =>
  db<StoredMail[]>`
    select ${sandboxMails.columns}
      from sandbox_mail
     where merchant_id = ${merchantId} ${to === undefined ? sql`` : sql`and lower(recipient) = lower(${to})`}
       ${reader === undefined ? sql`` : sql`and (not is_private or lower(recipient) = lower(${reader}))`}
     order by id desc
     limit ${limit}`

/** Deletes sandbox mails that were sent to these email addresses or contain one (given in lower case). */
export async function deleteMails(tx: Tx, merchantId: bigint, addresses: readonly string[]): Promise<number> {
  const { count } = await tx`
    delete from sandbox_mail
     where merchant_id = ${merchantId}
       and exists (select from unnest(${addresses}::text[]) address
                    where lower(recipient) = address or position(address in lower(text)) > 0)`
  return count
}

/** Deletes sandbox mails before an id; returns how many. */
export const deleteMailsBefore = (db: Db, before: bigint, limit: number): Promise<number> =>
  deleteBatch(db, sandboxMails, sql`id < ${before}`, limit)
