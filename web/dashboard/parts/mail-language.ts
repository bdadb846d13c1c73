import { LANGUAGE_NAMES } from '../../ui/language.ts'
import type { ActionField } from './list/list-spec.ts'

export const MAIL_LANGUAGE: ActionField = {
  name: 'language',
  label: 'Language of the email',
  kind: 'choice',
  choices: Object.entries(LANGUAGE_NAMES),
}
