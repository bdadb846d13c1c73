import { lockMerchant, type Merchant } from '../../core/merchants/index.ts'
import { insertDebt } from '../../core/money/debts.ts'
import {
  accounts,
  acts,
  type Journal,
  movesAboveZero,
  ownedBy,
  type RowCheck,
  ranged,
  within,
} from '../../core/money/ledger/index.ts'
import { openWallets } from '../../core/money/wallet-balances/index.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { invariant } from '../../kernel/errors.ts'
import { type Kobo, smaller, subtract, ZERO } from '../../kernel/money.ts'
import { column, type Row, table } from '../../platform/postgres/table.ts'

/** Money that a partner paid out for a merchant although the ledger had already returned it to the merchant. */
const charges = table('merchant_charge', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  /** The id of the operators' decision; the debt has the same id. */
  id: column<bigint>(),
  reference: column<string>(),
  partner: column<string>(),
  walletAccountNumber: column<string>(),
  amount: column<Kobo>(),
  fromWallet: column<Kobo>(),
  chargedAt: column<Date>(),
})
type ChargeRow = Row<typeof charges>

/** Returns the journal of a charge: the wallet pays it up to its balance; the rest becomes the merchant's debt. */
const chargeJournal = (charge: ChargeRow): Journal => {
  const to = accounts.clearingAt(charge.partner)
  return {
    merchantId: charge.merchantId,
    key: `charge/${charge.reference}`,
    memo: 'Paid by the partner, by its statement',
    moves: movesAboveZero([
      { from: accounts.wallet(charge.walletAccountNumber), to, amount: charge.fromWallet },
      { from: accounts.debt, to, amount: subtract(charge.amount, charge.fromWallet) },
    ]),
  }
}

interface NewCharge {
  readonly id: bigint
  readonly merchantId: bigint
  readonly partner: string
  readonly amount: Kobo
  readonly because: string
}

/** Charges a merchant for the amount that a partner paid; returns the journal. */
export async function chargeMerchant(
  unit: UnitOfWork,
  { id, merchantId, partner, amount, because }: NewCharge,
): Promise<Journal> {
  const { tx, at } = unit
  const merchant: Pick<Merchant, 'walletAccountNumber'> | undefined = await lockMerchant(tx, merchantId)
  invariant(merchant !== undefined, 'merchants are never deleted')
  const accountNumber = merchant.walletAccountNumber
  const wallets = await openWallets(tx, [{ merchantId, accountNumber }])
  const fromWallet = smaller(amount, wallets.available({ merchantId, accountNumber }) ?? ZERO)
  const reference = `KMCH${id}`
  const charge: ChargeRow = {
    ...{ merchantId, id, reference, partner, walletAccountNumber: accountNumber, amount, fromWallet },
    chargedAt: at,
  }
  charges.insert(tx, [charge])
  const owed = subtract(amount, fromWallet)
  if (owed > 0n) insertDebt(tx, { merchantId, id, reference, amount: owed, repaid: ZERO, since: at })
  const journal = chargeJournal(charge)
  const taken = wallets.take({
    journal,
    reference,
    transactionReference: reference,
    narration: because,
    message: 'Paid by the bank after it was returned',
  })
  invariant(taken, 'a charge takes no more than the wallet has')
  wallets.write(unit)
  return journal
}

/** Checks that every charge is posted. */
export const chargeChecks: readonly RowCheck[] = [
  acts<ChargeRow>({
    name: 'charge of a merchant',
    rows: { table: 'merchant_charge', idFormat: 'standard' },
    read: (tx, ranges) =>
      tx<
        ChargeRow[]
      >`select ${charges.of('r')} from ${ranged(ranges)} join merchant_charge r on ${within('r', ranges)}`,
    reference: ({ reference }) => reference,
    state: () => 'charged',
    consequences: (row) => ({ booked: [chargeJournal(row)] }),
    owned: [ownedBy('charge/', 'merchant_charge', 'reference', 'the end')],
  }),
]
