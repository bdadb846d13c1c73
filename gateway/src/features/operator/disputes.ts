import type * as contract from '@kobo/contract'
import type { Input, Reply } from '@kobo/contract'
import type { Merchant } from '../../core/merchants/index.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import { firstIdAt, ID_MAX } from '../../kernel/ids.ts'
import { formatNaira, naira, toNaira } from '../../kernel/money.ts'
import {
  disputeErrors,
  findAnyDispute,
  getDetail,
  getFile,
  selectAnyDisputes,
  showDetail,
  withDebts,
} from '../disputes/index.ts'
import { transactionReads } from '../transactions/index.ts'
import type { OperatorDeps } from './merchants.ts'
import { codesOf, findMerchant, pageOf, pageQueryOf } from './pagination.ts'
import { type Requester, requestChange } from './request-change.ts'

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
  const codes = await codesOf(core, rows)
  const shown = (await withDebts(core.db, rows)).map(({ dispute, owed }) => ({
    id: String(dispute.id),
    createdOn: dispute.openedAt.toISOString(),
    ...codes(dispute.merchantId),
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

/** The dispute with a reference, of any merchant. */
async function getAnyDispute({ core: { db } }: OperatorDeps, reference: string) {
  const dispute = await findAnyDispute(db, reference)
  if (dispute === undefined) throw disputeErrors.notFound()
  return dispute
}

export const showAnyDispute = async (deps: OperatorDeps, reference: string) =>
  showDetail(await getDetail(deps.core.db, await getAnyDispute(deps, reference)))

export const showAnyFile = async (deps: OperatorDeps, reference: string, fileId: string) =>
  getFile(deps.core, await getAnyDispute(deps, reference), fileId)

export async function requestDispute(
  { core }: OperatorDeps,
  merchant: Merchant,
  request: Input<typeof contract.requestDispute>['body'],
  requester: Requester,
): Promise<{ readonly id: string }> {
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
  return unitOfWork(core, async (unit) => requestChange(unit, merchant.id, 'DISPUTE', requested, requester))
}

export async function requestDisputeEnd(
  deps: OperatorDeps,
  reference: string,
  { outcome }: Input<typeof contract.requestDisputeEnd>['body'],
  requester: Requester,
): Promise<{ readonly id: string }> {
  const dispute = await getAnyDispute(deps, reference)
  if (dispute.endedAt !== null) throw disputeErrors.decidedOtherwise(dispute.status)
  const requested = { disputeId: String(dispute.id), reference, amount: formatNaira(dispute.amount), outcome }
  return unitOfWork(deps.core, async (unit) =>
    requestChange(unit, dispute.merchantId, 'DISPUTE_END', requested, requester),
  )
}
