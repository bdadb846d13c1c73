import { refusal } from '../../kernel/errors.ts'

export const subAccountErrors = {
  notFound: refusal(404, () => 'Could not find specified sub account'),
  unknownCurrency: refusal(400, () => 'Unknown currency code supplied'),
  unknownBank: refusal(400, (code: string) => `Unknown bank code ${code}`),
  unknownAccount: refusal(400, (number: string) => `Could not find account ${number} at this bank`),
  bankSilent: refusal(400, () => 'The account name cannot be asked for at the moment, please try again'),
  tooMany: refusal(400, (most: number) => `A merchant has at most ${most} sub accounts`),
}
