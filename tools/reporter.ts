// Shows tests as Node's `spec` reporter does, and ends with a summary: the skipped tests with their reasons, and the
// slowest tests.
import { availableParallelism } from 'node:os'
import process from 'node:process'
import { Readable } from 'node:stream'
import type { TestEvent } from 'node:test/reporters'
import { spec } from 'node:test/reporters'

const MACHINE = `${process.platform} ${process.arch}, ${availableParallelism()} cores, Node ${process.versions.node}`
/** The same text as in gateway/test/harness/slow.ts. */
const SLOW = 'slow'
const isShort = (): boolean => process.env['KOBO_TEST_SHORT'] !== undefined
/** A longer test should be marked as slow. */
const MILLISECONDS_MAX = 5_000
const NAMED_MAX = 20
/** Tests that are marked as slow or long are defined in these files. */
const SLOW_FILE = /[\\/]harness[\\/]slow\.ts$/
const MARKED_FILE = /[\\/]harness[\\/](slow|long)\.ts$/

interface Seen {
  /** How many tests were skipped, by the reason. */
  readonly skipped: Map<string, number>
  /** Tests that took too long and are not marked. */
  readonly unmarked: { readonly name: string; readonly milliseconds: number }[]
  slowRun: number
  sum: string
}

export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const seen: Seen = { skipped: new Map(), unmarked: [], slowRun: 0, sum: 'The tests did not run to the end.' }
  async function* watch(): AsyncGenerator<TestEvent> {
    for await (const event of events) {
      note(seen, event)
      yield event
    }
  }
  yield* Readable.from(watch()).compose(new spec())
  yield `\n${[...skippedLines(seen), ...unmarkedLines(seen), seen.sum].join('\n')}\n`
}

function note(seen: Seen, { type, data }: TestEvent): void {
  if (type === 'test:summary' && data.file === undefined) {
    // Each file has a summary too.
    const { counts, duration_ms: milliseconds } = data
    const failed = counts.tests - counts.passed - counts.skipped - counts.todo
    seen.sum = `${counts.tests} tests, ${counts.passed} passed, ${failed} failed, ${counts.skipped} skipped, ${inSeconds(milliseconds)} (${MACHINE})`
  }
  if (type !== 'test:pass' && type !== 'test:fail') return
  const { name, file = '', nesting, skip, details } = data
  if (skip !== undefined) {
    const reason = typeof skip === 'string' ? skip : 'no reason given'
    seen.skipped.set(reason, (seen.skipped.get(reason) ?? 0) + 1)
    return
  }
  if (SLOW_FILE.test(file)) seen.slowRun++
  if (nesting === 0 && !MARKED_FILE.test(file) && details.duration_ms > MILLISECONDS_MAX && type === 'test:pass')
    seen.unmarked.push({ name, milliseconds: details.duration_ms })
}

/** The skipped tests, and how to run them. */
function* skippedLines({ skipped, slowRun }: Seen): Generator<string> {
  const slowSkipped = skipped.get(SLOW) ?? 0
  if (slowSkipped > 0) yield `Skipped: ${slowSkipped} slow tests, which npm test -- --all runs.`
  if (slowRun > 0) yield `Added to the short run: ${slowRun} slow tests.`
  for (const [reason, count] of skipped) if (reason !== SLOW) yield `Skipped: ${count} × ${reason}.`
}

/**
 * Lists unmarked tests that take too long, in the short run only. It does not fail, because tests take longer on a busy
 * machine.
 */
function* unmarkedLines({ unmarked }: Seen): Generator<string> {
  if (!isShort() || unmarked.length === 0) return
  yield `Over ${MILLISECONDS_MAX / 1_000} s and not marked as slow (see CONTRIBUTING.md), or the machine was busy:`
  const longest = unmarked.toSorted((one, other) => other.milliseconds - one.milliseconds)
  for (const { name, milliseconds } of longest.slice(0, NAMED_MAX)) yield `  ${inSeconds(milliseconds)}  ${name}`
  if (longest.length > NAMED_MAX) yield `  and ${longest.length - NAMED_MAX} more`
}

const inSeconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`
