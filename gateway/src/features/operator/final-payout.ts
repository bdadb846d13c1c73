import type * as contract from '@kobo/contract'
import type { Input, Reply } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import { accounts, moneyOf } from '../../core/money/ledger/index.ts'
import { unroutedOrders } from '../../core/orders/index.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import { ID_MAX } from '../../kernel/ids.ts'
import { applyPayout, type ChangeData } from './change-kinds.ts'
import { approvalOf, decide, expiredBefore } from './changes.ts'
import { operatorErrors } from './errors.ts'
import { type ChangeRow, selectChanges } from './repository.ts'
import { type Requester, requestChange } from './request-change.ts'

export type RequestedPayout = Omit<Input<typeof contract.requestPayout>['body'], 'reason'>

const wantedOf = (
  { walletAccountNumber: own }: Merchant,
  { walletAccountNumber, bankCode, accountNumber, accountName }: RequestedPayout,
): ChangeData['PAYOUT'] => ({ walletAccountNumber: walletAccountNumber ?? own, bankCode, accountNumber, accountName })

/** Requests to pay out a wallet of a closed merchant. */
export async function requestPayout(
  { core }: { readonly core: Core },
  merchant: Merchant,
  requested: RequestedPayout,
  requester: Requester,
): Promise<{ readonly id: string }> {
  const { id: merchantId, standing } = merchant
  if (standing !== 'CLOSED') throw operatorErrors.notClosed(standing)
  const request = wantedOf(merchant, requested)
  const account = accounts.wallet(request.walletAccountNumber)
  const left = await moneyOf(core.db, merchantId)
  if (!left.some(({ code }) => code === account)) throw operatorErrors.nothingLeft(request.walletAccountNumber)
  return unitOfWork(core, async (unit) => requestChange(unit, merchantId, 'PAYOUT', request, requester))
}

const WAITING_MAX = 100

/** Approves the same payout that another operator has requested; undefined if there is none. */
export async function approveSamePayout(
  core: Core,
  merchant: Merchant,
  requested: RequestedPayout,
  { person, by }: Requester,
): Promise<Reply<typeof contract.approveChange> | undefined> {
  const request = wantedOf(merchant, requested)
  const waiting = { merchantId: merchant.id, status: 'WAITING' as const, expiredBefore: expiredBefore(core) }
  const changes = await selectChanges(core.db, { ...waiting, from: 0n, before: ID_MAX }, WAITING_MAX)
  const same = changes.find((change) => change.kind === 'PAYOUT' && isSame(change, request))
  if (same === undefined) return undefined
  return decide({ core }, same.id, person, async (unit, change) => {
    const details = await approvalOf(unit, change, person)
    // The gateway chooses the partner when it sends the order.
    await applyPayout(unit, { change, wanted: request, by, details }, { core, orders: unroutedOrders })
    return { status: 'APPLIED', decidedBecause: null }
  })
}

function isSame({ wanted: known }: ChangeRow, requested: ChangeData['PAYOUT']): boolean {
  const { walletAccountNumber, bankCode, accountNumber, accountName } = known as ChangeData['PAYOUT']
  return (
    walletAccountNumber === requested.walletAccountNumber &&
    bankCode === requested.bankCode &&
    accountNumber === requested.accountNumber &&
    accountName === requested.accountName
  )
}
