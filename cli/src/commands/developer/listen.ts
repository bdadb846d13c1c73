import process from 'node:process'
import { parseArgs } from 'node:util'
import * as contract from '@kobo/contract'
import { EVENTS } from '@kobo/contract'
import { serviceSignature } from '@kobo/gateway/core/messages/outbox/index.ts'
import { wallClock } from '@kobo/gateway/kernel/clock.ts'
import { equalSecrets } from '@kobo/gateway/platform/crypto.ts'
import { type Command, type Surroundings, UsageError } from '../../command.ts'
import { pauseUnless } from './pause.ts'
import { connect, REMOTE_DETAILS, REMOTE_OPTIONS, REMOTE_USAGE, type Remote } from './remote.ts'

type Heard = contract.Reply<typeof contract.listenToEvents>['events'][number]

const FORWARD_SECONDS_MAX = 10

export const listen: Command = {
  prints: 'text or JSON',
  usage: `${REMOTE_USAGE} [--event TYPE …] [--forward URL] [--json]`,
  summary: "Prints a sandbox merchant's events as they happen, their signatures checked; --forward passes them on",
  details: `
Listens beside the merchant's own addresses, which stay as they are. --event shows the events of these types only. --forward posts
each to URL as the gateway would, signatures and all; what it answers is printed, and nothing is sent again. --json prints a line
for each event: {"id", "eventType", "reference", "genuine", "forwarded", "event"}.
${REMOTE_DETAILS}`,
  run: async (args, around) => {
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
    if (forward !== undefined && !URL.canParse(forward)) throw new UsageError('--forward must be an address.')
    const unknown = types.find((type) => !Object.hasOwn(EVENTS, type))
    if (unknown !== undefined)
      throw new UsageError(`There is no event ${unknown}; there are ${Object.keys(EVENTS).join(', ')}.`)
    await hear(around, await connect(around, values), { types, forward, json })
    return 0
  },
}

interface Hearing {
  readonly types: readonly string[]
  readonly forward: string | undefined
  readonly json: boolean
}

/** Looks again and again until Ctrl-C. */
async function hear({ out, err }: Surroundings, remote: Remote, { types, forward, json }: Hearing): Promise<void> {
  const ended = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ended.abort())
  let { cursor } = await remote.call(contract.listenToEvents, { query: {} })
  const { apiKey, secretKey } = remote.credentials
  const passing = forward === undefined ? '' : `, passing them on to ${forward}`
  const greet = json ? err : out
  greet(`Listening for events of ${apiKey}${passing}. Ctrl-C ends.\n`)
  while (!ended.signal.aborted) {
    const heard = await remote.call(contract.listenToEvents, { query: { after: cursor } })
    cursor = heard.cursor
    for (const event of heard.events.filter(({ eventType }) => types.length === 0 || types.includes(eventType))) {
      const genuine = equalSecrets(event.headers['service-signature'] ?? '', serviceSignature(secretKey, event.body))
      const forwarded = forward === undefined ? undefined : await pass(forward, event)
      out(json ? asLine(event, genuine, forwarded) : asText(event, genuine, forwarded))
    }
    if (heard.events.length === 0) await pauseUnless(ended.signal)
  }
}

const asLine = (
  { id, eventType, reference, body }: Heard,
  genuine: boolean,
  forwarded: number | null | undefined,
): string => `${JSON.stringify({ id, eventType, reference, genuine, forwarded, event: JSON.parse(body) })}\n`

function asText({ eventType, reference, body }: Heard, genuine: boolean, forwarded: number | null | undefined): string {
  const verdict = genuine ? 'signature good' : 'SIGNATURE WRONG'
  const shown = JSON.stringify(JSON.parse(body).eventData, null, 2).replaceAll('\n', '\n  ')
  const passed = forwarded === undefined ? '' : `  passed on: ${forwarded ?? 'no answer'}\n`
  return `${wallClock.now().toISOString()} ${eventType} ${reference}, ${verdict}\n  ${shown}\n${passed}`
}

/** Posts an event as the gateway would; answers the status, or null where no answer came. */
async function pass(forward: string, { body, headers }: Heard): Promise<number | null> {
  const answer = await fetch(forward, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(FORWARD_SECONDS_MAX * 1_000),
  }).catch(() => undefined)
  return answer?.status ?? null
}
