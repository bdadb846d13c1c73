import assert from 'node:assert/strict'
import type { Input, Reply } from '@kobo/contract'
import * as contract from '@kobo/contract'
import { verifyLedger } from '../../src/app/ledger.ts'
import { BALANCES, isClean } from '../../src/core/money/ledger/index.ts'
import { changeSettings } from '../../src/features/settings/index.ts'
import type { Client, Shop, TestGateway } from './gateway.ts'
import { paid } from './refund-samples.ts'
import { advanceToHour } from './samples.ts'

export type Dispute = Reply<typeof contract.openSandboxDispute>

/** A dispute of a payment. */
export const openDispute = (
  client: Client,
  transactionReference: string,
  changes: Partial<Input<typeof contract.openSandboxDispute>['body']> = {},
): Promise<Dispute> =>
  client.call(contract.openSandboxDispute, {
    body: { transactionReference, disputeType: 'CHARGEBACK', ...changes },
  })

export const decideDispute = (
  client: Client,
  { disputeReference }: Dispute,
  outcome: 'WON' | 'LOST',
): Promise<Dispute> => client.call(contract.decideSandboxDispute, { params: { disputeReference }, body: { outcome } })

/** The balances of a merchant's accounts, in kobo; without empty ones. */
export async function accountsOf(
  { db }: Pick<Shop, 'db'>,
  merchantId: bigint,
  ...codes: readonly string[]
): Promise<Record<string, bigint>> {
  const rows = await db<{ code: string; balance: bigint }[]>`
    select code, balance from ${BALANCES} account
     where merchant_id = ${merchantId} and code = any(${codes}::text[]) and balance <> 0 order by code`
  return Object.fromEntries(rows.map(({ code, balance }) => [code, balance]))
}

/** Withholds a tenth, or another percentage, of a merchant's settlements for some days. */
export const setReserve = (
  { core }: Pick<Shop, 'core'>,
  merchantId: bigint,
  days: number,
  percent = '10',
): Promise<unknown> =>
  changeSettings(
    { core, rules: { environment: 'sandbox', allowed: [], receiverPorts: undefined } },
    { id: merchantId },
    { reserve: { percent, days } },
    { actor: 'command line' },
  )

const EVENING = 23

/** Days with some of every dispute, debt and reserve: completed, open, owed and held back. */
export async function disputedDays(shop: TestGateway): Promise<void> {
  const reserve = (days: number) => setReserve(shop, shop.merchantId, days)
  await shop.call(contract.changeSettings, { body: { settlementDestination: 'BANK' } })
  await advanceToHour(shop, 9)
  await decideDispute(shop, await openDispute(shop, await paid(shop, 5_000)), 'LOST')
  await decideDispute(shop, await openDispute(shop, await paid(shop, 5_000)), 'WON')
  await reserve(1)
  await advanceToHour(shop, EVENING, 0)
  await reserve(300)
  // More than the wallet has: all of it, and a debt, which the payment itself repays in the evening.
  await advanceToHour(shop, 9)
  const large = await openDispute(shop, await paid(shop, 30_000_000))
  assert.ok(large.amountOwed > 0)
  await advanceToHour(shop, EVENING, 0)
  await advanceToHour(shop, 9)
  assert.ok((await openDispute(shop, await paid(shop, 30_000_000))).amountOwed > 0)
  await advanceToHour(shop, EVENING, 0)
  await shop.call(contract.fundWallet, { body: { amount: 1_000_000 } })
}

export async function assertLedgerClean({ db }: Pick<Shop, 'db'>): Promise<void> {
  const verdict = await verifyLedger(db)
  assert.ok(isClean(verdict), JSON.stringify(verdict, null, 2))
}
