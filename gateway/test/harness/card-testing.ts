import * as contract from '@kobo/contract'
import type { Client } from './gateway.ts'
import type { ApiResponse } from './responses.ts'
import { aCard, aTransaction, checkoutReferenceOf } from './samples.ts'

/** A gateway that blocks addresses, cards and BINs with many declines, and trusts a proxy's X-Forwarded-For. */
export const GUARDED = { KOBO_CARD_TESTING_GUARD: 'on', KOBO_TRUSTED_PROXIES: '127.0.0.1' }

let made = 0

/** Creates a new card number that passes Luhn's check. */
export function anotherNumber(bin = '539983'): string {
  const body = bin + String(made++).padStart(9, '0')
  const sum = [...body].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return body + String((10 - (sum % 10)) % 10)
}

/** Creates a card with a wrong PIN, which its issuer declines. */
export const declined = (number: string) => aCard(number, { pin: '0000' })

/** A payer at an IP address enters a card into the form of a new payment. */
export async function payFrom(client: Client, address: string, card: object): Promise<ApiResponse> {
  const { checkoutUrl } = await client.call(contract.initTransaction, { body: aTransaction(client) })
  const params = { checkoutReference: checkoutReferenceOf(checkoutUrl) }
  const { method, path } = contract.checkoutCard
  const headers = { 'x-forwarded-for': address, authorization: '' }
  return client.send(method, contract.pathOf(path, params), { headers, body: { card } })
}
