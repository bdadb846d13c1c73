import type { Bank as BankRecord } from '@kobo/contract'
import * as contract from '@kobo/contract'
import type { Static } from 'typebox'
import type { Serve } from '../../core/edge/http/index.ts'
import { BANKS, type Bank } from '../../core/money/bank-list/index.ts'

export function bankRoutes(serve: Serve): void {
  const all = BANKS.map(show)
  const dialled = all.filter(({ baseUssdCode }) => baseUssdCode !== null)
  serve(contract.listBanks, async () => all)
  serve(contract.listUssdBanks, async () => dialled)
}

const show = ({ name, code, ussdTemplate, baseUssdCode, nipBankCode }: Bank): Static<typeof BankRecord> => ({
  name,
  code,
  ussdTemplate,
  baseUssdCode,
  transferUssdTemplate: baseUssdCode === null ? null : baseUssdCode.replace('#', '*AccountNumber#'),
  bankId: null,
  nipBankCode,
})
