import type { Contract, Merchant } from '../../core/merchants/index.ts'
import { type FeeTerms, payableFor } from '../../core/pricing.ts'
import type { Clock } from '../../kernel/clock.ts'
import { invariant } from '../../kernel/errors.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { Kobo } from '../../kernel/money.ts'
import { type Db, inTransaction, isTaken } from '../../platform/db.ts'
import { draftTransaction, receiveNewborn, type TransactionRow } from '../transactions/index.ts'
import { cashCollectionErrors } from './errors.ts'

/** Who pays where nobody is named. */
const CUSTOMER = { name: 'ADAEZE OKAFOR', email: 'adaeze@example.com' }

/** Cash that a customer hands to an agent. */
export interface CashPaid {
  readonly amount: Kobo
  readonly paymentReference?: string | null | undefined
  readonly customerName?: string | null | undefined
  readonly customerEmail?: string | null | undefined
  readonly paymentDescription?: string | null | undefined
}

interface Deps {
  readonly db: Db
  readonly clock: Clock
  readonly ids: IdSource
  readonly pokeDelivery: () => void
}

/** Takes cash at an agent: a payment that is there in full from the first moment. Answers its transaction reference. */
export async function collectCash(
  { db, clock, ids, pokeDelivery }: Deps,
  merchant: Merchant,
  paid: CashPaid,
): Promise<string> {
  const at = clock.now()
  const transaction = draft(ids, at, merchant, paid)
  await inTransaction(db, (tx) =>
    receiveNewborn(tx, ids, at, [
      {
        transaction,
        receipt: {
          railReference: `CASH|${transaction.transactionReference}`,
          method: 'CASH',
          amount: transaction.payable,
          payer: { name: transaction.customerName, accountNumber: null, bankCode: null, bvn: null },
          bankCode: null,
          accountNumber: null,
          card: null,
        },
      },
    ]),
  ).catch((error: unknown) => {
    // The unique index decides. No other reference here is anyone's choice but ours.
    throw isTaken(error) ? cashCollectionErrors.duplicateReference() : error
  })
  pokeDelivery()
  return transaction.transactionReference
}

/** The transaction that a payment in cash is, on the terms for cash. */
function draft(ids: IdSource, at: Date, merchant: Merchant, paid: CashPaid): TransactionRow {
  const [contract] = merchant.contracts.values()
  invariant(contract !== undefined, 'a merchant has a contract')
  const transaction = draftTransaction({ ids, at }, merchant, {
    amount: paid.amount,
    paymentReference: paid.paymentReference ?? '',
    contractCode: contract.code,
    currencyCode: contract.currencyCode,
    customerName: paid.customerName ?? CUSTOMER.name,
    customerEmail: paid.customerEmail ?? CUSTOMER.email,
    paymentDescription: paid.paymentDescription ?? null,
    redirectUrl: null,
    paymentMethods: [],
    incomeSplitConfig: [],
    metaData: {},
    productType: 'OFFLINE_PAYMENT_AGENT',
  })
  const paymentReference = paid.paymentReference ?? transaction.transactionReference
  const terms = cashTerms(contract)
  return {
    ...transaction,
    ...terms,
    paymentReference,
    productReference: paymentReference,
    payable: payableFor(paid.amount, terms),
    paymentMethods: ['CASH'],
  }
}

const cashTerms = (contract: Contract): FeeTerms => ({
  feeBasisPoints: contract.cashFeeBasisPoints,
  feeCap: contract.cashFeeCap,
  feeFlat: contract.cashFeeFlat,
  feeBearer: contract.feeBearer,
})
