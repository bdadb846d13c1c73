import * as contract from '@kobo/contract'
import { type Bench, type Finding, median } from './benchmark.ts'
import { type LoadResult, load } from './load.ts'
import { aTransaction, login } from './merchant.ts'
import { pgbench } from './processes.ts'

const CONNECTIONS = 64
const TRANSACTIONS_A_ROUND = 20_000
/** As many customers, each with a card of its own. */
const CARDS = 5_000

/** Card charges to PAID (intention, sandbox network, outcome with payment, journal, balances and event), beside PostgreSQL's own TPC-B. */
export async function cardCharge({ gateway, pgbenchUrl, seconds, rounds, progress }: Bench): Promise<Finding> {
  const merchant = await login(gateway)
  const charges: LoadResult[] = []
  const baselines: number[] = []
  for (let n = 1; n <= rounds; n++) {
    progress(`round ${n} of ${rounds}: opening transactions`)
    const references = await openTransactions(`card-round-${n}`)
    progress(`round ${n} of ${rounds}: charging`)
    charges.push(
      await load({
        url: gateway.url,
        connections: CONNECTIONS,
        requestsMax: references.length,
        secondsMax: seconds,
        request: (nth) =>
          merchant.request(contract.chargeCard, {
            body: {
              transactionReference: references[nth] ?? '',
              collectionChannel: 'API_NOTIFICATION',
              card: { number: cardNumber(nth % CARDS), pin: '1234', expiryMonth: '12', expiryYear: '2099', cvv: '123' },
            },
          }),
        onAnswer: (_, body) => {
          if (!body.includes('"SUCCESS"')) throw new Error(body)
        },
      }),
    )
    progress(`round ${n} of ${rounds}: pgbench`)
    const tps = await pgbench(pgbenchUrl, seconds, false)
    if (tps !== undefined) baselines.push(tps)
  }
  const ratios = charges.flatMap(({ perSecond }, n) => (baselines[n] === undefined ? [] : perSecond / baselines[n]))
  return {
    name: 'card-charge',
    figures: {
      'pgbench TPC-B (prepared, 16 clients), a second':
        baselines.length === 0 ? 'not measured' : median(baselines).toFixed(0),
      'card charges to PAID, a second': median(charges.map(({ perSecond }) => perSecond)).toFixed(0),
      ratio: ratios.length === 0 ? 'not measured' : median(ratios).toFixed(2),
      'p50 / p99 of a charge, milliseconds': `${median(charges.map(({ p50Milliseconds }) => p50Milliseconds)).toFixed(1)} / ${median(charges.map(({ p99Milliseconds }) => p99Milliseconds)).toFixed(1)}`,
    },
  }

  async function openTransactions(name: string): Promise<readonly string[]> {
    const references: string[] = []
    await load({
      url: gateway.url,
      connections: CONNECTIONS,
      requestsMax: TRANSACTIONS_A_ROUND,
      secondsMax: 120,
      request: (nth) =>
        merchant.request(contract.initTransaction, aTransaction(gateway.credentials.contractCode, `${name}-${nth}`)),
      onAnswer: (_, body) => references.push(JSON.parse(body).responseBody.transactionReference),
    })
    return references
  }
}

/** A number that passes Luhn's check, and no two are the same. */
function cardNumber(nth: number): string {
  const digits = `411112${String(nth).padStart(9, '0')}`
  const total = [...digits].reverse().reduce((sum, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 2 : 1)
    return sum + (value > 9 ? value - 9 : value)
  }, 0)
  return digits + String((10 - (total % 10)) % 10)
}
