import type { Clock } from '../kernel/clock.ts'
import type { IdSource } from '../kernel/ids.ts'
import { type Db, inOneStatement, rowSet } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import type { Mail, Smtp } from '../platform/smtp.ts'
import { sql } from '../platform/sql.ts'
import type { MerchantDirectory } from './merchants/index.ts'

/** A mail that is sent on behalf of a merchant, to it or to a customer of it. */
export interface MerchantMail extends Mail {
  readonly merchantId: bigint
}

export interface Mailer {
  /** Answers whether the mail was taken. Never throws, and is never called inside a database transaction. */
  readonly send: (mail: MerchantMail) => Promise<boolean>
}

interface Deps {
  readonly db: Db
  readonly clock: Clock
  readonly ids: IdSource
  readonly directory: MerchantDirectory
  readonly log: Log
  /** Undefined where no mail server is named. */
  readonly smtp: Smtp | undefined
  /** Whether mails are kept for the sandbox's inbox. */
  readonly keepsInbox: boolean
}

/** Sends mails through the mail server, and keeps them for the inbox in the sandbox, which needs no server. */
export function openMailer({ db, clock, ids, directory, log, smtp, keepsInbox }: Deps): Mailer {
  return {
    send: async ({ merchantId, ...mail }) => {
      try {
        const merchant = await directory.byId(merchantId)
        if (merchant?.mail === 'FAIL') return false
        if (smtp === undefined && !keepsInbox) {
          log.warn('a mail was not sent: no mail server is named (SMTP_URL)')
          return false
        }
        await smtp?.send(mail)
        if (keepsInbox) await keep(db, ids, clock.now(), merchantId, mail)
        return true
      } catch (error) {
        log.warn({ error }, 'a mail was not sent')
        return false
      }
    },
  }
}

async function keep(db: Db, ids: IdSource, at: Date, merchantId: bigint, mail: Mail): Promise<void> {
  const row = { merchantId, id: ids.id(), recipient: mail.to, subject: mail.subject, text: mail.text, sentAt: at }
  await inOneStatement(
    db,
    (tx) =>
      tx`insert into sandbox_mail select * from json_populate_recordset(null::sandbox_mail, ${rowSet([row])}::text::json)`,
  )
}

export interface KeptMail {
  readonly id: bigint
  readonly recipient: string
  readonly subject: string
  readonly text: string
  readonly sentAt: Date
}

/** The mails that the sandbox kept for a merchant, newest first. */
export const selectMails = (db: Db, merchantId: bigint, to: string | undefined, limit: number): Promise<KeptMail[]> =>
  db<KeptMail[]>`
    select id, recipient, subject, text, sent_at
      from sandbox_mail
     where merchant_id = ${merchantId} ${to === undefined ? sql`` : sql`and lower(recipient) = lower(${to})`}
     order by id desc
     limit ${limit}`
