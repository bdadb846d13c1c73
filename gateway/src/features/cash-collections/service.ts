import type { Core } from '../../core/core.ts'
import { firstContract, type Merchant } from '../../core/merchants/index.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import type { Kobo } from '../../kernel/money.ts'
import { isUniqueViolation } from '../../platform/postgres/db.ts'
import {
  draftTransaction,
  type NewTransaction,
  type Receipt,
  receive,
  type Transaction,
} from '../transactions/index.ts'
import { cashCollectionErrors } from './errors.ts'

const CUSTOMER = { name: 'ADAEZE OKAFOR', email: 'adaeze@example.com' }

/** Cash that a customer hands to an agent. */
export interface CashPaid {
  readonly amount: Kobo
  readonly paymentReference?: string | null | undefined
  readonly customerName?: string | null | undefined
  readonly customerEmail?: string | null | undefined
  readonly paymentDescription?: string | null | undefined
}

/** Records the cash that an agent collected as a completed payment. Returns its transaction reference. */
export async function collectCash(core: Core, merchant: Merchant, paid: CashPaid): Promise<string> {
  try {
    return await unitOfWork(core, async (unit) => {
      const draft = draftTransaction(unit, merchant, transactionOf(merchant, paid))
      await receive(unit, [{ draft, receipt: receiptOf(draft) }])
      return draft.transactionReference
    })
  } catch (error) {
    // Only the merchant's reference can be a duplicate: all other references here are our own.
    throw isUniqueViolation(error) ? cashCollectionErrors.duplicateReference() : error
  }
}

/** Returns the request for the transaction of a cash payment. */
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

const receiptOf = ({ transactionReference, payable, customerName }: Transaction): Receipt => ({
  railReference: `CASH|${transactionReference}`,
  method: 'CASH',
  amount: payable,
  payer: { name: customerName, accountNumber: null, bankCode: null, bvn: null },
  bankCode: null,
  accountNumber: null,
  card: null,
})
