import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Clock } from '../../src/kernel/clock.ts'
import { lagosDay } from '../../src/kernel/dates.ts'
import { hidden } from '../../src/kernel/hidden.ts'
import { type Kobo, kobo } from '../../src/kernel/money.ts'
import { signRequest } from '../../src/rails/protocol/index.ts'
import { ownFolder } from './clear-up.ts'
import { testWall } from './clock.ts'
import { type GatewayOptions, gateway, type TestGateway } from './gateway.ts'
import { commandAt } from './processes.ts'
import { asCamt, asCsv, asMt940, CSV_MAPPING, closingOf, type WrittenLine } from './statements.ts'

/** An address without a server: these partners only notify. */
const NO_SERVER = 'http://127.0.0.1:1'
/** The secret between a gateway and a partner. */
export const secretOf = (partner: string): string => `a-secret-of-${partner}`.padEnd(32, '.')

/** A gateway whose partners report credits; with a URL, they also run orders. */
export function gatewayOf(
  t: TestContext,
  partners: readonly string[],
  options: GatewayOptions = {},
): Promise<TestGateway> {
  const env = {
    KOBO_RAILS_URL: partners.map((one) => `${one}=${NO_SERVER}`).join(','),
    KOBO_RAILS_SECRET: partners.map((one) => `${one}=${secretOf(one)}`).join(','),
    ...options.env,
  }
  return gateway(t, { ...options, env })
}

/** A partner reports a credit; returns the gateway's response. */
export const reportCreditFrom = (shop: TestGateway, partner: string, credit: object): Promise<object> =>
  reportFrom(shop, partner, 'credits', credit)

/** A partner notifies the gateway; returns its response. */
export async function reportFrom(
  { url, core }: TestGateway,
  partner: string,
  operation: string,
  notice: object,
): Promise<object> {
  const body = JSON.stringify(notice)
  const { headers } = signRequest({ secret: hidden(secretOf(partner)) }, core.wall, { operation, body })
  const response = await fetch(`${url}/rails/${operation}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  })
  const text = await response.text()
  assert.equal(response.status, 200, text)
  return JSON.parse(text)
}

/** Runs commands next to a gateway. */
export function commandsFor({ databaseUrl, url }: TestGateway, further: NodeJS.ProcessEnv = {}) {
  const env = {
    DATABASE_URL: databaseUrl,
    KOBO_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    KOBO_PUBLIC_URL: url,
    ...further,
  }
  const run = (...args: readonly string[]) => commandAt(testWall, env, ...args)
  return {
    run,
    /** Expects success and returns the output. */
    prints: async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await run(...args)
      assert.deepEqual([code, stderr], [0, ''], args.join(' '))
      return stdout.startsWith('[') || stdout.startsWith('{') ? JSON.parse(stdout) : stdout
    },
    /** Expects an error with this reason. */
    refuses: async (reason: RegExp, ...args: readonly string[]) => {
      const { code, stderr } = await run(...args)
      assert.equal(code, 2, args.join(' '))
      assert.match(stderr, reason)
    },
  }
}

const FORMATS = { camt: asCamt, mt940: asMt940, csv: asCsv }

/** A bank for tests: its balance is the sum of its lines, and it writes statements of them. */
export function testBank(account: string, { core }: { readonly core: { readonly clock: Clock } }) {
  let lines: WrittenLine[] = []
  let opening = kobo(0n)
  let had = 0n
  const folder = ownFolder(`bank-${account}`)
  return {
    /** Adds a line, of today by default. */
    addLine: (line: Omit<WrittenLine, 'day'> & { readonly day?: number }): void => {
      lines.push({ day: lagosDay(core.clock.now()), ...line })
      had += line.amount
    },
    /** Its balance over all lines. */
    had: (): Kobo => kobo(had),
    /** A file that describes the columns of its CSV. */
    mapping: (): string => {
      const file = join(folder, 'mapping.json')
      writeFileSync(file, JSON.stringify(CSV_MAPPING))
      return file
    },
    /** Writes the lines since the last statement, up to the end of a day, into a file; returns its name. */
    write: (lastDay: number, format: keyof typeof FORMATS = 'camt'): string => {
      const reported = lines.filter(({ day }) => day <= lastDay)
      const statement = { account, opening, lastDay, lines: reported }
      const file = join(folder, `${account}-${lastDay}-${reported.length}.${format}`)
      writeFileSync(file, FORMATS[format](statement))
      opening = closingOf(statement)
      lines = lines.filter(({ day }) => day > lastDay)
      return file
    },
  }
}
