import { teamRefusals } from '@kobo/contract'
import { refusals } from '../../kernel/errors.ts'

export const teamErrors = refusals(teamRefusals)
