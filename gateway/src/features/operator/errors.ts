import { changeRefusals, operatorRefusals, operatorTeamRefusals, workRefusals } from '@kobo/contract'
import { refusals } from '../../kernel/errors.ts'

export const operatorErrors = refusals(operatorRefusals)
export const changeErrors = refusals(changeRefusals)
export const workErrors = refusals(workRefusals)
export const operatorTeamErrors = refusals(operatorTeamRefusals)
