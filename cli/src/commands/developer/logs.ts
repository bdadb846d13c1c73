import process from 'node:process'
import { parseArgs } from 'node:util'
import * as contract from '@kobo/contract'
import { LOG_SIZE_MAX, REQUEST_OUTCOMES } from '@kobo/contract'
import { type Command, type Surroundings, UsageError } from '../../command.ts'
import { pauseUnless } from './pause.ts'
import { connect, REMOTE_DETAILS, REMOTE_OPTIONS, REMOTE_USAGE, type Remote } from './remote.ts'

type Noted = contract.Reply<typeof contract.getMerchantRequest>
type Wanted = contract.Input<typeof contract.listMerchantRequests>['query']

/** How many it remembers to have printed: a node may be late with what came before. */
const REMEMBERED_MAX = 5_000
/** So many pages are read at once where much has come. */
const PAGES_MAX = 10

const text = { type: 'string' } as const

export const logsTail: Command = {
  prints: 'text or JSON',
  usage: `${REMOTE_USAGE} [--outcome OUTCOME] [--route PART] [--reference REFERENCE] [--json]`,
  summary: "Prints requests of a merchant's server and what they were answered, as they come; secrets are masked",
  details: `
Outcomes: ${REQUEST_OUTCOMES.join(', ')}. --route takes a part of the path. In live there are no bodies. --json prints a line for
each request, as GET ${contract.listMerchantRequests.path} has it.
${REMOTE_DETAILS}`,
  run: async (args, around) => {
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
    const wanted = Object.fromEntries(
      Object.entries({ outcome, route, reference }).filter(([, value]) => value !== undefined),
    ) as Wanted
    await tail(around, await connect(around, values), wanted, json)
    return 0
  },
}

/** Looks again and again until Ctrl-C. */
async function tail({ out, err }: Surroundings, remote: Remote, wanted: Wanted, json: boolean): Promise<void> {
  const ended = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ended.abort())
  const read = (query: Wanted) =>
    remote.call(contract.listMerchantRequests, { query: { ...wanted, ...query, size: LOG_SIZE_MAX } })
  const { content: before } = await read({})
  const printed = new Set(before.map(({ id }) => id))
  /** What is older was there before we came, and is not printed. */
  const oldest = BigInt(before.at(-1)?.id ?? 0)
  const readFresh = async (): Promise<readonly Noted[]> => {
    const fresh: Noted[] = []
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
  greet(`Following requests of ${remote.credentials.apiKey}. Ctrl-C ends.\n`)
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
    if (fresh.length === 0) await pauseUnless(ended.signal)
  }
}

function asText({ at, method, url, route, status, refusal, milliseconds, leftOut, ...request }: Noted): string {
  const missing = leftOut === 0 ? '' : `  (${leftOut} more came in between and are not in the log)\n`
  const why = refusal === null ? '' : ` ${refusal}`
  const head = `${at} ${method} ${url ?? route} ${status}${why}, ${milliseconds.toFixed(1)} ms, ${request.requestId}\n`
  const bodies = [
    ['asked', request.requestBody],
    ['answered', request.answerBody],
  ].flatMap(([what, body]) => (body === null ? [] : [`  ${what}: ${body}\n`]))
  return `${missing}${head}${bodies.join('')}`
}
