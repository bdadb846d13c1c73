import type { Core } from '../../core/core.ts'
import { ANY_ORIGIN, findOrigin, type Merchant, validSecrets } from '../../core/merchants/index.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import { canonicalJson } from '../../kernel/canonical-json.ts'
import { toNairaText } from '../../kernel/money.ts'
import type { Environment } from '../../platform/config/config.ts'
import { equalSecrets, hmacSha512Hex } from '../../platform/crypto.ts'
import {
  draftTransaction,
  type NewTransaction,
  openTransaction,
  type Transaction,
  transactionErrors,
  transactionReads,
  transactionRules,
} from '../transactions/index.ts'
import { checkoutErrors } from './errors.ts'
import { findFrame, insertFrame } from './repository.ts'
import { isPaused } from './show.ts'

/**
 * Prefix of references that a page may use without a signature. It keeps pages from taking references of the merchant's
 * server. A registered site may have its own prefix in addition.
 */
export const PAGE_REFERENCE_PREFIX = 'web-'

export interface InlineRequest {
  readonly apiKey: string
  /** The page's origin, as its browser reports it; undefined if no browser sent the request. */
  readonly origin: string | undefined
  readonly transaction: NewTransaction & { readonly paymentReference: string }
  /** The merchant's signature over this payment, if the page has it. */
  readonly signature: string | null
}

/**
 * Opens a transaction for a script on a merchant's page. A payer who closed the checkout and returns gets the same
 * transaction while it can be paid.
 */
export async function openInline(
  core: Core,
  environment: Environment,
  request: InlineRequest,
): Promise<{ readonly merchant: Merchant; readonly transaction: Transaction }> {
  const { apiKey, transaction: requested } = request
  const origin = checkOrigin(request.origin, environment)
  const merchant = await core.directory.byApiKey(apiKey)
  if (merchant === undefined) throw checkoutErrors.unknownMerchant()
  if (isPaused(merchant)) throw checkoutErrors.paused()
  const at = core.clock.now()
  checkAllowed(merchant, { ...request, origin }, environment, at)
  const draft = draftTransaction({ ids: core.ids, at }, merchant, requested)
  const isNew = await unitOfWork(core, async (unit) => {
    if (!(await openTransaction(unit, draft))) return false
    if (origin !== undefined) insertFrame(unit.tx, { merchantId: merchant.id, transactionId: draft.id, origin })
    return true
  })
  if (isNew) return { merchant, transaction: draft }
  const transaction = await findResumable(core, draft, origin)
  if (transaction === undefined) throw transactionErrors.duplicateReference()
  return { merchant, transaction }
}

/**
 * Finds the open transaction with a draft's reference, if the same site requests the same payment again. A transaction
 * opened by the merchant's server never matches: its link belongs to the payer who got it from the server.
 */
async function findResumable(
  { db, clock }: Core,
  draft: Transaction,
  origin: string | undefined,
): Promise<Transaction | undefined> {
  const { merchantId, paymentReference } = draft
  const known = await transactionReads.find(db, merchantId, { paymentReference })
  if (known === undefined || origin === undefined || transactionRules.checkOpen(known, clock.now()) !== undefined)
    return undefined
  if (requestedFields(known) !== requestedFields(draft)) return undefined
  return (await findFrame(db, merchantId, known.id)) === origin ? known : undefined
}

/** Returns the fields of a page's request as text. Requests with equal fields are taken to be of the same payer. */
const requestedFields = (row: Transaction): string =>
  canonicalJson([
    ...[row.contractCode, toNairaText(row.amount), row.currencyCode, row.customerEmail, row.customerName],
    ...[row.paymentDescription, row.paymentMethods, row.incomeSplitConfig, row.metaData],
  ])

const APP = /^app:[A-Za-z0-9._-]{1,255}$/
export const isApp = (origin: string): boolean => origin.startsWith('app:')

const ORIGIN = /^https?:\/\/[a-z0-9.:[\]-]{1,255}$/i

function checkOrigin(origin: string | undefined, environment: Environment): string | undefined {
  if (origin === undefined || APP.test(origin)) return origin
  if (!ORIGIN.test(origin)) throw checkoutErrors.noOrigin()
  if (environment === 'live' && !origin.startsWith('https:')) throw checkoutErrors.insecureOrigin()
  return origin
}

/**
 * Rejects what a page may not request. The API key is public on the page, and a program can send any origin. So an
 * unsigned request can neither use a reference of the merchant's server nor split the money.
 */
function checkAllowed(merchant: Merchant, request: InlineRequest, environment: Environment, at: Date): void {
  const { transaction, origin, signature } = request
  const { paymentReference, incomeSplitConfig } = transaction
  if (merchant.inlineOrigins.length === 0) throw checkoutErrors.inlineNotEnabled()
  const isSigned = signature !== null
  if (isSigned && !isSignedBy(merchant, transaction, signature, at)) throw checkoutErrors.wrongSignature()
  if (takesAnyPage(merchant, environment)) return
  const registered = origin === undefined ? undefined : findOrigin(merchant, origin)
  if (registered === undefined) throw checkoutErrors.originNotAllowed()
  if (isSigned) return
  const { prefix = PAGE_REFERENCE_PREFIX } = registered
  if (!paymentReference.startsWith(prefix) && !paymentReference.startsWith(PAGE_REFERENCE_PREFIX))
    throw checkoutErrors.referenceNotForPages(prefix)
  if (incomeSplitConfig.length > 0) throw checkoutErrors.splitsNotSigned()
}

/** Whether any page may open the merchant's checkout: only in the sandbox, before a site is registered. */
const takesAnyPage = ({ inlineOrigins }: Merchant, environment: Environment): boolean =>
  environment === 'sandbox' && inlineOrigins.includes(ANY_ORIGIN)

/** Whether a page of this origin may currently show the merchant's checkouts in a frame. */
export const mayFrame = (merchant: Merchant, origin: string, environment: Environment): boolean =>
  takesAnyPage(merchant, environment) || findOrigin(merchant, origin) !== undefined

function isSignedBy(
  merchant: Merchant,
  transaction: InlineRequest['transaction'],
  signature: string,
  at: Date,
): boolean {
  const { contractCode, paymentReference, amount, currencyCode, incomeSplitConfig } = transaction
  const text = [
    contractCode,
    paymentReference,
    toNairaText(amount),
    currencyCode,
    canonicalJson(incomeSplitConfig),
  ].join('|')
  return validSecrets(merchant, at).some(({ key }) => equalSecrets(hmacSha512Hex(key.reveal(), text), signature))
}
