import { randomUUID } from 'node:crypto'
import type { Input, Reply } from '@kobo/contract'
import * as contract from '@kobo/contract'
import type { Client } from './harness.ts'

type NewTransaction = Input<typeof contract.initTransaction>['body']

/** A sound request to initialize a transaction, with a reference of its own. */
export const aTransaction = (client: Client, changes: Partial<NewTransaction> = {}): NewTransaction => ({
  amount: 5_000,
  customerName: 'Ada Obi',
  customerEmail: 'ada@example.com',
  paymentReference: `order-${randomUUID()}`,
  paymentDescription: 'Two pairs of shoes',
  currencyCode: 'NGN',
  contractCode: client.credentials.contractCode,
  ...changes,
})

/** A transaction with its virtual account. */
export async function anAccount(
  client: Client,
  changes: Partial<NewTransaction> = {},
): Promise<Reply<typeof contract.initBankTransfer>> {
  const { transactionReference } = await client.call(contract.initTransaction, { body: aTransaction(client, changes) })
  return client.call(contract.initBankTransfer, { body: { transactionReference } })
}

/** The customer pays into an account. */
export const pay = (
  client: Client,
  { bankCode, accountNumber }: { bankCode: string; accountNumber: string },
  amount: number | string,
  sender: Partial<Input<typeof contract.payIntoAccount>['body']> = {},
): Promise<Reply<typeof contract.payIntoAccount>> =>
  client.call(contract.payIntoAccount, { body: { bankCode, accountNumber, amount, ...sender } })
