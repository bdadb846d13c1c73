import { settingRefusals } from '@kobo/contract'
import { refusals } from '../../kernel/errors.ts'

export const settingErrors = refusals(settingRefusals)
