import { parseArgs } from 'node:util'
import { EVENT_STATUSES, type EventStatus, LOG_SIZE_DEFAULT, LOG_SIZE_MAX } from '@kobo/contract'
import { listEventsBefore, resendEvent, resendEvents, showEvent } from '@kobo/gateway/features/event-log/index.ts'
import { fromMoment } from '@kobo/gateway/kernel/dates.ts'
import { type Command, print, required, UsageError, withMerchant } from '../../command.ts'

const text = { type: 'string' } as const
const BY = { actor: 'command line' } as const

export const eventsList: Command = {
  usage: '--merchant CODE [--type EVENT] [--reference REFERENCE] [--status STATUS] [--before ID] [--size COUNT]',
  summary: 'Lists a merchant’s webhook events and delivery attempts, newest first',
  details: `
Prints JSON without the bodies; "./kobo events show" prints those. Statuses: ${EVENT_STATUSES.join(', ')}. If "next" is not null,
pass it as --before for older events.
`,
  run: async (args, context) => {
    const options = { merchant: text, type: text, reference: text, status: text, before: text, size: text }
    const { values } = parseArgs({ args, options })
    const { type: eventType, reference, before, size = String(LOG_SIZE_DEFAULT) } = values
    const status = statusIn(values.status)
    if (before !== undefined && !/^\d{1,18}$/.test(before)) throw new UsageError('--before must be an event id.')
    if (!/^\d{1,3}$/.test(size) || Number(size) < 1 || Number(size) > LOG_SIZE_MAX)
      throw new UsageError(`--size must be 1 to ${LOG_SIZE_MAX}.`)
    return withMerchant(context, values.merchant, async ({ core }, { id }) => {
      const filter = { eventType, reference, status }
      const { content, next } = await listEventsBefore(core.db, id, filter, before, Number(size))
      print(context, { events: content.map(({ body: _, ...event }) => event), next })
    })
  },
}

export const eventsShow: Command = {
  usage: 'ID --merchant CODE',
  summary: 'Shows a webhook event: its body and every delivery attempt',
  run: async (args, context) => {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { merchant: text } })
    const event = idIn(positionals)
    return withMerchant(context, values.merchant, async ({ core }, { id }) =>
      print(context, await showEvent(core.db, id, event)),
    )
  },
}

export const eventsResend: Command = {
  usage: '(ID | --since WHEN [--status STATUS]) --merchant CODE',
  summary: 'Resends a webhook event, or all events since a time',
  details: `
Sends the same body with the same webhook-id and restarts the retry schedule. WHEN is Lagos time unless it has a time zone. Use
--status GIVEN_UP to resend only events whose delivery was given up.
`,
  run: async (args, context) => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { merchant: text, since: text, status: text },
    })
    if ((values.since === undefined) === (positionals.length === 0))
      throw new UsageError('Specify either one event id or --since WHEN.')
    const status = statusIn(values.status)
    if (values.since === undefined) {
      const event = idIn(positionals)
      return withMerchant(context, values.merchant, async ({ core }, { id }) => {
        const { body: _, ...sent } = await resendEvent(core, id, event, BY)
        print(context, sent)
      })
    }
    const since = required(values.since, '--since')
    if (fromMoment(since) === undefined) throw new UsageError('--since must be a time, such as 2026-03-01 10:30:00.')
    return withMerchant(context, values.merchant, async ({ core }, { id, code }) =>
      print(context, { merchant: code, count: await resendEvents(core, id, { since, status }, BY) }),
    )
  },
}

function statusIn(word: string | undefined): EventStatus | undefined {
  const status = EVENT_STATUSES.find((known) => known === word)
  if (word !== undefined && status === undefined)
    throw new UsageError(`--status must be one of ${EVENT_STATUSES.join(', ')}.`)
  return status
}

function idIn(positionals: readonly string[]): string {
  const [id] = positionals
  if (id === undefined || positionals.length > 1 || !/^\d{1,18}$/.test(id))
    throw new UsageError('Specify one event id.')
  return id
}
