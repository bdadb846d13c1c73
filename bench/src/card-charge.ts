import * as contract from '@kobo/contract'
import type { Race } from './benchmark.ts'
import { comparedWithPgbench, TPC_B } from './beside-pgbench.ts'
import { callOften } from './credits.ts'
import { load } from './load.ts'
import { aTransaction, login } from './merchant.ts'

const CONNECTIONS = 64
const TRANSACTIONS_A_SECOND = 4_000
/** The number of customers, each with a card. */
const CARDS = 5_000

/** Measures card charges to PAID, compared with TPC-B. Each stores an order, a payment, a journal and an event. */
export const cardCharge: Race = {
  baseline: TPC_B,
  ours: 'card charges to PAID',
  open: async (bench) => {
    const { gateway, seconds } = bench
    const merchant = await login(gateway)
    let references: readonly string[] = []
    return comparedWithPgbench(bench, {
      prepare: async (n) => {
        const { contractCode } = gateway.credentials
        const count = Math.ceil(TRANSACTIONS_A_SECOND * seconds)
        const opened = await callOften(gateway, merchant, count, contract.initTransaction, (nth) =>
          aTransaction(contractCode, `card-${n}-${nth}`),
        )
        references = opened.map(({ transactionReference }) => transactionReference)
      },
      ours: () =>
        load({
          url: gateway.url,
          connections: CONNECTIONS,
          requestsMax: references.length,
          secondsMax: seconds,
          request: (nth) => merchant.request(contract.chargeCard, { body: chargeOf(references[nth] ?? '', nth) }),
          onResponse: (_, body) => {
            if (!body.includes('"SUCCESS"')) throw new Error(body)
          },
        }),
    })
  },
}

/** Returns the nth charge. A card is used again only after all other cards. */
export const chargeOf = (
  transactionReference: string,
  nth: number,
): contract.Input<typeof contract.chargeCard>['body'] => ({
  transactionReference,
  collectionChannel: 'API_NOTIFICATION',
  card: { number: cardNumber(nth % CARDS), pin: '1234', expiryMonth: '12', expiryYear: '2099', cvv: '123' },
})

/** Returns a card number that passes the Luhn check, different for each `nth`. */
function cardNumber(nth: number): string {
  const digits = `411112${String(nth).padStart(9, '0')}`
  const total = [...digits].reverse().reduce((sum, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 2 : 1)
    return sum + (value > 9 ? value - 9 : value)
  }, 0)
  return digits + String((10 - (total % 10)) % 10)
}
