import type { Core } from '../../core/core.ts'
import { firstContract, type Merchant } from '../../core/merchants/index.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import type { Kobo } from '../../kernel/money.ts'
import { isTaken } from '../../platform/db.ts'
import {
  draftTransaction,
  type NewTransaction,
  type Receipt,
  receive,
  type TransactionRow,
} from '../transactions/index.ts'
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

/** Takes cash at an agent: a payment that is there in full from the first moment. Answers its transaction reference. */
export async function collectCash(core: Core, merchant: Merchant, paid: CashPaid): Promise<string> {
  try {
    return await unitOfWork(core, async (unit) => {
      const draft = draftTransaction(unit, merchant, transactionOf(merchant, paid))
      await receive(unit, [{ draft, receipt: receiptOf(draft) }])
      return draft.transactionReference
    })
  } catch (error) {
    // The unique index decides. No other reference here is anyone's choice but ours.
    throw isTaken(error) ? cashCollectionErrors.duplicateReference() : error
  }
}

/** The transaction that a payment in cash is, on the terms for cash. */
function transactionOf(merchant: Merchant, paid: CashPaid): NewTransaction {
  const contract = firstContract(merchant)
  return {
    amount: paid.amount,
    paymentReference: paid.paymentReference ?? null,
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
    arrivesBy: 'CASH',
  }
}

const receiptOf = ({ transactionReference, payable, customerName }: TransactionRow): Receipt => ({
  railReference: `CASH|${transactionReference}`,
  method: 'CASH',
  amount: payable,
  payer: { name: customerName, accountNumber: null, bankCode: null, bvn: null },
  bankCode: null,
  accountNumber: null,
  card: null,
})
