import { accounts, type Journal, movesAboveZero } from '../../core/ledger/index.ts'
import type { Kobo } from '../../kernel/money.ts'
import type { PayoutRow, SettlementRow } from './repository.ts'

/** A settlement: what was collected becomes the merchant's to spend, or is on its way to bank accounts. */
export const settlementJournal = (settlement: SettlementRow, subAccounts: ReadonlyMap<string, Kobo>): Journal => ({
  merchantId: settlement.merchantId,
  key: `settlement/${settlement.settlementReference}`,
  memo: `Settlement ${settlement.settlementReference}`,
  moves: movesAboveZero([
    {
      from: accounts.payable,
      to:
        settlement.destination === 'WALLET' ? accounts.wallet(settlement.destinationAccountNumber) : accounts.settling,
      amount: settlement.amount,
    },
    ...[...subAccounts].map(([code, amount]) => ({
      from: accounts.payableTo(code),
      to: accounts.settlingTo(code),
      amount,
    })),
  ]),
})

const settlingOf = ({ beneficiaryType, beneficiaryCode }: PayoutRow): string =>
  beneficiaryType === 'MERCHANT' ? accounts.settling : accounts.settlingTo(beneficiaryCode)

/** A payout has arrived: the rail is owed what it paid. */
export const payoutJournal = (payout: PayoutRow): Journal => ({
  merchantId: payout.merchantId,
  key: `payout/${payoutReference(payout)}`,
  memo: `Payout ${payoutReference(payout)}`,
  moves: [{ from: settlingOf(payout), to: accounts.clearing('transfers'), amount: payout.amount }],
})

/** A payout came back: it is on its way again. */
export const payoutReversedJournal = (payout: PayoutRow): Journal => ({
  merchantId: payout.merchantId,
  key: `payout/${payoutReference(payout)}/reversed`,
  memo: `Payout ${payoutReference(payout)} came back`,
  moves: [{ from: accounts.clearing('transfers'), to: settlingOf(payout), amount: payout.amount }],
})

/** Under which reference the rail knows a payout: another with each try. */
export const payoutReference = ({ id, tries }: PayoutRow): string => `KFST${id}T${tries}`
