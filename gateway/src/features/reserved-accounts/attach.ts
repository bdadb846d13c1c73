import type { VirtualAccount } from '../../core/account-numbers/index.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { startOfDay } from '../../kernel/dates.ts'
import { invariant } from '../../kernel/errors.ts'
import { reservedAccountErrors } from './errors.ts'
import {
  lockReservedAccount,
  type ReservedAccountRow,
  selectAccountStates,
  updateReservedAccount,
} from './repository.ts'
import { numbersOf } from './service.ts'

/** An account without an open invoice, with its first number. It stays locked until the transaction ends. */
export interface FreeAccount {
  readonly account: ReservedAccountRow
  readonly number: VirtualAccount
}

/** Locks an account of the type INVOICE that has no open invoice; rejects any other. */
export async function lockFreeAccount(
  { tx, at }: UnitOfWork,
  merchantId: bigint,
  accountReference: string,
): Promise<FreeAccount> {
  const account = await lockReservedAccount(tx, merchantId, accountReference)
  if (account === undefined) throw reservedAccountErrors.noSuchAccount()
  if (account.type !== 'INVOICE') throw reservedAccountErrors.notForInvoices()
  const [[number], [state]] = await Promise.all([
    numbersOf(tx, account),
    selectAccountStates(tx, [account], startOfDay(at), at),
  ])
  if (state?.hasOpenInvoice === true) throw reservedAccountErrors.hasOpenInvoice()
  invariant(number !== undefined, 'a reserved account has a number')
  return { account, number }
}

/** Attaches an invoice: the account now collects for this transaction while it is open. */
export const attach = ({ tx }: UnitOfWork, { account }: FreeAccount, transactionId: bigint): void =>
  updateReservedAccount(tx, { ...account, invoiceTransactionId: transactionId })
