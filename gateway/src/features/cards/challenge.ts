import { transactionRefusals } from '@kobo/contract'
import type { PageAnswer, PageRequest, Pages } from '../../core/edge/pages/index.ts'
import type { MerchantDirectory } from '../../core/merchants/index.ts'
import { invariant, refusal } from '../../kernel/errors.ts'
import { hidden } from '../../kernel/hidden.ts'
import type { AccessControl } from '../../rails/simulated/index.ts'
import type { CheckoutLinks } from '../transactions/index.ts'
import { answeredPage, challengePage } from './challenge-page.ts'
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

/** Where issuers send card holders back to us: what they decided is asked about and written down, then they go on. */
export function returnPages({ cards, pages, links }: ChallengeDeps): void {
  const back = async ({ params }: PageRequest): Promise<PageAnswer> => {
    const charge = await cards.challenged(params['reference'] ?? '')
    if (charge === undefined) throw unknownChallenge()
    return { seeOther: returnUrl(charge, links) }
  }
  pages.get(RETURN_PATH, back)
  pages.post(RETURN_PATH, back)
}

/**
 * The simulated issuer's access control, where a card with 3-D Secure sends its holder. What the holder decides is written down
 * here, before the browser goes back: the merchant need not ask.
 */
export function challengePages({ cards, directory, pages, links }: ChallengeDeps, accessControl: AccessControl): void {
  async function look(reference: string | undefined) {
    const charge = await cards.challenged(reference ?? '')
    if (charge === undefined) throw unknownChallenge()
    const merchant = await directory.byId(charge.attempt.merchantId)
    invariant(merchant !== undefined, 'an attempt belongs to a merchant')
    return { charge, merchantName: merchant.name, returnUrl: returnUrl(charge, links) }
  }

  pages.get(CHALLENGE_PATH, async ({ params }) => {
    const shown = await look(params['reference'])
    return { page: shown.charge.isAsked ? challengePage(shown, false) : answeredPage(shown) }
  })

  pages.post(CHALLENGE_PATH, async ({ params, form }): Promise<PageAnswer> => {
    const shown = await look(params['reference'])
    const { reference } = shown.charge.attempt
    if (!shown.charge.isAsked) return { seeOther: shown.returnUrl }
    const { decision, otp = '' } = form
    // A browser that was told to post itself here has not decided anything yet.
    if (decision !== 'approve' && decision !== 'refuse') return { page: challengePage(shown, false) }
    const said =
      decision === 'approve'
        ? await accessControl.approve(reference, hidden(otp))
        : await accessControl.refuse(reference)
    if (said === 'wrong otp') return { page: challengePage(shown, true), status: UNPROCESSABLE }
    await cards.challenged(reference)
    return { seeOther: shown.returnUrl }
  })
}

/**
 * Where the holder goes from the issuer: to the merchant's own page, or else to the receipt. Whoever came from the hosted
 * checkout goes back there, where another way to pay can be chosen.
 */
function returnUrl({ attempt, transaction }: Charge, links: CheckoutLinks): string {
  const { redirectUrl, paymentReference, transactionReference } = transaction
  if (attempt.channel === 'WEB_SDK' || redirectUrl === null || !URL.canParse(redirectUrl))
    return links.urlOf(transactionReference)
  const address = new URL(redirectUrl)
  address.searchParams.set('paymentReference', paymentReference)
  return address.href
}
