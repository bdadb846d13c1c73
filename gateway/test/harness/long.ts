import { type TestFn, type TestOptions, test } from 'node:test'

/** A test that takes over five seconds, but is part of every run: the short run has no other test of this kind. */
export function long(title: string, fn: TestFn): void
export function long(title: string, options: TestOptions, fn: TestFn): void
export function long(title: string, options: TestOptions | TestFn, fn?: TestFn): void {
  void (typeof options === 'function' ? test(title, options) : test(title, options, fn))
}
