import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { lagosDay } from '../../src/kernel/dates.ts'
import { hidden } from '../../src/kernel/hidden.ts'
import { type Kobo, kobo } from '../../src/kernel/money.ts'
import { signQuestion } from '../../src/rails/protocol/index.ts'
import { ownFolder } from './clear-up.ts'
import { testWall } from './clock.ts'
import { type GatewayOptions, gateway, type TestGateway } from './gateway.ts'
import { commandAt } from './processes.ts'
import { asCamt, asCsv, asMt940, CSV_MAPPING, closingOf, type WrittenLine } from './statements.ts'

/** Nobody answers there: these partners only tell. */
const NOBODY = 'http://127.0.0.1:1'
const secretOf = (partner: string): string => `a-secret-of-${partner}`.padEnd(32, '.')

/** A gateway whose partners tell of credits; with the address of those that also carry out orders. */
export function gatewayOf(
  t: TestContext,
  partners: readonly string[],
  options: GatewayOptions = {},
): Promise<TestGateway> {
  const env = {
    KOBO_RAILS_URL: partners.map((one) => `${one}=${NOBODY}`).join(','),
    KOBO_RAILS_SECRET: partners.map((one) => `${one}=${secretOf(one)}`).join(','),
    ...options.env,
  }
  return gateway(t, { ...options, env })
}

/** A partner tells of a credit; answers what it is told. */
export async function tellFrom({ url, core }: TestGateway, partner: string, credit: object): Promise<object> {
  const body = JSON.stringify(credit)
  const { headers } = signQuestion({ secret: hidden(secretOf(partner)) }, core.wall, { operation: 'credits', body })
  const answer = await fetch(`${url}/rails/credits`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  })
  const text = await answer.text()
  assert.equal(answer.status, 200, text)
  return JSON.parse(text)
}

/** How to run commands beside a gateway. */
export function commandsBeside({ databaseUrl, url }: TestGateway) {
  const env = {
    DATABASE_URL: databaseUrl,
    KOBO_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    KOBO_PUBLIC_URL: url,
  }
  const run = (...args: readonly string[]) => commandAt(testWall, env, ...args)
  return {
    run,
    /** Expects success, and answers what was printed. */
    prints: async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await run(...args)
      assert.deepEqual([code, stderr], [0, ''], args.join(' '))
      return stdout.startsWith('[') || stdout.startsWith('{') ? JSON.parse(stdout) : stdout
    },
    /** Expects that it is refused, for a reason. */
    refuses: async (reason: RegExp, ...args: readonly string[]) => {
      const { code, stderr } = await run(...args)
      assert.equal(code, 2, args.join(' '))
      assert.match(stderr, reason)
    },
  }
}

const FORMATS = { camt: asCamt, mt940: asMt940, csv: asCsv }

/** A bank of the tests: it has what its lines say, and writes statements of them. */
export function bankOfTests(account: string, { core }: TestGateway) {
  let lines: WrittenLine[] = []
  let opening = kobo(0n)
  let had = 0n
  const folder = ownFolder(`bank-${account}`)
  return {
    /** Books something today, unless it is said otherwise. */
    book: (line: Omit<WrittenLine, 'day'> & { readonly day?: number }): void => {
      lines.push({ day: lagosDay(core.clock.now()), ...line })
      had += line.amount
    },
    /** What it has of all that it ever booked. */
    had: (): Kobo => kobo(had),
    /** A file that says how its CSV is read. */
    mapping: (): string => {
      const file = join(folder, 'mapping.json')
      writeFileSync(file, JSON.stringify(CSV_MAPPING))
      return file
    },
    /** Writes what was booked since the last statement up to the end of a day into a file; answers its name. */
    write: (lastDay: number, format: keyof typeof FORMATS = 'camt'): string => {
      const told = lines.filter(({ day }) => day <= lastDay)
      const statement = { account, opening, lastDay, lines: told }
      const file = join(folder, `${account}-${lastDay}-${told.length}.${format}`)
      writeFileSync(file, FORMATS[format](statement))
      opening = closingOf(statement)
      lines = lines.filter(({ day }) => day > lastDay)
      return file
    },
  }
}
