import { refusal } from '../../kernel/errors.ts'

export const sandboxErrors = {
  unknownEvent: refusal(404, () => 'Could not find specified event'),
}
