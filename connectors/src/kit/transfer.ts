import type { Kobo } from '@kobo/gateway/kernel/money.ts'
import type { Trial } from '@kobo/gateway/rails/protocol/index.ts'
import type { PartnerSetting } from '../connector.ts'
import { type Codes, meaningOf } from './codes.ts'

const SESSION_LENGTH_MAX = 64
const NARRATION_LENGTH_MAX = 100

/** A partner's response about a transfer. */
export interface TransferResponse {
  readonly code: string | undefined
  readonly sessionId: string | undefined
  readonly message: string | undefined
  /** The amount that the partner reports as sent, if any. */
  readonly amount?: Kobo | undefined
}

/** Returns a transfer's outcome by the partner's code. It is unknown without a listed code, or without a session id. */
export function outcomeOf(codes: Codes, { code, sessionId, message, amount }: TransferResponse) {
  const meaning = meaningOf(codes, code)
  if (meaning === 'failed') return { kind: 'failed', reason: message || `The bank returned code ${code}` } as const
  if (meaning !== 'succeeded' || !sessionId) return { kind: 'unknown' } as const
  const details = amount === undefined ? {} : { amount: Number(amount) }
  return { kind: 'succeeded', sessionId: sessionId.slice(0, SESSION_LENGTH_MAX), ...details } as const
}

/** Returns a narration that banks accept: letters, digits and a few signs, and at most as long as banks show. */
export const narrationOf = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9 .,/-]+/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, NARRATION_LENGTH_MAX)

const TRIAL = /^(\d{3,6})\/(\d{10})$/

/** The setting for an account on the partner's test system, which the conformance test sends to. */
export const TRIAL_SETTING: PartnerSetting = {
  name: 'TRIAL_ACCOUNT',
  help: 'An account on the partner’s test system that the trial may send to, for example 058/0123456789',
  standard: '',
  whyNot: (text) =>
    text === '' || TRIAL.test(text) ? undefined : 'must be a bank code and an account number, such as 058/0123456789',
}

/** Returns the destination of the conformance test's transfers, if an account is configured. */
export function trialTransfer(setting: string): Pick<Trial, 'transfer'> {
  const [, bankCode, accountNumber] = TRIAL.exec(setting) ?? []
  if (bankCode === undefined || accountNumber === undefined) return {}
  return { transfer: { bankCode, accountNumber, unreachedBankCode: '999' } }
}
