import type { Clock } from '@kobo/gateway/kernel/clock.ts'
import type { Hidden } from '@kobo/gateway/kernel/hidden.ts'
import { compileCheck } from '@kobo/gateway/platform/validation.ts'
import { isCapability, MANIFEST, Manifest } from '@kobo/gateway/rails/protocol/index.ts'
import { CHECKS, type Check, Failed, Skipped } from './checks.ts'
import { openWire, type Wire } from './wire.ts'

/** What came of a check. */
export interface Verdict {
  readonly name: string
  readonly title: string
  readonly why: string
  readonly result: 'passed' | 'failed' | 'skipped'
  /** What was found, or why nothing could be. */
  readonly reason?: string
}

export interface TrialReport {
  /** What the adapter says of itself, where it does. */
  readonly manifest: Manifest | undefined
  readonly verdicts: readonly Verdict[]
}

/** What cannot be seen from outside, so that nobody takes a trial for more than it is. */
export const NOT_SEEN = [
  'that no log of the adapter holds a card, a PIN, a BVN or a secret',
  'what it does when its partner stays silent, answers with a page, or by a code that no list has: unknown, each time',
  'whether it tells Kobo of every credit until it is answered 200',
  'whether names of movements stay apart when their counters start anew',
] as const

const findWrong = compileCheck(Manifest, 'body')

const MANIFEST_CHECK = {
  name: MANIFEST,
  title: 'It shows a manifest of the second version',
  why: 'Without one Kobo speaks the first version: answers are not signed, and no accounts are opened.',
}

interface Options {
  /** Where the adapter is, without a slash at its end. */
  readonly url: string
  readonly secret: Hidden<string>
  readonly wall: Clock
  readonly timeoutMilliseconds: number
}

/** Puts an adapter to the trial: asks it what it must answer, and what it must not. Sends only to what its manifest names for that. */
export async function tryAdapter(options: Options): Promise<TrialReport> {
  const wire = openWire(options)
  try {
    const { status, answer, reason } = await wire.ask(MANIFEST, {})
    const wrong = manifestFault(status, answer, reason)
    const manifest = wrong === undefined ? (answer as unknown as Manifest) : undefined
    const first: Verdict =
      wrong === undefined
        ? { ...MANIFEST_CHECK, result: 'passed' }
        : { ...MANIFEST_CHECK, result: 'failed', reason: wrong }
    const verdicts = [first]
    for (const [name, check] of Object.entries(CHECKS)) verdicts.push(await judge(name, check, wire, manifest))
    return { manifest, verdicts }
  } finally {
    wire.close()
  }
}

function manifestFault(status: number | null, answer: object | undefined, reason: string | null): string | undefined {
  if (status !== 200) return status === null ? `it does not answer: ${reason}` : `it answers ${status}`
  const wrong = answer === undefined ? 'it is no JSON object' : findWrong(answer)?.message
  if (wrong !== undefined) return wrong
  const words = (answer as Manifest).capabilities.filter((word) => !isCapability(word))
  return words.length === 0 ? undefined : `nobody knows the capabilities ${words.join(', ')}`
}

async function judge(name: string, check: Check, wire: Wire, manifest: Manifest | undefined): Promise<Verdict> {
  const { title, why, run } = check
  if (manifest === undefined) return { name, title, why, result: 'skipped', reason: 'there is no manifest' }
  try {
    await run(wire, manifest)
    return { name, title, why, result: 'passed' }
  } catch (error) {
    if (error instanceof Failed) return { name, title, why, result: 'failed', reason: error.message }
    if (error instanceof Skipped) return { name, title, why, result: 'skipped', reason: error.message }
    throw error
  }
}
