import { directDebitRefusals, requestRefusals } from '@kobo/contract'
import { changed, type Refusal, refusal, refusals } from '../../kernel/errors.ts'

export const directDebitErrors = {
  ...refusals(directDebitRefusals),
  /** The error for a submitted form without a decision. */
  noDecision: refusal({ ...requestRefusals.malformedField, text: 'decision must be authorize, refuse or cancel' }),
}

/** Changes an error to status 400. It is 422 elsewhere, but Monnify's API lists no 422 for direct debit. */
export const onDebit = (error: Refusal): Refusal => changed(error, { status: 400 })
