import { refusal } from '../../kernel/errors.ts'

export const settlementErrors = {
  notFound: refusal(404, () => 'Could not find specified settlement'),
  unknownTransaction: refusal(404, () => 'Could not find specified transaction'),
  notSettled: refusal(404, () => 'Transaction has not been settled yet'),
}
