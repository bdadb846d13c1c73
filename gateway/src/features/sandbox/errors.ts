import { refusal } from '../../kernel/errors.ts'

export const sandboxErrors = {
  unknownBank: refusal(400, (code: string) => `settlementAccount.bankCode ${code} is no known bank`),
  unknownEvent: refusal(404, () => 'Could not find specified event'),
}
