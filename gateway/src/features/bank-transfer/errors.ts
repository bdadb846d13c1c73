import { refusal } from '../../kernel/errors.ts'

export const bankTransferErrors = {
  unknownBank: refusal(422, (bankCode: string) => `Could not find bank ${bankCode}`),
  methodNotEnabled: refusal(422, (method: string) => `Payment method ${method} is not enabled for this transaction`),
}
