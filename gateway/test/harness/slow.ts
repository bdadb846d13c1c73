import process from 'node:process'
import { type TestFn, type TestOptions, test } from 'node:test'

/**
 * Whether this is the short run, the default of `npm test`; `npm test -- --all` and `npm test -- FILE` run everything.
 */
export const isShort = process.env['KOBO_TEST_SHORT'] !== undefined

/** The reason in a report for tests that the short run skips. */
export const SLOW = 'slow'

/** A test that takes over five seconds: the short run skips it. */
export function slow(title: string, fn: TestFn): void
export function slow(title: string, options: TestOptions, fn: TestFn): void
export function slow(title: string, options: TestOptions | TestFn, fn?: TestFn): void {
  const [own, work] = typeof options === 'function' ? [{}, options] : [options, fn]
  void test(title, { ...own, ...(isShort ? { skip: SLOW } : {}) }, work)
}
