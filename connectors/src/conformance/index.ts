import type { Clock } from '@kobo/gateway/kernel/clock.ts'
import type { Hidden } from '@kobo/gateway/kernel/hidden.ts'
import { compileCheck } from '@kobo/gateway/platform/http/validation.ts'
import { isCapability, MANIFEST, Manifest } from '@kobo/gateway/rails/protocol/index.ts'
import { CHECKS, type Check, Failed, Skipped } from './checks.ts'
import { openWire, type Wire } from './wire.ts'

export interface Verdict {
  readonly name: string
  readonly title: string
  readonly why: string
  readonly result: 'passed' | 'failed' | 'skipped'
  /** The finding, or the reason why the check could not run. */
  readonly reason?: string
}

export interface ConformanceReport {
  /** The adapter's manifest, if it has one. */
  readonly manifest: Manifest | undefined
  readonly verdicts: readonly Verdict[]
}

/** Requirements that the conformance test cannot check from outside. */
export const NOT_SEEN = [
  'that no adapter log contains a card number, PIN, BVN or secret',
  'that it reports unknown if its partner does not respond, returns an HTML page, or returns an undocumented code',
  'that it notifies Kobo of every credit until Kobo returns 200',
  'that session ids stay unique when their counters restart',
] as const

const findWrong = compileCheck(Manifest, 'body')

const MANIFEST_CHECK = {
  name: MANIFEST,
  title: 'It returns a manifest of protocol version 2',
  why: 'Without one, Kobo uses protocol version 1: responses are not signed, and no accounts are opened.',
}

interface Options {
  /** The adapter's URL without a trailing slash. */
  readonly url: string
  readonly secret: Hidden<string>
  readonly wall: Clock
  readonly timeoutMilliseconds: number
}

/** Runs the conformance test on an adapter. Sends money only to the test accounts and cards that its manifest names. */
export async function checkAdapter(options: Options): Promise<ConformanceReport> {
  const wire = openWire(options)
  try {
    const { status, response, reason } = await wire.request(MANIFEST, {})
    const wrong = manifestFault(status, response, reason)
    const manifest = wrong === undefined ? (response as unknown as Manifest) : undefined
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

function manifestFault(status: number | null, response: object | undefined, reason: string | null): string | undefined {
  if (status !== 200) return status === null ? `it does not respond: ${reason}` : `it returns ${status}`
  const wrong = response === undefined ? 'it is not a JSON object' : findWrong(response)?.message
  if (wrong !== undefined) return wrong
  const words = (response as Manifest).capabilities.filter((word) => !isCapability(word))
  return words.length === 0 ? undefined : `unknown capabilities: ${words.join(', ')}`
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
