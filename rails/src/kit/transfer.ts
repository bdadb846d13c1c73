import type { Kobo } from '@kobo/gateway/kernel/money.ts'
import type { Trial } from '@kobo/gateway/rails/protocol/index.ts'
import type { PartnerSetting } from '../connector.ts'
import { type Codes, meaningOf } from './codes.ts'

const SESSION_LENGTH_MAX = 64
const NARRATION_LENGTH_MAX = 100

/** What a partner said of a transfer. */
export interface SaidOfTransfer {
  readonly code: string | undefined
  readonly sessionId: string | undefined
  readonly message: string | undefined
  /** How much it says that it has sent, where it does. */
  readonly amount?: Kobo | undefined
}

/** What a partner's code says of a transfer: a success has a name, and whatever is not listed as failed is unknown. */
export function outcomeOf(codes: Codes, { code, sessionId, message, amount }: SaidOfTransfer) {
  const meaning = meaningOf(codes, code)
  if (meaning === 'failed') return { kind: 'failed', reason: message || `The bank answered ${code}` } as const
  if (meaning !== 'succeeded' || !sessionId) return { kind: 'unknown' } as const
  const told = amount === undefined ? {} : { amount: Number(amount) }
  return { kind: 'succeeded', sessionId: sessionId.slice(0, SESSION_LENGTH_MAX), ...told } as const
}

/** A narration as banks take it: letters, digits and little else, and no more than they show. */
export const narrationOf = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9 .,/-]+/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, NARRATION_LENGTH_MAX)

const TRIAL = /^(\d{3,6})\/(\d{10})$/

/** An account at the partner's test system, for the trial. */
export const TRIAL_SETTING: PartnerSetting = {
  name: 'TRIAL_ACCOUNT',
  help: 'An account of the partner’s test system that the trial may send to, as 058/0123456789',
  standard: '',
  whyNot: (text) =>
    text === '' || TRIAL.test(text) ? undefined : 'must be a bank code and an account number, as 058/0123456789',
}

/** What the trial may send to; nothing where no account is named. */
export function trialTransfer(setting: string): Pick<Trial, 'transfer'> {
  const [, bankCode, accountNumber] = TRIAL.exec(setting) ?? []
  if (bankCode === undefined || accountNumber === undefined) return {}
  return { transfer: { bankCode, accountNumber, unreachedBankCode: '999' } }
}
