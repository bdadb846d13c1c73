export interface Bank {
  readonly code: string
  readonly name: string
}

/** What the page starts from. */
export interface SimulatorPage {
  readonly banks: readonly Bank[]
  /** From whose account is paid where nobody says otherwise. */
  readonly customer: { readonly name: string; readonly accountNumber: string; readonly bankCode: string }
}

/** A transfer of this session, and what came of it. */
export interface Sent {
  readonly sessionId: string
  readonly status: 'ACCEPTED' | 'REJECTED'
  readonly reason: string | null
  readonly amount: number
  readonly accountName: string
  readonly accountNumber: string
  readonly bankCode: string
  readonly sentOn: number
}

export type Field = 'bankCode' | 'accountNumber' | 'amount' | 'senderName' | 'senderAccountNumber' | 'senderBankCode'

/** Whose account it is, as far as the bank has said. */
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
  /** The transfer that was sent last, while it is shown. */
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

/** Why money came back, in words. */
const REASONS: Readonly<Record<string, string>> = {
  ACCOUNT_NOT_FOUND: 'There is no such account at this bank.',
  ACCOUNT_EXPIRED: 'The account takes no money any more: its payment has expired, ended or been cancelled.',
  ACCOUNT_INACTIVE: 'The account is not active.',
  ALREADY_PAID: 'The payment has been paid already.',
  UNDER_PAYMENT: 'The merchant takes the exact amount only.',
  PAYMENT_SOURCE_NOT_ALLOWED: 'The account does not take money from this sender.',
  LIMIT_EXCEEDED: 'It is more than the account may receive.',
}
export const reasonText = (reason: string | null): string => REASONS[reason ?? ''] ?? reason ?? ''
