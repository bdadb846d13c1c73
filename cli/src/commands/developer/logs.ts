import process from 'node:process'
import { parseArgs } from 'node:util'
import * as contract from '@kobo/contract'
import { LOG_SIZE_MAX, REQUEST_OUTCOMES } from '@kobo/contract'
import { type Command, type CommandContext, UsageError } from '../../command.ts'
import { waitForNextPoll } from './poll.ts'
import { connect, REMOTE_DETAILS, REMOTE_OPTIONS, REMOTE_USAGE, type Remote } from './remote.ts'

type LoggedRequest = contract.Reply<typeof contract.getMerchantRequest>
type Requested = contract.Input<typeof contract.listMerchantRequests>['query']

/** How many printed ids are remembered, so that no request is printed twice. A node may log older requests late. */
const REMEMBERED_MAX = 5_000
/** Pages of results read per poll, at most. */
const PAGES_MAX = 10

const text = { type: 'string' } as const

export const logsTail: Command = {
  prints: 'text or JSON',
  usage: `${REMOTE_USAGE} [--outcome OUTCOME] [--route PART] [--reference REFERENCE] [--json]`,
  summary: "Prints a merchant's API requests and responses as they happen, with secrets masked",
  details: `
Outcomes: ${REQUEST_OUTCOMES.join(', ')}. --route matches part of the path. In live mode, bodies are not logged. --json prints
one line per request, in the format of GET ${contract.listMerchantRequests.path}.
${REMOTE_DETAILS}`,
  run: async (args, context) => {
    const options = {
      ...REMOTE_OPTIONS,
      outcome: text,
      route: text,
      reference: text,
      json: { type: 'boolean' },
    } as const
    const { values } = parseArgs({ args, options })
    const { route, reference, json = false } = values
    const outcome = REQUEST_OUTCOMES.find((known) => known === values.outcome)
    if (values.outcome !== undefined && outcome === undefined)
      throw new UsageError(`--outcome must be one of ${REQUEST_OUTCOMES.join(', ')}.`)
    const filter = Object.fromEntries(
      Object.entries({ outcome, route, reference }).filter(([, value]) => value !== undefined),
    ) as Requested
    await tail(context, await connect(context, values), filter, json)
    return 0
  },
}

/** Polls until Ctrl-C. */
async function tail({ out, err }: CommandContext, remote: Remote, filter: Requested, json: boolean): Promise<void> {
  const ended = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ended.abort())
  const read = (query: Requested) =>
    remote.call(contract.listMerchantRequests, { query: { ...filter, ...query, size: LOG_SIZE_MAX } })
  const { content: before } = await read({})
  const printed = new Set(before.map(({ id }) => id))
  /** Requests up to this id were made before the command started, so they are not printed. */
  const oldest = BigInt(before.at(-1)?.id ?? 0)
  const readFresh = async (): Promise<readonly LoggedRequest[]> => {
    const fresh: LoggedRequest[] = []
    for (let page = 0, next: string | null = null; page < PAGES_MAX; page++) {
      const { content, next: further } = await read(next === null ? {} : { before: next })
      const unseen = content.filter(({ id }) => BigInt(id) > oldest && !printed.has(id))
      fresh.push(...unseen)
      if (unseen.length < content.length || further === null) break
      next = further
    }
    return fresh
  }
  const greet = json ? err : out
  greet(`Following requests of ${remote.credentials.apiKey}. Press Ctrl-C to stop.\n`)
  while (!ended.signal.aborted) {
    const fresh = await readFresh()
    for (const request of fresh.toReversed()) {
      out(json ? `${JSON.stringify(request)}\n` : asText(request))
      printed.add(request.id)
    }
    for (const id of printed) {
      if (printed.size <= REMEMBERED_MAX) break
      printed.delete(id)
    }
    if (fresh.length === 0) await waitForNextPoll(ended.signal)
  }
}

function asText({ at, method, url, route, status, refusal, milliseconds, leftOut, ...request }: LoggedRequest): string {
  const missing = leftOut === 0 ? '' : `  (${leftOut} requests before this one were not logged)\n`
  const why = refusal === null ? '' : ` ${refusal}`
  const head = `${at} ${method} ${url ?? route} ${status}${why}, ${milliseconds.toFixed(1)} ms, ${request.requestId}\n`
  const bodies = [
    ['request', request.requestBody],
    ['response', request.answerBody],
  ].flatMap(([what, body]) => (body === null ? [] : [`  ${what}: ${body}\n`]))
  return `${missing}${head}${bodies.join('')}`
}
