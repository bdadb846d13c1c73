import { type Db, inOneStatement, type Tx } from '../../platform/db.ts'
import { forgetSome } from '../../platform/forgetting.ts'
import type { Log } from '../../platform/log.ts'
import type { Mail, Smtp } from '../../platform/smtp.ts'
import { sql } from '../../platform/sql.ts'
import { column, type Row, table } from '../../platform/table.ts'
import type { Core } from '../core.ts'

/** A mail that is sent on behalf of a merchant, to it or to a customer of it. */
export interface MerchantMail extends Mail {
  readonly merchantId: bigint
  /** Named where nobody but the recipient may read it: then it is in the sandbox's inbox only where no mail server is named. */
  readonly isPrivate?: boolean
}

export interface Mailer {
  /** Answers whether the mail was taken. Never throws, and is never called inside a database transaction. */
  readonly send: (mail: MerchantMail) => Promise<boolean>
  /** Whether mails leave at all: in a sandbox without a mail server they do not. */
  readonly hasServer: boolean
}

/** Mails that the sandbox keeps for its inbox. */
const sandboxMails = table('sandbox_mail', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  recipient: column<string>(),
  subject: column<string>(),
  text: column<string>(),
  sentAt: column<Date>(),
})
export type KeptMail = Row<typeof sandboxMails>

interface Deps {
  readonly core: Core
  readonly log: Log
  /** Undefined where no mail server is named. */
  readonly smtp: Smtp | undefined
  /** Whether mails are kept for the sandbox's inbox. */
  readonly keepsInbox: boolean
}

/** Sends mails through the mail server, and keeps them for the inbox in the sandbox, which needs no server. */
export function openMailer({ core, log, smtp, keepsInbox }: Deps): Mailer {
  return {
    hasServer: smtp !== undefined,
    send: async ({ merchantId, isPrivate = false, ...mail }) => {
      try {
        const merchant = await core.directory.byId(merchantId)
        if (merchant?.mail === 'FAIL') return false
        if (smtp === undefined && !keepsInbox) {
          log.warn('a mail was not sent: no mail server is named (SMTP_URL)')
          return false
        }
        await smtp?.send(mail)
        if (keepsInbox && !(isPrivate && smtp !== undefined)) await keep(core, merchantId, mail)
        return true
      } catch (error) {
        log.warn({ error }, 'a mail was not sent')
        return false
      }
    },
  }
}

async function keep({ db, ids, clock }: Core, merchantId: bigint, mail: Mail): Promise<void> {
  const { to: recipient, subject, text } = mail
  const row = { merchantId, id: ids.id(), recipient, subject, text, sentAt: clock.now() }
  await inOneStatement(db, (tx) => sandboxMails.insert(tx, [row]))
}

/** The mails that the sandbox kept for a merchant, newest first. */
export const selectMails = (db: Db, merchantId: bigint, to: string | undefined, limit: number): Promise<KeptMail[]> =>
  db<KeptMail[]>`
    select ${sandboxMails.columns}
      from sandbox_mail
     where merchant_id = ${merchantId} ${to === undefined ? sql`` : sql`and lower(recipient) = lower(${to})`}
     order by id desc
     limit ${limit}`

/** Forgets the mails that the sandbox kept to some addresses, in lower case, or that name one. */
export async function forgetMails(tx: Tx, merchantId: bigint, addresses: readonly string[]): Promise<number> {
  const { count } = await tx`
    delete from sandbox_mail
     where merchant_id = ${merchantId}
       and exists (select from unnest(${addresses}::text[]) address
                    where lower(recipient) = address or position(address in lower(text)) > 0)`
  return count
}

/** Forgets the sandbox's mails before an id, whose they are; answers how many. */
export const forgetMailsBefore = (db: Db, before: bigint, limit: number): Promise<number> =>
  forgetSome(db, sandboxMails, sql`id < ${before}`, limit)
