import { refusal } from '../../kernel/errors.ts'

export const walletErrors = {
  duplicateReference: refusal(422, () => 'Duplicate wallet reference'),
  notFound: refusal(404, () => 'Could not find specified wallet'),
  walletRequired: refusal(400, () => 'accountNumber or walletReference is required'),
}
