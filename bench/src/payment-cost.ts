import * as contract from '@kobo/contract'
import type { PlainBenchmark } from './benchmark.ts'
import { costOf, openCostMeter, type Stored } from './cost.ts'
import { openPayable, payInto } from './credits.ts'
import { delivered } from './events.ts'
import { login } from './merchant.ts'
import { startReceiver } from './processes.ts'

const PAYMENTS = 20_000
/** Payments made before measuring, so that the first pages of each table's file are not counted. */
const PAYMENTS_BEFORE = 2_000
const TABLES_SHOWN = 10

/**
 * Measures the cost of a whole payment by bank transfer: creating it, opening its account number, crediting it, and
 * delivering its event.
 */
export const paymentCost: PlainBenchmark = async ({ gateway, databaseUrl, progress }) => {
  const merchant = await login(gateway)
  const receiver = await startReceiver()
  const meter = await openCostMeter(databaseUrl)
  const pay = async (name: string, count: number): Promise<void> => {
    const expected = (await receiver.count()) + count
    const accounts = await openPayable(gateway, merchant, name, count)
    await payInto(gateway, accounts, { requestsMax: count })
    await delivered(receiver, expected)
  }
  try {
    await merchant.call(contract.changeSettings, { body: { webhookUrl: receiver.url } })
    await pay('cost-before', PAYMENTS_BEFORE)
    const [spent, stored] = [await meter.spent(gateway.processId), await meter.stored()]
    progress(`${PAYMENTS} payments`)
    await pay('cost', PAYMENTS)
    const cost = costOf(spent, await meter.spent(gateway.processId), PAYMENTS)
    const grown = growth(stored, await meter.stored())
    const sum = (of: (one: Stored) => number): string =>
      (grown.reduce((total, one) => total + of(one), 0) / PAYMENTS).toFixed(0)
    return {
      ...(cost === undefined
        ? {}
        : {
            'processor of gateway / PostgreSQL each, µs': `${cost.gatewayMicroseconds.toFixed(0)} / ${cost.postgresMicroseconds.toFixed(0)}`,
            'WAL each, bytes': cost.walBytes.toFixed(0),
          }),
      'stored each in tables / indexes, bytes': `${sum(({ tableBytes }) => tableBytes)} / ${sum(({ indexBytes }) => indexBytes)}`,
      'of that, by table': grown
        .slice(0, TABLES_SHOWN)
        .map(({ table, ...one }) => `${table} ${(bytesOf(one) / PAYMENTS).toFixed(0)}`)
        .join(', '),
    }
  } finally {
    await meter.close()
    await receiver.stop()
  }
}

const bytesOf = ({ tableBytes, indexBytes }: Omit<Stored, 'table'>): number => tableBytes + indexBytes

/** Returns how much each table has grown, the largest growth first. */
function growth(before: readonly Stored[], after: readonly Stored[]): readonly Stored[] {
  const were = new Map(before.map((one) => [one.table, one]))
  return after
    .map(({ table, tableBytes, indexBytes }) => ({
      table,
      tableBytes: tableBytes - (were.get(table)?.tableBytes ?? 0),
      indexBytes: indexBytes - (were.get(table)?.indexBytes ?? 0),
    }))
    .sort((a, b) => bytesOf(b) - bytesOf(a))
}
