import { refusal } from '../../kernel/errors.ts'

export const paycodeErrors = {
  notFound: refusal(404, () => 'Could not find specified paycode'),
  duplicateReference: refusal(400, () => 'Duplicate paycode reference'),
  notTheCaller: refusal(400, () => 'clientId must be the API key of the caller'),
  amountTooSmall: refusal(400, (naira: number) => `amount must be at least ${naira}`),
  expiryInThePast: refusal(400, () => 'expiryDate lies in the past'),
  expiryTooFar: refusal(400, (days: number) => `expiryDate must be at most ${days} days ahead`),
  insufficientBalance: refusal(400, () => 'The wallet holds too little for amount and fee', { code: 'D04' }),
  notCancellable: refusal(400, (status: string) => `A paycode that is ${status} cannot be cancelled`),
  notRedeemable: refusal(400, (status: string) => `A paycode that is ${status} cannot be paid out`),
}
