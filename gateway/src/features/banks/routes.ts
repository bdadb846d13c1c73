import type { Bank as BankRecord } from '@kobo/contract'
import * as contract from '@kobo/contract'
import type { Static } from 'typebox'
import { type Bank, offeredBanks } from '../../core/bank-list/index.ts'
import type { Serve } from '../../core/edge/http/index.ts'

export function bankRoutes(serve: Serve): void {
  serve(contract.listBanks, async () => offeredBanks().map(show))
  serve(contract.listUssdBanks, async () =>
    offeredBanks()
      .filter(({ baseUssdCode }) => baseUssdCode !== null)
      .map(show),
  )
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
