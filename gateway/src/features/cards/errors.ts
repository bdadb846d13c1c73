import { cardRefusals } from '@kobo/contract'
import { changed, type Refusal, refusal, refusals } from '../../kernel/errors.ts'

const wrongOtp = refusal(cardRefusals.wrongOtp)

export const cardErrors = {
  ...refusals(cardRefusals),
  wrongOtp: (left: number): Refusal => wrongOtp(`${left} more ${left === 1 ? 'try' : 'tries'}`),
}

/** What is 422 elsewhere is 400 where a card is charged: the interface lists no 422 there. */
export const onCharge = (refused: Refusal): Refusal => changed(refused, { status: 400 })
