import type { Core } from '../../core/core.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import { insufficientBalance, openWallets } from '../../core/money/wallet-balances/index.ts'
import { type OrderRow, type Orders, type OrdersOf, placeOrders } from '../../core/orders/index.ts'
import { type UnitOfWork, unitOfWork } from '../../core/unit-of-work.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import type { Kobo } from '../../kernel/money.ts'
import { type Db, inOneQuery, type Tx } from '../../platform/postgres/db.ts'
import type { BillerRail } from '../../rails/biller.ts'
import { approvalGate, insertRequests, type Maker, requestFor } from '../approvals/index.ts'
import { amountOf, commissionOn, type ListedProduct, type ProductCatalogue } from './catalogue.ts'
import { billErrors } from './errors.ts'
import { heldJournal, payableAmount } from './journals.ts'
import { sendVend, type VendResponse, vendOrder, walletAct } from './orders.ts'
import { heldVend, vendFacts } from './payouts.ts'
import { findValidation, findVend, insertValidation, insertVend, type VendRow } from './repository.ts'

const VALIDATION_SECONDS = 1_800

export interface BillDeps {
  readonly core: Core
  readonly orders: Orders
  readonly rail: Pick<BillerRail, 'validateCustomer'>
  readonly catalogue: ProductCatalogue
  readonly vends: OrdersOf<VendRow, VendResponse>
}

/** A customer as the biller knows it, and the validation reference if a vend requires one. */
export interface ValidatedCustomer {
  readonly product: ListedProduct
  readonly customerName: string | null
  readonly validationReference: string | null
}

/** Asks the biller whether it knows a customer. */
export async function validateCustomer(
  { core: { db, clock, ids }, rail, catalogue }: BillDeps,
  merchant: Merchant,
  { productCode, customerId }: { readonly productCode: string; readonly customerId: string },
): Promise<ValidatedCustomer> {
  const product = await catalogue.product(productCode)
  const validationReference = ids.shortReference('KFBV')
  const response = await rail.validateCustomer({ reference: validationReference, productCode, customerId })
  if (response.kind === 'unavailable') throw billErrors.unavailable()
  if (response.kind === 'invalid') throw billErrors.unknownCustomer(response.reason)
  const { customerName } = response
  if (!product.needsValidation) return { product, customerName, validationReference: null }
  const expiresAt = secondsAfter(clock.now(), VALIDATION_SECONDS)
  const row = { merchantId: merchant.id, validationReference, productCode, customerId, expiresAt }
  await inOneQuery(db, (tx) => insertValidation(tx, row))
  return { product, customerName, validationReference }
}

/** A merchant's request to pay a bill. */
export interface NewVend {
  readonly productCode: string
  readonly customerId: string
  readonly amount: Kobo | null
  readonly reference: string
  readonly validationReference: string | null
  readonly emailAddress: string | null
  readonly phoneNumber: string | null
}

/** Pays a bill: debits the wallet, asks the biller to deliver (at once or after an approval), and stores the result. */
export async function vendBill(
  deps: BillDeps,
  merchant: Merchant,
  requested: NewVend,
  maker?: Maker,
): Promise<VendRow> {
  const product = await deps.catalogue.product(requested.productCode)
  const validationReference = product.needsValidation ? requested.validationReference : null
  if (product.needsValidation && validationReference === null) throw billErrors.validationRequired()
  const draft = draftVend(deps, merchant, product, requested)
  const { emailAddress, phoneNumber } = requested
  const details = { validationReference, emailAddress, phoneNumber }
  const gate = approvalGate(merchant, maker, payableAmount(draft))
  const vend = gate.kind === 'none' ? draft : heldVend(draft, details)
  const order = vendOrder(deps.orders, vend)
  await unitOfWork(deps.core, async (unit) => {
    if (validationReference !== null) await checkValidation(unit.tx, vend, validationReference)
    await hold(unit, vend, order)
    if (gate.kind === 'approval')
      insertRequests(unit.tx, [requestFor(vend, 'BILL', vendFacts(vend), maker, gate.needed)])
  })
  if (gate.kind !== 'none') return vend
  return deps.vends.sendWith(order, vend, (rails) => sendVend(order, vend, details, rails))
}

function draftVend(
  { core: { clock, ids } }: BillDeps,
  merchant: Merchant,
  product: ListedProduct,
  requested: NewVend,
): VendRow {
  const vendAmount = amountOf(product, requested.amount)
  const createdAt = clock.now()
  return {
    merchantId: merchant.id,
    id: ids.id(),
    reference: requested.reference,
    transactionReference: ids.shortReference('KFBP'),
    status: 'PENDING',
    accountNumber: merchant.walletAccountNumber,
    productCode: product.code,
    productName: product.name,
    billerCode: product.biller.code,
    billerName: product.biller.name,
    customerId: requested.customerId,
    vendAmount,
    commission: commissionOn(product, vendAmount),
    description: 'Payment in progress',
    metadata: {},
    createdAt,
    completedAt: null,
    authorizeBy: null,
    heldDetails: null,
  }
}

async function checkValidation(tx: Tx, vend: VendRow, validationReference: string): Promise<void> {
  const { merchantId, productCode, customerId, createdAt } = vend
  const validation = await findValidation(tx, merchantId, validationReference)
  const holds =
    validation?.productCode === productCode && validation.customerId === customerId && validation.expiresAt > createdAt
  if (!holds) throw billErrors.notValidated()
}

/** Stores the vend and debits the wallet before the biller is called. */
async function hold(unit: UnitOfWork, vend: VendRow, order: OrderRow): Promise<void> {
  const { tx } = unit
  if (!(await insertVend(tx, vend))) throw billErrors.duplicateReference()
  const wallets = await openWallets(tx, [vend])
  if (!wallets.take(walletAct(vend, heldJournal(vend), 'Bill payment'))) throw insufficientBalance()
  placeOrders(unit, [order])
  wallets.write(unit)
}

/** Reads the current state of a payment to a biller. */
export async function requeryBill(db: Db, merchantId: bigint, reference: string): Promise<VendRow> {
  const vend = await findVend(db, merchantId, reference)
  if (vend === undefined) throw billErrors.notFound()
  return vend
}
