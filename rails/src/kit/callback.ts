import { setTimeout as pause } from 'node:timers/promises'
import type { Hidden } from '@kobo/gateway/kernel/hidden.ts'
import type { Kobo } from '@kobo/gateway/kernel/money.ts'
import { equalSecrets } from '@kobo/gateway/platform/crypto.ts'
import type { CreditTold, TOLD } from '@kobo/gateway/rails/protocol/index.ts'
import type { Static } from 'typebox'
import type { Call } from '../connector.ts'
import type { Teller } from '../teller.ts'

/** A partner that calls waits no longer for an answer than this; what is told goes on being told meanwhile. */
const PATIENCE_MILLISECONDS = 15_000
const NAME_LENGTH_MAX = 255

/** Whether a call bears the name and password that were agreed, compared in a time that tells nothing of them. */
export function isBasic({ headers }: Call, name: string, password: Hidden<string>): boolean {
  const expected = `Basic ${Buffer.from(`${name}:${password.reveal()}`).toString('base64')}`
  return equalSecrets(headers.authorization ?? '', expected)
}

/** Tells the gateway while a partner waits; undefined where it has not heard yet. Then the partner must call again, and it is told on. */
export async function tellWaiting(
  teller: Teller,
  operation: keyof typeof TOLD,
  notice: object,
  patienceMilliseconds: number = PATIENCE_MILLISECONDS,
): Promise<({ readonly kind?: string } & object) | undefined> {
  const waiting = new AbortController()
  const told = teller.tell(operation, notice)
  const tooLong = pause(patienceMilliseconds, undefined, { signal: waiting.signal, ref: false }).catch(() => undefined)
  const answer = await Promise.race([told, tooLong])
  waiting.abort()
  return answer
}

/** What a partner told of money that arrived. */
export interface Arrival {
  readonly railReference: string
  readonly bankCode: string
  readonly accountNumber: string
  readonly amount: Kobo
  readonly payerName?: string | undefined
  readonly payerAccountNumber?: string | undefined
  readonly payerBankCode?: string | undefined
  readonly narration?: string | undefined
  readonly fee?: Kobo | undefined
  readonly vat?: Kobo | undefined
}

/** A credit as the gateway is told of it. What does not fit is left out: money counts, whatever its sender is called. */
export const creditOf = (arrival: Arrival): Static<typeof CreditTold> => ({
  railReference: arrival.railReference,
  bankCode: arrival.bankCode,
  accountNumber: arrival.accountNumber,
  amount: Number(arrival.amount),
  payer: {
    name: shortened(arrival.payerName),
    accountNumber: fitting(/^\d{10}$/, arrival.payerAccountNumber),
    bankCode: fitting(/^\d{3,6}$/, arrival.payerBankCode),
    bvn: null,
  },
  narration: shortened(arrival.narration),
  ...(arrival.fee === undefined ? {} : { fee: Number(arrival.fee) }),
  ...(arrival.vat === undefined ? {} : { vat: Number(arrival.vat) }),
})

/** Whether a text can name money and an account at all. */
export const isNamed = (railReference: string | undefined, accountNumber: string | undefined): boolean =>
  /^\P{C}{1,128}$/u.test(railReference ?? '') && /^\d{10}$/.test(accountNumber ?? '')

const shortened = (text: string | undefined): string | null =>
  text === undefined || text === '' ? null : text.toWellFormed().replaceAll('\0', '').slice(0, NAME_LENGTH_MAX)
const fitting = (pattern: RegExp, text: string | undefined): string | null =>
  text !== undefined && pattern.test(text) ? text : null
