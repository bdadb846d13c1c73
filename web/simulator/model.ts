export interface Bank {
  readonly code: string
  readonly name: string
}

/** The page's initial data. */
export interface SimulatorPage {
  readonly banks: readonly Bank[]
  /** The default sender. */
  readonly customer: { readonly name: string; readonly accountNumber: string; readonly bankCode: string }
}

/** A transfer sent from this browser tab, and its result. */
export interface Sent {
  readonly sessionId: string
  readonly status: 'ACCEPTED' | 'REJECTED'
  readonly reason: string | null
  readonly amount: number
  readonly accountName: string
  readonly accountNumber: string
  readonly bankCode: string
}

export type Field = 'bankCode' | 'accountNumber' | 'amount' | 'senderName' | 'senderAccountNumber' | 'senderBankCode'

/** The state of the account name: not asked, being looked up, found or unknown. */
export type Owner =
  | { readonly kind: 'none' }
  | { readonly kind: 'asking' }
  | { readonly kind: 'known'; readonly name: string }
  | { readonly kind: 'unknown' }

export interface Model {
  readonly page: SimulatorPage
  readonly fields: Readonly<Record<Field, string>>
  readonly owner: Owner
  readonly busy: boolean
  readonly problem: string | null
  readonly wrong: Partial<Readonly<Record<Field, string>>>
  /** The last transfer, while it is shown. */
  readonly shown: Sent | null
  readonly history: readonly Sent[]
}

export function firstModel(page: SimulatorPage, query: URLSearchParams, history: readonly Sent[]): Model {
  const { customer, banks } = page
  return {
    page,
    fields: {
      bankCode: query.get('bankCode') ?? banks[0]?.code ?? '',
      accountNumber: query.get('accountNumber') ?? '',
      amount: query.get('amount') ?? '',
      senderName: customer.name,
      senderAccountNumber: customer.accountNumber,
      senderBankCode: customer.bankCode,
    },
    owner: { kind: 'none' },
    busy: false,
    problem: null,
    wrong: {},
    shown: null,
    history,
  }
}

export const bankName = ({ page }: Model, code: string): string =>
  page.banks.find((bank) => bank.code === code)?.name ?? code

const REASONS: Readonly<Record<string, string>> = {
  ACCOUNT_NOT_FOUND: 'This account does not exist at this bank.',
  ACCOUNT_EXPIRED: 'The account is closed: its payment has expired, been completed or been cancelled.',
  ACCOUNT_INACTIVE: 'The account is not active.',
  ALREADY_PAID: 'The payment was already paid.',
  UNDER_PAYMENT: 'The merchant accepts the exact amount only.',
  PAYMENT_SOURCE_NOT_ALLOWED: 'The account does not accept money from this sender.',
  LIMIT_EXCEEDED: 'The amount is above the account’s limit.',
}
export const reasonText = (reason: string | null): string => REASONS[reason ?? ''] ?? reason ?? ''
