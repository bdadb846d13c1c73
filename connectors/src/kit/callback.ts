import { setTimeout as pause } from 'node:timers/promises'
import { fromDateTime } from '@kobo/gateway/kernel/dates.ts'
import type { Hidden } from '@kobo/gateway/kernel/hidden.ts'
import type { Kobo } from '@kobo/gateway/kernel/money.ts'
import { startOf } from '@kobo/gateway/kernel/texts.ts'
import { equalSecrets } from '@kobo/gateway/platform/crypto.ts'
import type { CreditNotification, NOTIFICATIONS } from '@kobo/gateway/rails/protocol/index.ts'
import type { Static } from 'typebox'
import type { Call } from '../connector.ts'
import type { Notifier } from '../notifier.ts'

/** The longest time that a partner's call waits for the gateway. The notification then continues in the background. */
const PATIENCE_MILLISECONDS = 15_000
const NAME_LENGTH_MAX = 255

/** Whether a call has the agreed name and password, compared in constant time. */
export function isBasic({ headers }: Call, name: string, password: Hidden<string>): boolean {
  const expected = `Basic ${Buffer.from(`${name}:${password.reveal()}`).toString('base64')}`
  return equalSecrets(headers.authorization ?? '', expected)
}

/**
 * Notifies the gateway while the partner waits. If the gateway does not respond in time, this returns undefined and
 * continues in the background. The partner must then call again.
 */
export async function notifyAndWait(
  notifier: Notifier,
  operation: keyof typeof NOTIFICATIONS,
  notice: object,
  patienceMilliseconds: number = PATIENCE_MILLISECONDS,
): Promise<({ readonly kind?: string } & object) | undefined> {
  const waiting = new AbortController()
  const outcome = notifier.notify(operation, notice)
  const tooLong = pause(patienceMilliseconds, undefined, { signal: waiting.signal, ref: false }).catch(() => undefined)
  const response = await Promise.race([outcome, tooLong])
  waiting.abort()
  return response
}

/** A credit as reported by a partner. */
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
  /**
   * When the money arrived, as the partner wrote it; in Lagos time if it has no zone. The time decides who gets the
   * money, because banks reassign account numbers.
   */
  readonly arrivedAt?: string | undefined
}

/**
 * Returns the notification of a credit. It leaves out invalid optional values, so that a credit is never rejected
 * because of them.
 */
export function creditOf(arrival: Arrival): Static<typeof CreditNotification> {
  const arrivedAt = fromDateTime(arrival.arrivedAt ?? '')
  return {
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
    ...(arrivedAt === undefined ? {} : { arrivedAt: arrivedAt.toISOString() }),
  }
}

/** Whether a credit has a valid reference and account number. */
export const isNamed = (railReference: string | undefined, accountNumber: string | undefined): boolean =>
  /^\P{C}{1,128}$/u.test(railReference ?? '') && /^\d{10}$/.test(accountNumber ?? '')

const shortened = (text: string | undefined): string | null =>
  text === undefined || text === '' ? null : startOf(text, NAME_LENGTH_MAX)
const fitting = (pattern: RegExp, text: string | undefined): string | null =>
  text !== undefined && pattern.test(text) ? text : null
