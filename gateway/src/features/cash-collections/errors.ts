import { refusal } from '../../kernel/errors.ts'

export const cashCollectionErrors = {
  duplicateReference: refusal(400, () => 'Duplicate payment reference'),
}
