import type { Core } from '../../core/core.ts'
import { ANY_ORIGIN, type Merchant, validSecrets } from '../../core/merchants/index.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import { canonicalJson } from '../../kernel/canonical-json.ts'
import { toNairaText } from '../../kernel/money.ts'
import type { Environment } from '../../platform/config.ts'
import { equalSecrets, hmacSha512Hex } from '../../platform/crypto.ts'
import {
  checkOpen,
  draftTransaction,
  findTransaction,
  type NewTransaction,
  openTransaction,
  type TransactionRow,
  transactionErrors,
} from '../transactions/index.ts'
import { checkoutErrors } from './errors.ts'
import { findFrame, insertFrame } from './repository.ts'
import { isPaused } from './show.ts'

/** What pages may call their payments without a signature: so they take no reference that the merchant's server uses. */
export const PAGE_REFERENCE_PREFIX = 'web-'

/** What the inline script sends. */
export interface InlineWish {
  readonly apiKey: string
  /** The site on whose page it runs, as its browser tells; undefined where no browser asks. */
  readonly origin: string | undefined
  readonly wanted: NewTransaction & { readonly paymentReference: string }
  /** That the merchant's own server wants this payment, where the page has it. */
  readonly signature: string | null
}

/**
 * Opens a transaction for a script on a merchant's page. A payer who closed the checkout and comes back gets the same one,
 * while it can be paid: nothing is opened twice.
 */
export async function openInline(
  core: Core,
  environment: Environment,
  wish: InlineWish,
): Promise<{ readonly merchant: Merchant; readonly transaction: TransactionRow }> {
  const { apiKey, wanted } = wish
  const origin = checkOrigin(wish.origin, environment)
  const merchant = await core.directory.byApiKey(apiKey)
  if (merchant === undefined) throw checkoutErrors.unknownMerchant()
  if (isPaused(merchant)) throw checkoutErrors.paused()
  const at = core.clock.now()
  checkAllowed(merchant, { ...wish, origin }, environment, at)
  const draft = draftTransaction({ ids: core.ids, at }, merchant, wanted)
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
 * The transaction that has the reference of a draft, where the same site asks for the same once more and it can still be
 * paid. What a merchant's server opened is none: its link is for whom the server gave it to.
 */
async function findResumable(
  { db, clock }: Core,
  draft: TransactionRow,
  origin: string | undefined,
): Promise<TransactionRow | undefined> {
  const { merchantId, paymentReference } = draft
  const known = await findTransaction(db, merchantId, { paymentReference })
  if (known === undefined || origin === undefined || checkOpen(known, clock.now()) !== undefined) return undefined
  if (askedFor(known) !== askedFor(draft)) return undefined
  return (await findFrame(db, merchantId, known.id)) === origin ? known : undefined
}

/** All that a page asks for: two who ask for the same are the same payer. */
const askedFor = (row: TransactionRow): string =>
  canonicalJson([
    ...[row.contractCode, toNairaText(row.amount), row.currencyCode, row.customerEmail, row.customerName],
    ...[row.paymentDescription, row.paymentMethods, row.incomeSplitConfig, row.metaData],
  ])

const ORIGIN = /^https?:\/\/[a-z0-9.:[\]-]{1,255}$/i

function checkOrigin(origin: string | undefined, environment: Environment): string | undefined {
  if (origin === undefined) return undefined
  if (!ORIGIN.test(origin)) throw checkoutErrors.noOrigin()
  if (environment === 'live' && !origin.startsWith('https:')) throw checkoutErrors.insecureOrigin()
  return origin
}

/**
 * Refuses what a page may not ask for. The API key is on the page for all to read, and a program can send any origin: so
 * what is not signed by the merchant takes no reference of its server's, and gives nobody a share of the money.
 */
function checkAllowed(merchant: Merchant, wish: InlineWish, environment: Environment, at: Date): void {
  const { wanted, origin, signature } = wish
  const { paymentReference, incomeSplitConfig } = wanted
  if (merchant.inlineOrigins.length === 0) throw checkoutErrors.inlineNotEnabled()
  const isSigned = signature !== null
  if (isSigned && !isSignedBy(merchant, wanted, signature, at)) throw checkoutErrors.wrongSignature()
  if (takesAnyPage(merchant, environment)) return
  if (origin === undefined || !merchant.inlineOrigins.includes(origin)) throw checkoutErrors.originNotAllowed()
  if (isSigned) return
  if (!paymentReference.startsWith(PAGE_REFERENCE_PREFIX))
    throw checkoutErrors.referenceNotForPages(PAGE_REFERENCE_PREFIX)
  if (incomeSplitConfig.length > 0) throw checkoutErrors.splitsNotSigned()
}

/** In the sandbox a merchant starts so: whoever tries the script out has registered nothing yet. */
const takesAnyPage = ({ inlineOrigins }: Merchant, environment: Environment): boolean =>
  environment === 'sandbox' && inlineOrigins.includes(ANY_ORIGIN)

/** Whether a page of this origin may, as things are now, show checkouts of the merchant in a frame. */
export const mayFrame = (merchant: Merchant, origin: string, environment: Environment): boolean =>
  takesAnyPage(merchant, environment) || merchant.inlineOrigins.includes(origin)

function isSignedBy(merchant: Merchant, wanted: InlineWish['wanted'], signature: string, at: Date): boolean {
  const { contractCode, paymentReference, amount, currencyCode, incomeSplitConfig } = wanted
  const text = [
    contractCode,
    paymentReference,
    toNairaText(amount),
    currencyCode,
    canonicalJson(incomeSplitConfig),
  ].join('|')
  return validSecrets(merchant, at).some(({ key }) => equalSecrets(hmacSha512Hex(key.reveal(), text), signature))
}
