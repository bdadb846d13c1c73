import { transactionRefusals } from '@kobo/contract'
import { type PageRequest, type PageResponse, type Pages, textsFor } from '../../core/edge/pages/index.ts'
import type { MerchantDirectory } from '../../core/merchants/index.ts'
import { invariant, refusal } from '../../kernel/errors.ts'
import { hidden } from '../../kernel/hidden.ts'
import type { AccessControl } from '../../rails/simulated/index.ts'
import type { CheckoutLinks } from '../transactions/index.ts'
import { challengePage, endedPage } from './challenge-page.ts'
import type { Charge } from './conclude.ts'
import type { Cards } from './service.ts'

const CHALLENGE_PATH = '/sandbox/3ds/:reference'
const RETURN_PATH = '/3ds/:reference'
const UNPROCESSABLE = 422

const unknownChallenge = refusal({ ...transactionRefusals.notFound, text: 'There is no such payment' })

export interface ChallengeDeps {
  readonly cards: Cards
  readonly directory: MerchantDirectory
  readonly pages: Pages
  readonly links: CheckoutLinks
}

/** Serves the page to which issuers send card holders back: we query the outcome, record it, and redirect. */
export function returnPages({ cards, pages, links }: ChallengeDeps): void {
  const back = async ({ params }: PageRequest): Promise<PageResponse> => {
    const charge = await cards.challenged(params['reference'] ?? '')
    if (charge === undefined) throw unknownChallenge()
    return { seeOther: returnUrl(charge, links) }
  }
  pages.get(RETURN_PATH, back)
  pages.post(RETURN_PATH, back)
}

/**
 * Serves the simulated issuer's access control for 3-D Secure. We record the holder's decision before the browser goes
 * back, so the merchant does not have to query it.
 */
export function challengePages({ cards, directory, pages, links }: ChallengeDeps, accessControl: AccessControl): void {
  async function readChallenge(request: PageRequest) {
    const charge = await cards.challenged(request.params['reference'] ?? '')
    if (charge === undefined) throw unknownChallenge()
    const merchant = await directory.byId(charge.attempt.merchantId)
    invariant(merchant !== undefined, 'an attempt belongs to a merchant')
    const spoken = await textsFor(request)
    return { charge, merchantName: merchant.name, returnUrl: returnUrl(charge, links), spoken }
  }

  pages.get(CHALLENGE_PATH, async (request) => {
    const shown = await readChallenge(request)
    return { page: shown.charge.isChallengeOpen ? challengePage(shown, false) : endedPage(shown) }
  })

  pages.post(CHALLENGE_PATH, async (request): Promise<PageResponse> => {
    const shown = await readChallenge(request)
    const { reference } = shown.charge.attempt
    if (!shown.charge.isChallengeOpen) return { seeOther: shown.returnUrl }
    const { decision, otp = '' } = request.form
    // The merchant's page may also send the browser here by POST, before the holder has decided anything.
    if (decision !== 'approve' && decision !== 'refuse') return { page: challengePage(shown, false) }
    const response =
      decision === 'approve'
        ? await accessControl.approve(reference, hidden(otp))
        : await accessControl.refuse(reference)
    if (response === 'wrong otp') return { page: challengePage(shown, true), status: UNPROCESSABLE }
    await cards.challenged(reference)
    return { seeOther: shown.returnUrl }
  })
}

/**
 * Returns the holder's next page: the merchant's redirect URL, or the hosted checkout if there is none. A holder who
 * came from the hosted checkout goes back there, to choose another payment method if needed.
 */
function returnUrl({ attempt, transaction }: Charge, links: CheckoutLinks): string {
  const { redirectUrl, paymentReference, transactionReference } = transaction
  if (attempt.channel === 'WEB_SDK' || redirectUrl === null || !URL.canParse(redirectUrl))
    return links.urlOf(transactionReference)
  const address = new URL(redirectUrl)
  address.searchParams.set('paymentReference', paymentReference)
  return address.href
}
