import { refusal } from '../../kernel/errors.ts'

export const sandboxErrors = {
  unknownBank: refusal(400, (code: string) => `settlementAccount.bankCode ${code} is no known bank`),
  unknownAccount: refusal(404, () => 'Could not find an account with this number at this bank'),
  unknownEvent: refusal(404, () => 'Could not find specified event'),
}
