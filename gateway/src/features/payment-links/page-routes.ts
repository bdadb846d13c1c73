import type { LinkPage } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import {
  brandStyles,
  inLanguage,
  languageOf,
  type PageRequest,
  type PageResponse,
  type Pages,
  pageWriter,
} from '../../core/edge/pages/index.ts'
import { logoPath, type Merchant } from '../../core/merchants/index.ts'
import { fromNaira, toNaira } from '../../kernel/money.ts'
import type { Environment } from '../../platform/config/config.ts'
import { trusted } from '../../platform/formats/html.ts'
import type { Counter } from '../../platform/http/rate-limit.ts'
import { httpErrors } from '../../platform/http/server.ts'
import { type CheckoutLinks, transactionRules } from '../transactions/index.ts'
import { paymentLinkErrors } from './errors.ts'
import { type LinkPayer, linkStatus, openedLink, openThroughLink, type PaymentLink } from './service.ts'

/** Payments that may be started per minute and IP address. Many payers may share an address. */
const OPENED_PER_MINUTE_MAX = 60
/** Requests for unknown links that are allowed per minute and IP address. */
const GUESSES_PER_MINUTE_MAX = 30
const UNPROCESSABLE = 422
const NAME_LENGTH_MAX = 255
const EMAIL = /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/
const EMAIL_LENGTH_MAX = 254

export interface LinkPageDeps {
  readonly core: Core
  readonly environment: Environment
  readonly links: CheckoutLinks
  /** Creates a counter per IP address, which has no limit if rate limits are off. */
  readonly openCounter: (perMinute: number) => Counter
}

type Field = LinkPage['wrong'][number]

/** Serves the page of a payment link: a form that redirects to the checkout of a transaction. It needs no script. */
export function linkPageRoutes(pages: Pages, { core, environment, links, openCounter }: LinkPageDeps): void {
  const [opened, guesses] = [openCounter(OPENED_PER_MINUTE_MAX), openCounter(GUESSES_PER_MINUTE_MAX)]

  async function find({ params, address }: PageRequest) {
    const found = await openedLink(core, params['slug'] ?? '')
    if (found !== undefined) return found
    limit(guesses, address)
    throw paymentLinkErrors.notFound()
  }

  async function respond(
    request: PageRequest,
    { merchant, link }: { readonly merchant: Merchant; readonly link: PaymentLink },
    wrong: readonly Field[] = [],
  ): Promise<PageResponse> {
    const writer = await pageWriter()
    const language = languageOf(writer, request)
    const { title, description, amount } = link
    const { amount: sum = '', name = '', email = '' } = request.form
    const { title: head, markup } = writer.writeLink(
      {
        merchantName: merchant.name,
        merchantLogo: logoPath(merchant),
        title,
        description,
        amount: amount === null ? null : toNaira(amount),
        state: stateOf(merchant, link, core.clock.now()),
        isSandbox: environment === 'sandbox',
        written: { amount: sum, name, email },
        wrong,
      },
      language,
    )
    return {
      page: {
        title: head,
        language,
        body: trusted(markup),
        styles: brandStyles(merchant),
        isFormResult: wrong.length > 0,
      },
      ...(wrong.length > 0 ? { status: UNPROCESSABLE } : {}),
    }
  }

  pages.get('/pay/:slug', async (request) => respond(request, await find(request)))

  pages.post('/pay/:slug', async (request) => {
    limit(opened, request.address)
    const found = await find(request)
    const { link, merchant } = found
    if (stateOf(merchant, link, core.clock.now()) !== 'OPEN') return respond(request, found)
    const read = readPayer(request.form, link)
    if ('wrong' in read) return respond(request, found, read.wrong)
    const transaction = await openThroughLink(core, merchant, link, read)
    // The link no longer takes payments. For example, another payer has just paid a single-use link.
    if (transaction === undefined) return respond(request, await find(request))
    return { seeOther: inLanguage(links.urlOf(transaction.transactionReference), request.query['lang']) }
  })
}

function stateOf({ standing }: Merchant, link: PaymentLink, at: Date): LinkPage['state'] {
  const status = linkStatus(link, at)
  if (status === 'PAID') return 'PAID'
  if (status !== 'ACTIVE') return 'OVER'
  return standing === 'ACTIVE' && !isPaidInPart(link) ? 'OPEN' : 'PAUSED'
}

/** Whether someone is paying an active single-use link in parts. */
const isPaidInPart = ({ transaction }: PaymentLink): boolean => transaction?.status === 'PARTIALLY_PAID'

/** Returns the payer's input, or the names of its invalid fields. */
function readPayer(
  { amount = '', name = '', email = '' }: PageRequest['form'],
  { amount: amountDue }: PaymentLink,
): LinkPayer | { readonly wrong: readonly Field[] } {
  const sum = amountDue ?? fromNaira(amount.replace(/[₦,\s]/g, ''))
  const [payerName, payerEmail] = [name.trim(), email.trim()]
  const wrong: readonly (Field | false)[] = [
    (sum === undefined || sum < transactionRules.amountMin) && 'amount',
    (payerName === '' || payerName.length > NAME_LENGTH_MAX) && 'name',
    (!EMAIL.test(payerEmail) || payerEmail.length > EMAIL_LENGTH_MAX) && 'email',
  ]
  const all = wrong.filter((field) => field !== false)
  return sum === undefined || all.length > 0 ? { wrong: all } : { amount: sum, name: payerName, email: payerEmail }
}

/** Counts a request of an IP address, or rejects it if the address has reached the limit. */
function limit(counter: Counter, address: string): void {
  const waitSeconds = counter.usedUp(address)
  if (waitSeconds !== undefined) throw httpErrors.tooManyRequests(waitSeconds)
  counter.count(address)
}
