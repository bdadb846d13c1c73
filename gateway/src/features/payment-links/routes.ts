import type { Input, Reply } from '@kobo/contract'
import * as contract from '@kobo/contract'
import type { Serve } from '../../core/edge/http/index.ts'
import type { Pages } from '../../core/edge/pages/index.ts'
import type { CustomerMails } from '../../core/messages/customer-mails.ts'
import { fromDateTime } from '../../kernel/dates.ts'
import { ifKnown } from '../../kernel/errors.ts'
import { naira } from '../../kernel/money.ts'
import { showPage } from '../../platform/postgres/pagination.ts'
import { type LinkPageDeps, linkPageRoutes } from './page-routes.ts'
import * as links from './service.ts'
import { linkUrl, showLink } from './show.ts'

export interface PaymentLinkDeps extends LinkPageDeps {
  readonly customerMails: CustomerMails
  readonly publicUrl: () => string
}

export function paymentLinkRoutes(serve: Serve, pages: Pages, deps: PaymentLinkDeps): void {
  const { core, publicUrl, customerMails } = deps
  const show = (link: links.PaymentLink): Reply<typeof contract.getPaymentLink> =>
    showLink(link, publicUrl(), core.clock.now())

  serve(
    contract.createPaymentLink,
    async ({ body }, { merchant }) => show(await links.createLink(core, merchant, readLink(body))),
    async ({ body: { linkReference, title } }, { merchant }, since) => {
      const link = await ifKnown(links.getLink(core.db, merchant.id, linkReference))
      return link && link.createdAt >= since && link.title === title ? show(link) : undefined
    },
  )

  serve(contract.getPaymentLink, async ({ params }, { merchant }) =>
    show(await links.getLink(core.db, merchant.id, params.linkReference)),
  )

  serve(contract.listPaymentLinks, async ({ query }, { merchant }) => {
    const found = await links.listLinks(core.db, merchant.id, query)
    return showPage(found, show)
  })

  serve(contract.disablePaymentLink, async ({ params }, { merchant }) =>
    show(await links.disableLink(core, merchant.id, params.linkReference)),
  )

  serve(contract.mailPaymentLink, async ({ params, body }, { merchant }) => {
    const urlOf = (link: links.PaymentLink): string => linkUrl(publicUrl(), link)
    return show(await links.mailLink({ core, customerMails }, merchant, params.linkReference, body, urlOf))
  })

  linkPageRoutes(pages, deps)
}

const readLink = (body: Input<typeof contract.createPaymentLink>['body']): links.NewLink => ({
  reference: body.linkReference,
  title: body.title,
  description: body.description || null,
  contractCode: body.contractCode,
  amount: body.amount == null ? null : naira(body.amount),
  usage: body.usage,
  paymentMethods: [...new Set(body.paymentMethods ?? [])],
  redirectUrl: body.redirectUrl ?? null,
  expiresAt: body.expiryDate == null ? null : (fromDateTime(body.expiryDate) ?? null),
})
