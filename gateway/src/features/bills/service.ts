import type { Journal } from '../../core/ledger/index.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import { insufficientBalance, openWallets, type WalletAct } from '../../core/wallets/index.ts'
import { type Clock, secondsAfter } from '../../kernel/clock.ts'
import { invariant } from '../../kernel/errors.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { next } from '../../kernel/machine.ts'
import type { Kobo } from '../../kernel/money.ts'
import { type Db, inOneStatement, inTransaction, type Tx } from '../../platform/db.ts'
import type { BillerRail, VendOutcome } from '../../rails/biller.ts'
import { amountOf, commissionOn, type ListedProduct, type Shop } from './catalogue.ts'
import { billErrors } from './errors.ts'
import { heldJournal, paidJournal, returnedJournal } from './journals.ts'
import { type BillTrigger, billMachine } from './machine.ts'
import {
  findValidation,
  findVend,
  insertValidation,
  insertVend,
  lockVend,
  updateVends,
  type VendKey,
  type VendRow,
} from './repository.ts'

const VALIDATION_SECONDS = 1_800
/** When the biller is first asked about a vend whose outcome it has not told. Longer than any answer is waited for. */
const FIRST_ASK_SECONDS = 60

export interface BillDeps {
  readonly db: Db
  readonly clock: Clock
  readonly ids: IdSource
  readonly rail: BillerRail
  readonly shop: Shop
  readonly pokeDelivery: () => void
}

/** A customer as the biller knows it, and the reference that a vend must carry, where it must. */
export interface ValidatedCustomer {
  readonly product: ListedProduct
  readonly customerName: string | null
  readonly validationReference: string | null
}

/** Asks the biller whether it knows a customer. */
export async function validateCustomer(
  { db, clock, ids, rail, shop }: BillDeps,
  merchant: Merchant,
  { productCode, customerId }: { readonly productCode: string; readonly customerId: string },
): Promise<ValidatedCustomer> {
  const product = await shop.product(productCode)
  const validationReference = ids.shortReference('KFBV')
  const answer = await rail.validateCustomer({ reference: validationReference, productCode, customerId })
  if (answer.kind === 'unavailable') throw billErrors.unavailable()
  if (answer.kind === 'invalid') throw billErrors.unknownCustomer(answer.reason)
  const { customerName } = answer
  if (!product.needsValidation) return { product, customerName, validationReference: null }
  const expiresAt = secondsAfter(clock.now(), VALIDATION_SECONDS)
  const row = { merchantId: merchant.id, validationReference, productCode, customerId, expiresAt }
  await inOneStatement(db, (tx) => insertValidation(tx, row))
  return { product, customerName, validationReference }
}

/** What a merchant asks to be paid. */
export interface WantedVend {
  readonly productCode: string
  readonly customerId: string
  readonly amount: Kobo | null
  readonly reference: string
  readonly validationReference: string | null
  readonly emailAddress: string | null
  readonly phoneNumber: string | null
}

/** Pays a bill: takes the money from the wallet, asks the biller to deliver, and writes down what came of it. */
export async function vendBill(deps: BillDeps, merchant: Merchant, wanted: WantedVend): Promise<VendRow> {
  const product = await deps.shop.product(wanted.productCode)
  const validationReference = product.needsValidation ? wanted.validationReference : null
  if (product.needsValidation && validationReference === null) throw billErrors.validationRequired()
  const vend = draftVend(deps, merchant, product, wanted)
  await inTransaction(deps.db, async (tx) => {
    if (validationReference !== null) await checkValidation(tx, vend, validationReference)
    await hold(tx, deps.ids, vend)
  })
  const { productCode, customerId, emailAddress, phoneNumber } = wanted
  const outcome = await deps.rail.vend({
    reference: vend.transactionReference,
    productCode,
    customerId,
    amount: vend.vendAmount,
    validationReference,
    emailAddress,
    phoneNumber,
  })
  return settleVend(deps, vend, outcome)
}

function draftVend({ clock, ids }: BillDeps, merchant: Merchant, product: ListedProduct, wanted: WantedVend): VendRow {
  const vendAmount = amountOf(product, wanted.amount)
  const createdAt = clock.now()
  return {
    merchantId: merchant.id,
    id: ids.id(),
    reference: wanted.reference,
    transactionReference: ids.shortReference('KFBP'),
    status: 'PENDING',
    accountNumber: merchant.walletAccountNumber,
    productCode: product.code,
    productName: product.name,
    billerCode: product.biller.code,
    billerName: product.biller.name,
    customerId: wanted.customerId,
    vendAmount,
    commission: commissionOn(product, vendAmount),
    description: 'Payment in progress',
    metadata: {},
    createdAt,
    completedAt: null,
    asked: 0,
    nextAskAt: secondsAfter(createdAt, FIRST_ASK_SECONDS),
  }
}

async function checkValidation(tx: Tx, vend: VendRow, validationReference: string): Promise<void> {
  const { merchantId, productCode, customerId, createdAt } = vend
  const validation = await findValidation(tx, merchantId, validationReference)
  const holds =
    validation?.productCode === productCode && validation.customerId === customerId && validation.expiresAt > createdAt
  if (!holds) throw billErrors.notValidated()
}

/** Writes down the intention: the vend, and its money taken from the wallet. */
async function hold(tx: Tx, ids: IdSource, vend: VendRow): Promise<void> {
  if (!(await insertVend(tx, vend))) throw billErrors.duplicateReference()
  const wallets = await openWallets(tx, [vend])
  if (!wallets.take(walletAct(vend, heldJournal(vend), 'Bill payment'))) throw insufficientBalance()
  wallets.write({ tx, ids, at: vend.createdAt, wake: () => {} })
}

const walletAct = (vend: VendRow, journal: Journal, message: string): WalletAct => ({
  journal,
  reference: vend.reference,
  transactionReference: vend.transactionReference,
  narration: null,
  message: `${message}: ${vend.productName}, ${vend.customerId}`,
})

/**
 * The one door through which a vend ends, for the answer to the vend itself and for every later one. An outcome that is
 * still not known changes nothing, nor does one that arrives when the vend has ended.
 */
export async function settleVend(
  { db, clock, ids, pokeDelivery }: Pick<BillDeps, 'db' | 'clock' | 'ids' | 'pokeDelivery'>,
  key: VendKey,
  outcome: VendOutcome | { readonly kind: 'not found' },
): Promise<VendRow> {
  const settled = await inTransaction(db, async (tx) => {
    const vend = await lockVend(tx, key)
    invariant(vend !== undefined, 'a vend that is under way was written down')
    const at = clock.now()
    const ended = afterOutcome(vend, outcome, at)
    if (ended === undefined) return vend
    const wallets = await openWallets(tx, [vend])
    const act =
      ended.status === 'SUCCESS'
        ? walletAct(ended, paidJournal(ended), 'Bill paid')
        : walletAct(ended, returnedJournal(ended), 'Bill payment returned')
    invariant(wallets.take(act), 'what is under way neither needs nor lacks money of the wallet')
    updateVends(tx, [ended])
    wallets.write({ tx, ids, at, wake: () => {} })
    return ended
  })
  pokeDelivery()
  return settled
}

/** The vend after what the biller says, or undefined where that ends nothing. Pure. */
function afterOutcome(
  vend: VendRow,
  outcome: VendOutcome | { readonly kind: 'not found' },
  at: Date,
): VendRow | undefined {
  switch (outcome.kind) {
    case 'vended':
      return ended(vend, 'succeed', at, outcome.description, outcome.metadata)
    case 'failed':
      return ended(vend, 'fail', at, outcome.reason)
    case 'not found':
      return ended(vend, 'fail', at, 'The biller did not receive the payment')
    case 'pending':
    case 'unknown':
      return undefined
  }
}

function ended(
  vend: VendRow,
  trigger: BillTrigger,
  completedAt: Date,
  description: string,
  metadata: VendRow['metadata'] = {},
): VendRow | undefined {
  const status = next(billMachine, vend.status, trigger)
  return status === undefined ? undefined : { ...vend, status, description, metadata, completedAt, nextAskAt: null }
}

/** A payment to a biller as it stands now. */
export async function requeryBill(db: Db, merchantId: bigint, reference: string): Promise<VendRow> {
  const vend = await findVend(db, merchantId, reference)
  if (vend === undefined) throw billErrors.notFound()
  return vend
}
