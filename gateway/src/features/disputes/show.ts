import type { DisputeDetail, DisputeRecord } from '@kobo/contract'
import type { Static } from 'typebox'
import { slashed } from '../../kernel/dates.ts'
import { type Kobo, toNaira } from '../../kernel/money.ts'
import type { DisputeRow, FileRow } from './repository.ts'

/** A dispute and its outstanding debt. */
export interface Shown {
  readonly dispute: DisputeRow
  readonly owed: Kobo
}

export const showDispute = ({ dispute, owed }: Shown): Static<typeof DisputeRecord> => ({
  disputeReference: dispute.reference,
  disputeType: dispute.kind,
  disputeStatus: dispute.status,
  transactionReference: dispute.transactionReference,
  disputeAmount: toNaira(dispute.amount),
  amountOwed: toNaira(owed),
  disputeReason: dispute.reason,
  currencyCode: dispute.currencyCode,
  evidenceDueOn: slashed(dispute.evidenceDueAt),
  createdOn: slashed(dispute.openedAt),
  completedOn: dispute.endedAt === null ? null : slashed(dispute.endedAt),
  comment: dispute.comment,
})

export const showDetail = (
  shown: Shown & { readonly files: readonly Omit<FileRow, 'content'>[] },
): Static<typeof DisputeDetail> => {
  const { evidence, evidenceAt } = shown.dispute
  return {
    ...showDispute(shown),
    evidence:
      evidence === null || evidenceAt === null
        ? null
        : {
            text: evidence,
            submittedOn: slashed(evidenceAt),
            files: shown.files.map(({ id, name, type, bytes }) => ({ fileId: String(id), name, type, bytes })),
          },
  }
}
