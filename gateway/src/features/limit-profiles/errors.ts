import { limitProfileRefusals } from '@kobo/contract'
import { refusals } from '../../kernel/errors.ts'

export const limitProfileErrors = refusals(limitProfileRefusals)
