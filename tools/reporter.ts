// How `npm test` shows tests: as Node's own `spec` reporter does, and at the very end one line that sums up.
import { availableParallelism } from 'node:os'
import process from 'node:process'
import { Readable } from 'node:stream'
import type { TestEvent } from 'node:test/reporters'
import { spec } from 'node:test/reporters'

const MACHINE = `${process.platform} ${process.arch}, ${availableParallelism()} cores, Node ${process.versions.node}`

export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  let sum = 'The tests did not come to their end.'
  async function* watch(): AsyncGenerator<TestEvent> {
    for await (const event of events) {
      // Each file has a summary too.
      if (event.type === 'test:summary' && event.data.file === undefined) {
        const { counts, duration_ms: milliseconds } = event.data
        const failed = counts.tests - counts.passed - counts.skipped - counts.todo
        sum = `${counts.tests} tests, ${counts.passed} passed, ${failed} failed, ${(milliseconds / 1_000).toFixed(1)} s (${MACHINE})`
      }
      yield event
    }
  }
  yield* Readable.from(watch()).compose(new spec())
  yield `\n${sum}\n`
}
