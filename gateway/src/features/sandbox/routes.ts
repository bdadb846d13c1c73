import * as contract from '@kobo/contract'
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX, type Reply } from '@kobo/contract'
import type { BusinessClock } from '../../core/business-clock.ts'
import type { Core } from '../../core/core.ts'
import type { Serve } from '../../core/edge/http/index.ts'
import { selectMails } from '../../core/messages/mail.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { dayText, lagosDay, zoned } from '../../kernel/dates.ts'
import { invariant } from '../../kernel/errors.ts'
import { naira } from '../../kernel/money.ts'
import type { CreditOutcome, InboundCredit } from '../../rails/bank.ts'
import { listEventPage, resendEvent, resendEvents } from '../event-log/index.ts'
import { changeSettings, type SettingsDeps, showSettings } from '../settings/index.ts'
import { enquireName, sendFromBankApp } from './bank-app.ts'
import { sandboxErrors } from './errors.ts'
import { listenToEvents } from './event-listener.ts'
import { findReport, storeReport } from './report-repository.ts'

const INBOX_LIMIT_DEFAULT = 20

export interface SandboxDeps {
  readonly core: Core
  readonly rules: SettingsDeps['rules']
  readonly receiveCredit: (credit: InboundCredit) => Promise<CreditOutcome>
  /** Moves business time forward: everything due on the way runs, in order. */
  readonly advanceTo: (moment: Date) => Promise<void>
  /** Further header names for an event's signature. */
  readonly signatureHeaders: readonly string[]
}

export function sandboxRoutes(serve: Serve, deps: SandboxDeps): void {
  const { core, rules, receiveCredit, advanceTo, signatureHeaders } = deps
  const { db, clock } = core

  serve(contract.payIntoAccount, async ({ body }) => {
    const { sessionId, outcome } = await sendFromBankApp(
      { core, receiveCredit },
      { ...body, amount: naira(body.amount) },
    )
    invariant(outcome.kind !== 'conflict', 'a session id is used once')
    const reason = outcome.kind === 'accepted' ? null : outcome.reason
    return { sessionId, status: reason === null ? ('ACCEPTED' as const) : ('REJECTED' as const), reason }
  })

  serve(contract.readInbox, async ({ query }, { merchant, person }) => {
    const limit = Math.min(query.limit ?? INBOX_LIMIT_DEFAULT, contract.INBOX_LIMIT_MAX)
    // A sign-in link for the owner would give any team member the owner's rights.
    const reader = person === undefined || person.role === 'owner' ? undefined : person.email
    const mails = await selectMails(db, merchant.id, { to: query.to, reader }, limit)
    return mails.map(({ id, recipient, subject, text, sentAt }) => ({
      id: String(id),
      to: recipient,
      subject,
      text,
      sentAt: zoned(sentAt),
    }))
  })

  serve(contract.enquireName, async ({ query }) => {
    const account = await enquireName(db, query)
    if (account === undefined) throw sandboxErrors.unknownAccount()
    return account
  })

  serve(contract.readClock, async () => showClock(clock))

  serve(contract.advanceClock, async ({ body }) => {
    await advanceTo(secondsAfter(clock.now(), body.seconds))
    return showClock(clock)
  })

  serve(contract.getSettings, (_, { merchant }) => showSettings(db, merchant))

  serve(contract.changeSettings, ({ body }, { merchant, by }) => changeSettings({ core, rules }, merchant, body, by))

  serve(contract.listEvents, ({ query }, { merchant }) =>
    listEventPage(db, merchant.id, query, query.page ?? 0, Math.min(query.size ?? PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX)),
  )

  serve(contract.listenToEvents, ({ query }, { merchant }) =>
    listenToEvents(core, signatureHeaders, merchant, query.after),
  )

  serve(contract.resendEvent, ({ params }, { merchant, by }) => resendEvent(core, merchant.id, params.id, by))

  serve(contract.resendEvents, async ({ body }, { merchant, by }) => ({
    count: await resendEvents(core, merchant.id, body, by),
  }))

  serve(contract.getReport, async (_, { merchant }) => {
    const found = await findReport(db, merchant.id)
    return { checkedAt: found?.checkedAt.toISOString() ?? null, report: found?.report ?? null }
  })

  serve(contract.saveReport, async ({ body }, { merchant }) => {
    const checkedAt = clock.now()
    await storeReport(db, merchant.id, body, checkedAt)
    return { checkedAt: checkedAt.toISOString() }
  })
}

function showClock(clock: BusinessClock): Reply<typeof contract.readClock> {
  const now = clock.now()
  return {
    now: now.toISOString(),
    today: dayText(lagosDay(now)),
    epochMilliseconds: now.getTime(),
    offsetSeconds: Math.round(clock.offsetMilliseconds() / 1_000),
  }
}
