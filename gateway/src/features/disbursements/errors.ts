import { approvalRefusals, disbursementRefusals } from '@kobo/contract'
import { changed, type Refusal, refusals } from '../../kernel/errors.ts'

const declared = refusals(disbursementRefusals)

export const disbursementErrors = {
  ...declared,
  sentJustNow: (seconds: number): Refusal =>
    changed(declared.sentJustNow(), { headers: { 'retry-after': String(seconds) } }),
  /** What is wrong with one item, where that refuses the whole batch. */
  badItem: (index: number, refused: Refusal): Refusal =>
    changed(refused, { message: `transactionList[${index}]: ${refused.message}` }),
}

export const approvalErrors = refusals(approvalRefusals)
