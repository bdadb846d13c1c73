import { CARD_PERMISSIONS, type ProductType } from '@kobo/contract'
import { type Contract, findContract, type Merchant } from '../../core/merchants/index.ts'
import { INSTANT } from '../../core/money/settlement-cycle/index.ts'
import type { IncomeSplit } from '../../core/money/splits.ts'
import { collectionTerms, type FeeBearer, type FeeTerms, payableFor } from '../../core/pricing/index.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { invariant } from '../../kernel/errors.ts'
import { type Kobo, kobo, toNaira, ZERO } from '../../kernel/money.ts'
import { transactionErrors } from './errors.ts'
import type { ReceivedBy } from './payment-repository.ts'
import type { TransactionRow } from './repository.ts'
import { agreeSplits, type RequestedSplit } from './splits.ts'

export const AMOUNT_MIN = kobo(2_000n)

/** A requested payment. */
export interface NewTransaction {
  readonly amount: Kobo
  /** Defaults to the transaction reference. */
  readonly paymentReference: string | null
  readonly contractCode: string
  readonly currencyCode: string
  readonly customerName: string | null
  readonly customerEmail: string
  readonly paymentDescription: string | null
  readonly redirectUrl: string | null
  /** Empty if not restricted. */
  readonly paymentMethods: readonly string[]
  readonly incomeSplitConfig: readonly RequestedSplit[]
  /** Replaces `incomeSplitConfig` if the splits were agreed before, as those of a reserved account. */
  readonly agreedSplits?: readonly IncomeSplit[] | undefined
  readonly metaData: Record<string, unknown>
  /** The product through which it was requested; the hosted checkout by default. */
  readonly productType?: ProductType
  /** The payment reference by default. */
  readonly productReference?: string
  /** By default the contract's fee bearer. */
  readonly feeBearer?: FeeBearer
  /** The payment method, if it is fixed from the start, as with cash at an agent. */
  readonly arrivesBy?: ReceivedBy
  /** By default after the duration that the contract sets. */
  readonly expiresAt?: Date
  readonly invoiceReference?: string
  readonly reservedAccountId?: bigint | undefined
}

type Tools = Pick<UnitOfWork, 'ids' | 'at'>

/** Drafts a transaction on the merchant's terms without storing it. Rejects a request that the terms do not allow. */
export function draftTransaction(tools: Tools, merchant: Merchant, requested: NewTransaction): TransactionRow {
  const contract = checkTerms(merchant, requested)
  const payee = { code: contract.code, feeBearer: requested.feeBearer ?? contract.feeBearer }
  return draft(tools, contract, requested, {
    merchantId: merchant.id,
    paymentMethods: methodsOf(merchant, contract, requested),
    splits: requested.agreedSplits ?? agreeSplits(merchant, requested.incomeSplitConfig, requested.amount),
    feeTerms: collectionTerms(merchant.prices, serviceOf(requested), payee, requested.amount, tools.at),
  })
}

/** The fields of a request that the merchant's terms can forbid. */
type Terms = Pick<NewTransaction, 'amount' | 'contractCode' | 'currencyCode' | 'paymentMethods'> &
  Pick<Partial<NewTransaction>, 'arrivesBy' | 'productType'>

/** Rejects a request that the terms do not allow, for a transaction that is opened later. */
export const checkRequest = (merchant: Merchant, requested: Terms): void =>
  void methodsOf(merchant, checkTerms(merchant, requested), requested)

function checkTerms(merchant: Merchant, requested: Terms): Contract {
  if (requested.amount < AMOUNT_MIN) throw transactionErrors.amountTooSmall(toNaira(AMOUNT_MIN))
  const contract = findContract(merchant, requested.contractCode)
  if (contract === undefined) throw transactionErrors.unknownContract()
  if (requested.currencyCode !== contract.currencyCode) throw transactionErrors.unknownCurrency()
  return contract
}

/** Money collected under a mandate: a payer cannot choose this method. */
const DEBIT = 'DIRECT_DEBIT'

/** Returns the requested payment methods, if contract and permissions allow them; by default all that are allowed. */
function methodsOf(merchant: Merchant, contract: Contract, { paymentMethods, arrivesBy, productType }: Terms) {
  if (arrivesBy !== undefined) return [arrivesBy]
  const enabled = enabledMethods(merchant, contract)
  const notEnabled = paymentMethods.find((method) => !enabled.includes(method))
  if (notEnabled !== undefined) throw transactionErrors.methodNotEnabled(notEnabled)
  if (paymentMethods.length === 0) return enabled
  if (productType !== DEBIT && paymentMethods.every((method) => method === DEBIT))
    throw transactionErrors.noMethodForPayers(DEBIT)
  return paymentMethods
}

function enabledMethods({ permissions }: Merchant, { paymentMethods }: Contract): readonly string[] {
  if (CARD_PERMISSIONS.some((permission) => permissions.includes(permission))) return paymentMethods
  return paymentMethods.filter((method) => method !== 'CARD')
}

/** Returns the service in the price list by which a transaction is charged. */
const serviceOf = ({ arrivesBy }: NewTransaction) => (arrivesBy === 'CASH' ? 'cash-collection' : 'collection')

/** An unannounced transfer to a permanent account. */
export interface UnannouncedTransfer
  extends Pick<
    NewTransaction,
    | 'amount'
    | 'contractCode'
    | 'currencyCode'
    | 'customerName'
    | 'customerEmail'
    | 'paymentDescription'
    | 'metaData'
    | 'productType'
    | 'productReference'
    | 'reservedAccountId'
  > {
  readonly agreedSplits: readonly IncomeSplit[]
}

/**
 * Drafts the transaction that a transfer creates, whatever its amount. The payer was not asked to add the fee, so it is
 * taken from the amount that arrived, no matter who usually bears it.
 */
export function draftForTransfer(tools: Tools, merchant: Merchant, transfer: UnannouncedTransfer): TransactionRow {
  const contract = merchant.contracts.get(transfer.contractCode)
  invariant(contract !== undefined, 'contracts are never deleted')
  const payee = { code: contract.code, feeBearer: 'MERCHANT' } as const
  const requested = { ...transfer, paymentReference: null, redirectUrl: null }
  return draft(tools, contract, requested, {
    merchantId: merchant.id,
    paymentMethods: ['ACCOUNT_TRANSFER'],
    splits: transfer.agreedSplits,
    feeTerms: collectionTerms(merchant.prices, 'collection', payee, transfer.amount, tools.at),
  })
}

/** The terms that apply to a request. */
interface Agreed {
  readonly merchantId: bigint
  readonly paymentMethods: readonly string[]
  readonly splits: readonly IncomeSplit[]
  readonly feeTerms: FeeTerms
}

/** Creates the row of a transaction. No other function does so. */
function draft(
  { ids, at }: Tools,
  contract: Contract,
  requested: Omit<NewTransaction, 'incomeSplitConfig' | 'agreedSplits' | 'arrivesBy' | 'paymentMethods'>,
  { merchantId, paymentMethods, splits, feeTerms }: Agreed,
): TransactionRow {
  const { id, transactionReference } = ids.transaction()
  const paymentReference = requested.paymentReference ?? transactionReference
  const { feeBearer, feeBasisPoints, feeCap, feeFlat, feeSteps } = feeTerms
  return {
    merchantId,
    id,
    transactionReference,
    paymentReference,
    contractCode: contract.code,
    status: 'PENDING',
    amount: requested.amount,
    payable: payableFor(requested.amount, feeTerms),
    currencyCode: requested.currencyCode,
    paymentDescription: requested.paymentDescription,
    customerName: requested.customerName,
    customerEmail: requested.customerEmail,
    redirectUrl: requested.redirectUrl,
    paymentMethods,
    incomeSplitConfig: splits.length > 0 ? splits : null,
    metaData: requested.metaData,
    productType: requested.productType ?? 'WEB_SDK',
    productReference: requested.productReference ?? paymentReference,
    feeBearer,
    feeBasisPoints,
    feeCap,
    feeFlat,
    feeSteps,
    underpayment: contract.underpayment,
    createdAt: at,
    expiresAt: requested.expiresAt ?? secondsAfter(at, contract.accountDurationSeconds),
    completedAt: null,
    amountPaid: ZERO,
    fee: ZERO,
    paymentMethod: null,
    paidAt: null,
    invoiceReference: requested.invoiceReference ?? null,
    settlementCycle: contract.settlement === INSTANT ? INSTANT : contract.settlementTime,
    settlesAt: null,
    reservedAccountId: requested.reservedAccountId ?? null,
  }
}
