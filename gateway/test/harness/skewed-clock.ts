// Imported by a program before anything else: for this program only, the machine's clock is ahead of real time.
import { readFileSync } from 'node:fs'

const { KOBO_TEST_CLOCK_AHEAD_SECONDS: fixed, KOBO_TEST_CLOCK_FILE: file } = process.env
const RealDate = Date
/** Read from a file each time, so that a test can change it while the program runs. */
const now = (): number => RealDate.now() + Number(file === undefined ? fixed : readFileSync(file, 'utf8')) * 1_000

globalThis.Date = new Proxy(RealDate, {
  construct: (date, args) => Reflect.construct(date, args.length === 0 ? [now()] : args),
  get: (date, name, receiver) => (name === 'now' ? now : Reflect.get(date, name, receiver)),
})
