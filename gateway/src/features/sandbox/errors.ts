import { sandboxRefusals } from '@kobo/contract'
import { refusals } from '../../kernel/errors.ts'

export const sandboxErrors = refusals(sandboxRefusals)
