import type * as contract from '@kobo/contract'
import type { Input, Reply } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import { firstIdAt, ID_MAX } from '../../kernel/ids.ts'
import { formatNaira, naira, toNaira } from '../../kernel/money.ts'
import {
  disputeErrors,
  findAnyDispute,
  getDetail,
  getFile,
  type Outcome,
  selectAnyDisputes,
  showDetail,
  withDebts,
} from '../disputes/index.ts'
import { transactionReads } from '../transactions/index.ts'
import type { OperatorDeps } from './merchants.ts'
import { findMerchant, merchantFinder, pageOf, pageQueryOf } from './pagination.ts'
import type { Proposal } from './request-change.ts'

export async function browseAllDisputes(
  { core }: OperatorDeps,
  query: Input<typeof contract.browseAllDisputes>['query'],
): Promise<Reply<typeof contract.browseAllDisputes>> {
  const { before, size, from, to } = pageQueryOf(query)
  const end = to === undefined ? ID_MAX : firstIdAt(new Date(to.getTime() + 1))
  const filter = {
    merchantId: query.merchant === undefined ? null : (await findMerchant(core, query.merchant)).id,
    status: query.status ?? null,
    from: from === undefined ? 0n : firstIdAt(from),
    before: before < end ? before : end,
  }
  const rows = await selectAnyDisputes(core.db, filter, size + 1)
  const merchantOf = await merchantFinder(core, rows)
  const shown = (await withDebts(core.db, rows)).map(({ dispute, owed }) => ({
    id: String(dispute.id),
    createdOn: dispute.openedAt.toISOString(),
    ...merchantOf(dispute.merchantId),
    disputeReference: dispute.reference,
    transactionReference: dispute.transactionReference,
    partner: dispute.partner,
    partnerReference: dispute.partnerReference,
    type: dispute.kind,
    status: dispute.status,
    amount: toNaira(dispute.amount),
    amountOwed: toNaira(owed),
    reason: dispute.reason,
    evidence: dispute.evidence,
    evidenceDueOn: dispute.evidenceDueAt.toISOString(),
    completedOn: dispute.endedAt?.toISOString() ?? null,
    comment: dispute.comment,
  }))
  return pageOf(shown, size)
}

interface CoreDeps {
  readonly core: Core
}

async function getAnyDispute({ core: { db } }: CoreDeps, reference: string) {
  const dispute = await findAnyDispute(db, reference)
  if (dispute === undefined) throw disputeErrors.notFound()
  return dispute
}

export const showAnyDispute = async (deps: OperatorDeps, reference: string) =>
  showDetail(await getDetail(deps.core.db, await getAnyDispute(deps, reference)))

export const showAnyFile = async (deps: OperatorDeps, reference: string, fileId: string) =>
  getFile(deps.core, await getAnyDispute(deps, reference), fileId)

export async function proposeDispute(
  { core }: CoreDeps,
  merchant: Merchant,
  request: Omit<Input<typeof contract.requestDispute>['body'], 'reason'>,
): Promise<Proposal<'DISPUTE'>> {
  const { transactionReference } = request
  const transaction = await transactionReads.find(core.db, merchant.id, { transactionReference })
  if (transaction === undefined) throw disputeErrors.unknownTransaction()
  const requested = {
    transactionReference,
    partner: request.partner,
    partnerReference: request.partnerReference,
    disputeType: request.disputeType,
    amount: request.amount == null ? null : String(naira(request.amount)),
    respondBy: request.respondBy ?? null,
  }
  return { merchantId: merchant.id, kind: 'DISPUTE', wanted: requested }
}

export async function proposeDisputeEnd(
  deps: CoreDeps,
  reference: string,
  outcome: Outcome,
): Promise<Proposal<'DISPUTE_END'>> {
  const { id, merchantId, amount, status, endedAt } = await getAnyDispute(deps, reference)
  if (endedAt !== null) throw disputeErrors.decidedDifferently(status)
  const requested = { disputeId: String(id), reference, amount: formatNaira(amount), outcome }
  return { merchantId, kind: 'DISPUTE_END', wanted: requested }
}
