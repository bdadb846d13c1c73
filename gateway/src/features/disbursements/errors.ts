import { disbursementRefusals } from '@kobo/contract'
import { changed, type Refusal, refusals } from '../../kernel/errors.ts'

const declared = refusals(disbursementRefusals)

export const disbursementErrors = {
  ...declared,
  sentJustNow: (seconds: number): Refusal =>
    changed(declared.sentJustNow(), { headers: { 'retry-after': String(seconds) } }),
  /** An invalid item that causes the whole batch to be rejected. */
  badItem: (index: number, error: Refusal): Refusal =>
    changed(error, { message: `transactionList[${index}]: ${error.message}` }),
}
