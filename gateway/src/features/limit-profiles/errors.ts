import { refusal } from '../../kernel/errors.ts'

export const limitProfileErrors = {
  nameTaken: refusal(422, () => 'A limit profile with this name exists'),
  dailyBelowSingle: refusal(400, () => 'dailyTransactionValue must not be below singleTransactionValue'),
  notFound: refusal(404, () => 'Cannot find limit profile'),
}
