import type * as contract from '@kobo/contract'
import type { Input } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import { accounts, moneyOf } from '../../core/money/ledger/index.ts'
import { operatorErrors } from './errors.ts'
import type { Proposal } from './request-change.ts'

type RequestedPayout = Omit<Input<typeof contract.requestPayout>['body'], 'reason'>

/** Proposes the payout of a wallet of a closed merchant. */
export async function proposePayout(
  { core }: { readonly core: Core },
  { id: merchantId, standing, walletAccountNumber: own }: Merchant,
  { walletAccountNumber, bankCode, accountNumber, accountName }: RequestedPayout,
): Promise<Proposal<'PAYOUT'>> {
  if (standing !== 'CLOSED') throw operatorErrors.notClosed(standing)
  const wallet = walletAccountNumber ?? own
  const left = await moneyOf(core.db, merchantId)
  if (!left.some(({ code }) => code === accounts.wallet(wallet))) throw operatorErrors.nothingLeft(wallet)
  return { merchantId, kind: 'PAYOUT', wanted: { walletAccountNumber: wallet, bankCode, accountNumber, accountName } }
}
