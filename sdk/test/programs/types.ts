// Compiled against the packed types, never run: valid calls, invalid calls, and equality with the contract.
import { type Api, connect, type EventType, type KoboEvent, type RefusalCode, verifyEvent } from '@kobo/sdk'
import type * as ours from 'kobo-source'

const kobo = connect({ baseUrl: 'https://pay.example.com', apiKey: 'MK_TEST_1', secretKey: 'secret' })

export async function allowed(body: string): Promise<string | undefined> {
  const { content } = await kobo.transactions.search()
  for await (const { transactionReference } of kobo.transactions.search.each({
    paymentStatus: 'PAID',
    from: undefined,
  }))
    if (transactionReference === content[0]?.transactionReference) return transactionReference
  await kobo.subAccounts.create({ subAccounts: [] }, { idempotencyKey: 'one' })
  const event = await verifyEvent(body, new Headers(), { secretKey: 'secret' })
  return event.eventType === 'SUCCESSFUL_TRANSACTION' ? event.eventData.paymentReference : event.eventType
}

export async function refused(): Promise<void> {
  // @ts-expect-error a field is missing
  await kobo.transactions.get({})
  // @ts-expect-error a value that is not in the list
  await kobo.transactions.search({ paymentStatus: 'PAYED' })
  // @ts-expect-error an unknown call
  await kobo.transactions.approve({})
  // @ts-expect-error only calls that return pages have each
  kobo.banks.list.each()
}

/** True if both types are assignable to each other. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false
/** The names of the calls that differ. */
type Differing<A, B> = {
  [K in keyof A | keyof B]: K extends keyof A & keyof B ? (Same<A[K], B[K]> extends true ? never : K) : K
}[keyof A | keyof B]
type DifferingCalls = { [G in keyof Api]: Differing<Api[G], ours.Api[G & keyof ours.Api]> }[keyof Api]

export const calls: [DifferingCalls] extends [never] ? true : DifferingCalls = true
export const groups: Same<keyof Api, keyof ours.Api> = true
export const events: Same<KoboEvent, ours.KoboEvent> = true
export const eventTypes: Same<EventType, ours.KoboEvent['eventType']> = true
export const codes: Same<RefusalCode, ours.RefusalCode> = true
