import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Input, Reply } from '@kobo/contract'
import * as contract from '@kobo/contract'
import { verifyLedger } from '../../src/app/ledger.ts'
import { BALANCES, isClean } from '../../src/core/money/ledger/index.ts'
import type { Client, Shop } from './gateway.ts'
import { anAccount, pay } from './samples.ts'
import { until } from './until.ts'

export type NewRefund = Input<typeof contract.initiateRefund>['body']
export type Refund = Reply<typeof contract.getRefund>

export const aRefund = (transactionReference: string, changes: Partial<NewRefund> = {}): NewRefund => ({
  transactionReference,
  refundAmount: 1_000,
  refundReference: `refund-${randomUUID()}`,
  refundReason: 'Wrong size',
  customerNote: 'Sorry!',
  ...changes,
})

export const OPENING_BALANCE = 10_000_000
const GOOD = { senderName: 'BOLA ADE', senderAccountNumber: '0123452190', senderBankCode: '058' }

/** A payment by transfer from an account, in full by default. */
export async function paid(
  client: Client,
  amount: number,
  paidAmount: number | string = amount,
  senderAccountNumber = '0123452190',
) {
  const account = await anAccount(client, { amount })
  assert.equal((await pay(client, account, paidAmount, { ...GOOD, senderAccountNumber })).status, 'ACCEPTED')
  return account.transactionReference
}

export const refund = (
  client: Client,
  transactionReference: string,
  changes: Partial<NewRefund> = {},
): Promise<Refund> => client.call(contract.initiateRefund, { body: aRefund(transactionReference, changes) })

/** An account other than the payer's. */
export const ELSEWHERE = { destinationAccountNumber: '2087654321', destinationAccountBankCode: '044' }

/** Waits until a refund has this status, and returns it. */
export async function refundWithStatus(
  client: Client,
  { refundReference }: Pick<Refund, 'refundReference'>,
  status: string,
): Promise<Refund> {
  let record: Refund | undefined
  await until(`refund ${refundReference} is ${status}`, async () => {
    record = await client.call(contract.getRefund, { params: { refundReference } })
    return record.refundStatus === status
  })
  return record as Refund
}

export const balances = async (client: Client): Promise<readonly [number, number]> => {
  const { availableBalance, ledgerBalance } = await client.call(contract.getCustomerWalletBalance, {
    query: { accountNumber: client.credentials.walletAccountNumber },
  })
  return [availableBalance, ledgerBalance]
}

/** Expects that no money is left in transit between the wallet and the customer, and that the ledger balances. */
export async function checkLedger({ db, credentials }: Shop): Promise<void> {
  const inFlight = `in-flight/${credentials.walletAccountNumber}`
  const left = await db`select code from ${BALANCES} account where code = ${inFlight} and balance <> 0`
  assert.deepEqual([...left], [])
  assert.ok(isClean(await verifyLedger(db)))
}
