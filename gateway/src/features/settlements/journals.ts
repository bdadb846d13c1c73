import { accounts, type Journal, type Move, movesAboveZero } from '../../core/money/ledger/index.ts'
import type { OrderRow } from '../../core/orders/index.ts'
import type { PayoutRow, SettlementRow } from './repository.ts'
import { paidOut, type Withheld, type Withholdings } from './withholding.ts'

export const settlementKey = ({ settlementReference }: Pick<SettlementRow, 'settlementReference'>): string =>
  `settlement/${settlementReference}`

/**
 * Returns the journal of a settlement. Collected money, sub accounts' shares included, first repays the merchant's
 * debts and fills its reserve. The rest goes to the wallet, or in transit to bank accounts.
 */
export const settlementJournal = (settlement: SettlementRow, { merchant, subAccounts }: Withholdings): Journal => ({
  merchantId: settlement.merchantId,
  key: settlementKey(settlement),
  memo: `Settlement ${settlement.settlementReference}`,
  moves: movesAboveZero([
    {
      from: accounts.payable,
      to:
        settlement.destination === 'WALLET' ? accounts.wallet(settlement.destinationAccountNumber) : accounts.settling,
      amount: settlement.amount,
    },
    ...withheldMoves(accounts.payable, merchant),
    ...[...subAccounts].flatMap(([code, withholding]) => [
      { from: accounts.payableTo(code), to: accounts.settlingTo(code), amount: paidOut(withholding) },
      ...withheldMoves(accounts.payableTo(code), withholding),
    ]),
  ]),
})

const withheldMoves = (from: string, { debtRepaid, reserved }: Withheld): readonly Move[] => [
  { from, to: accounts.debt, amount: debtRepaid },
  { from, to: accounts.reserve, amount: reserved },
]

/** Returns the account that holds a payout's money in transit. */
export const inFlightOf = ({
  beneficiaryType,
  beneficiaryCode,
}: Pick<PayoutRow, 'beneficiaryType' | 'beneficiaryCode'>): string =>
  beneficiaryType === 'MERCHANT' ? accounts.settling : accounts.settlingTo(beneficiaryCode)

/** An attempt of a payout. Each attempt has its own reference at its partner. */
interface Attempt extends Pick<OrderRow, 'reference' | 'partner'> {
  /** Whether operators decided that the money arrived. The same attempt may have arrived and come back before. */
  readonly isDecided?: boolean
}

/** Returns the journal of a payout that arrived: we owe its partner the amount. */
export const payoutJournal = (payout: PayoutRow, { reference, partner, isDecided = false }: Attempt): Journal => ({
  merchantId: payout.merchantId,
  key: isDecided ? `payout/${reference}/decided` : `payout/${reference}`,
  memo: `Payout ${reference}`,
  moves: [{ from: inFlightOf(payout), to: accounts.clearing('transfers', partner), amount: payout.amount }],
})

/** Returns the journal of a payout that was returned: its money is in transit again. */
export const payoutReversedJournal = (payout: PayoutRow, { reference, partner }: Attempt): Journal => ({
  merchantId: payout.merchantId,
  key: `payout/${reference}/reversed`,
  memo: `Payout ${reference} came back`,
  moves: [{ from: accounts.clearing('transfers', partner), to: inFlightOf(payout), amount: payout.amount }],
})
