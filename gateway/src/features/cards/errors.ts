import { cardRefusals } from '@kobo/contract'
import { changed, type Refusal, refusal, refusals } from '../../kernel/errors.ts'

const wrongOtp = refusal(cardRefusals.wrongOtp)

export const cardErrors = {
  ...refusals(cardRefusals),
  wrongOtp: (left: number): Refusal => wrongOtp(`${left} ${left === 1 ? 'attempt' : 'attempts'} left`),
}

/** Changes an error to status 400. It is 422 elsewhere, but Monnify's API lists no 422 for card charges. */
export const onCharge = (error: Refusal): Refusal => changed(error, { status: 400 })
