// Imported by a program before anything else: sets the clock of its machine ahead, as far as the program can see.
const ahead = Number(process.env['KOBO_TEST_CLOCK_AHEAD_SECONDS']) * 1_000
const RealDate = Date

globalThis.Date = new Proxy(RealDate, {
  construct: (date, args) => Reflect.construct(date, args.length === 0 ? [RealDate.now() + ahead] : args),
  get: (date, name, receiver) => (name === 'now' ? () => RealDate.now() + ahead : Reflect.get(date, name, receiver)),
})
