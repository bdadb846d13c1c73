import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { makeRoles } from '@kobo/gateway/platform/database-roles.ts'
import { startEmbeddedPostgres } from '@kobo/gateway/platform/embedded-postgres/index.ts'
import pg from 'pg'
import { batch } from './batch.ts'
import type { Bench, Finding } from './benchmark.ts'
import { cardCharge } from './card-charge.ts'
import { inboundCredit } from './inbound-credit.ts'
import { initTransaction } from './init-transaction.ts'
import { memory } from './memory.ts'
import { pgbench, startGatewayProcess } from './processes.ts'
import { reservedCredit } from './reserved-credit.ts'
import { settlement } from './settlement.ts'
import { transfers } from './transfers.ts'

const HELP = `Measures Kobo, each figure beside its baseline in the same run, since machines differ and are shared.

Usage: npm run bench                         everything
       npm run bench -- NAME [NAME …]        only these: init-transaction, inbound-credit, reserved-credit, transfers,
                                             batch, card-charge, settlement, memory
       npm run bench -- --seconds 5          how long one round lasts (default 5)
       npm run bench -- --rounds 5           how many rounds; the median counts (default 5)
       npm run bench -- --transactions 1000  how many are settled (default 100000)
       npm run bench -- --help               shows this
`

const BENCHMARKS: Readonly<Record<string, (bench: Bench) => Promise<Finding>>> = {
  'init-transaction': initTransaction,
  'inbound-credit': inboundCredit,
  'reserved-credit': reservedCredit,
  transfers,
  batch,
  'card-charge': cardCharge,
  memory,
  settlement,
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: 'boolean' },
      seconds: { type: 'string', default: '5' },
      rounds: { type: 'string', default: '5' },
      transactions: { type: 'string', default: '100000' },
    },
  })
  const names = positionals.length === 0 ? Object.keys(BENCHMARKS) : positionals
  if (values.help === true || names.some((name) => BENCHMARKS[name] === undefined)) {
    process.stdout.write(HELP)
    return
  }
  const directory = mkdtempSync(join(tmpdir(), 'kobo-bench-'))
  chmodSync(directory, 0o711)
  const server = await startEmbeddedPostgres({ directory: join(directory, 'postgres') }) // durable, as in production
  try {
    await makeRoles(server.url)
    const admin = new pg.Client(server.url)
    await admin.connect()
    await admin.query('create database pgbench')
    await admin.end()
    const pgbenchUrl = server.url.replace('/kobo?', '/pgbench?')
    if ((await pgbench(pgbenchUrl, 1, true)) === undefined)
      process.stdout.write(
        'pgbench is not installed, so figures that are compared with it stand alone (Debian: postgresql-contrib).\n',
      )
    for (const name of names) {
      const gateway = await startGatewayProcess(server.url)
      const progress = (text: string): void => void process.stderr.write(`\r${name}: ${text}`.padEnd(79))
      const bench = {
        databaseUrl: server.url,
        pgbenchUrl,
        seconds: Number(values.seconds),
        rounds: Number(values.rounds),
        transactions: Number(values.transactions),
        gateway,
        progress,
      }
      const finding = await BENCHMARKS[name]?.(bench)
      process.stderr.write('\r'.padEnd(80))
      process.stdout.write(
        `\r${name}\n${Object.entries(finding?.figures ?? {})
          .map(([key, value]) => `  ${key.padEnd(46)} ${value}\n`)
          .join('')}`,
      )
      await gateway.stop()
    }
  } finally {
    await server.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

await main()
