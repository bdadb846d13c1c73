import { cardRefusals } from '@kobo/contract'
import { changed, type Refusal, refusal, refusals } from '../../kernel/errors.ts'

const wrongOtp = refusal(cardRefusals.wrongOtp)

export const cardErrors = {
  ...refusals(cardRefusals),
  wrongOtp: (left: number): Refusal => wrongOtp(`${left} ${left === 1 ? 'attempt' : 'attempts'} left`),
}

/** An error that is 422 elsewhere is 400 when charging a card: Monnify's API lists no 422 there. */
export const onCharge = (error: Refusal): Refusal => changed(error, { status: 400 })
