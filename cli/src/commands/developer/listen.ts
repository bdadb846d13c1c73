import process from 'node:process'
import { parseArgs } from 'node:util'
import * as contract from '@kobo/contract'
import { EVENTS } from '@kobo/contract'
import { serviceSignature } from '@kobo/gateway/core/messages/outbox/index.ts'
import { wallClock } from '@kobo/gateway/kernel/clock.ts'
import { equalSecrets } from '@kobo/gateway/platform/crypto.ts'
import { type Command, type CommandContext, isHttpUrl, UsageError } from '../../command.ts'
import { waitForNextPoll } from './poll.ts'
import { connect, REMOTE_DETAILS, REMOTE_OPTIONS, REMOTE_USAGE, type Remote } from './remote.ts'

type ListenedEvent = contract.Reply<typeof contract.listenToEvents>['events'][number]

const FORWARD_SECONDS_MAX = 10

export const listen: Command = {
  prints: 'text or JSON',
  usage: `${REMOTE_USAGE} [--event TYPE …] [--forward URL] [--json]`,
  summary: "Prints a sandbox merchant's webhook events as they happen; --forward sends them to your server",
  details: `
Checks every signature. The merchant's own webhook URLs keep working. --event filters by event type. --forward posts each event to
URL as the gateway would, with its signatures, and prints the response status; it does not retry. --json prints one line per event:
{"id", "eventType", "reference", "genuine", "forwarded", "event"}.
${REMOTE_DETAILS}`,
  run: async (args, context) => {
    const { values } = parseArgs({
      args,
      options: {
        ...REMOTE_OPTIONS,
        event: { type: 'string', multiple: true },
        forward: { type: 'string' },
        json: { type: 'boolean' },
      },
    })
    const { event: types = [], forward, json = false } = values
    if (forward !== undefined && !isHttpUrl(forward))
      throw new UsageError('--forward must be an http or https URL, such as http://localhost:3000/events.')
    const unknown = types.find((type) => !Object.hasOwn(EVENTS, type))
    if (unknown !== undefined)
      throw new UsageError(`Unknown event type ${unknown}. Use one of ${Object.keys(EVENTS).join(', ')}.`)
    await poll(context, await connect(context, values), { types, forward, json })
    return 0
  },
}

interface ListenOptions {
  readonly types: readonly string[]
  readonly forward: string | undefined
  readonly json: boolean
}

/** Polls until Ctrl-C. */
async function poll(
  { out, err }: CommandContext,
  remote: Remote,
  { types, forward, json }: ListenOptions,
): Promise<void> {
  const ended = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ended.abort())
  let { cursor } = await remote.call(contract.listenToEvents, { query: {} })
  const { apiKey, secretKey } = remote.credentials
  const destination = forward === undefined ? '' : `, forwarding to ${forward}`
  const greet = json ? err : out
  greet(`Listening for events of ${apiKey}${destination}. Press Ctrl-C to stop.\n`)
  while (!ended.signal.aborted) {
    const page = await remote.call(contract.listenToEvents, { query: { after: cursor } })
    cursor = page.cursor
    for (const event of page.events.filter(({ eventType }) => types.length === 0 || types.includes(eventType))) {
      const genuine = equalSecrets(event.headers['service-signature'] ?? '', serviceSignature(secretKey, event.body))
      const forwarded = forward === undefined ? undefined : await post(forward, event)
      out(json ? asLine(event, genuine, forwarded) : asText(event, genuine, forwarded))
    }
    if (page.events.length === 0) await waitForNextPoll(ended.signal)
  }
}

const asLine = (
  { id, eventType, reference, body }: ListenedEvent,
  genuine: boolean,
  forwarded: number | null | undefined,
): string => `${JSON.stringify({ id, eventType, reference, genuine, forwarded, event: JSON.parse(body) })}\n`

function asText(
  { eventType, reference, body }: ListenedEvent,
  genuine: boolean,
  forwarded: number | null | undefined,
): string {
  const verdict = genuine ? 'valid signature' : 'INVALID SIGNATURE'
  const shown = JSON.stringify(JSON.parse(body).eventData, null, 2).replaceAll('\n', '\n  ')
  const forwardedLine =
    forwarded === undefined ? '' : `  forwarded: ${forwarded ?? 'no response; is your server running?'}\n`
  return `${wallClock.now().toISOString()} ${eventType} ${reference}, ${verdict}\n  ${shown}\n${forwardedLine}`
}

/** Posts an event as the gateway would; returns the status, or null if there was no response. */
async function post(forward: string, { body, headers }: ListenedEvent): Promise<number | null> {
  const response = await fetch(forward, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(FORWARD_SECONDS_MAX * 1_000),
  }).catch(() => undefined)
  return response?.status ?? null
}
