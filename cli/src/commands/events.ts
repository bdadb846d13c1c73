import { parseArgs } from 'node:util'
import { EVENT_STATUSES, type EventStatus, LOG_SIZE_DEFAULT, LOG_SIZE_MAX } from '@kobo/contract'
import { listEventsBefore, resendEvent, resendEvents, showEvent } from '@kobo/gateway/features/event-log/index.ts'
import { fromMoment } from '@kobo/gateway/kernel/dates.ts'
import { type Command, print, required, UsageError, withMerchant } from '../command.ts'

const text = { type: 'string' } as const
const BY = { actor: 'command line' } as const

export const eventsList: Command = {
  usage: '--merchant CODE [--type EVENT] [--reference REFERENCE] [--status STATUS] [--before ID] [--size COUNT]',
  summary: 'Lists events of a merchant with every attempt to deliver them, newest first',
  details: `
Prints JSON without the texts; kobo events show has them. Statuses: ${EVENT_STATUSES.join(', ')}. Where "next" is not null there
are older ones: ask again with it as --before.
`,
  run: async (args, around) => {
    const options = { merchant: text, type: text, reference: text, status: text, before: text, size: text }
    const { values } = parseArgs({ args, options })
    const { type: eventType, reference, before, size = String(LOG_SIZE_DEFAULT) } = values
    const status = statusIn(values.status)
    if (before !== undefined && !/^\d{1,18}$/.test(before)) throw new UsageError('--before must be an id.')
    if (!/^\d{1,3}$/.test(size) || Number(size) < 1 || Number(size) > LOG_SIZE_MAX)
      throw new UsageError(`--size must be 1 to ${LOG_SIZE_MAX}.`)
    return withMerchant(around, values.merchant, async ({ core }, { id }) => {
      const filter = { eventType, reference, status }
      const { content, next } = await listEventsBefore(core.db, id, filter, before, Number(size))
      print(around, { events: content.map(({ body: _, ...event }) => event), next })
    })
  },
}

export const eventsShow: Command = {
  usage: 'ID --merchant CODE',
  summary: 'Shows an event of a merchant: its text, and every attempt to deliver it',
  run: async (args, around) => {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { merchant: text } })
    const event = idIn(positionals)
    return withMerchant(around, values.merchant, async ({ core }, { id }) =>
      print(around, await showEvent(core.db, id, event)),
    )
  },
}

export const eventsResend: Command = {
  usage: '(ID | --since WHEN [--status STATUS]) --merchant CODE',
  summary: 'Has an event of a merchant sent again, or all since a moment',
  details: `
The same bytes under the same webhook-id, from the start of the schedule. WHEN is in Lagos unless it names a zone; with
--status GIVEN_UP only those are sent that were given up.
`,
  run: async (args, around) => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { merchant: text, since: text, status: text },
    })
    if ((values.since === undefined) === (positionals.length === 0))
      throw new UsageError('Either one event by its id, or --since WHEN.')
    const status = statusIn(values.status)
    if (values.since === undefined) {
      const event = idIn(positionals)
      return withMerchant(around, values.merchant, async ({ core }, { id }) => {
        const { body: _, ...sent } = await resendEvent(core, id, event, BY)
        print(around, sent)
      })
    }
    const since = required(values.since, '--since')
    if (fromMoment(since) === undefined) throw new UsageError('--since must be a moment as 2026-03-01 10:30:00.')
    return withMerchant(around, values.merchant, async ({ core }, { id, code }) =>
      print(around, { merchant: code, count: await resendEvents(core, id, { since, status }, BY) }),
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
    throw new UsageError('Name one event by its id.')
  return id
}
