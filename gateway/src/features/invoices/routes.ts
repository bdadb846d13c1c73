import type { Input, Reply } from '@kobo/contract'
import * as contract from '@kobo/contract'
import type { Serve } from '../../core/edge/http/index.ts'
import type { CustomerMails } from '../../core/messages/customer-mails.ts'
import { fromDateTime } from '../../kernel/dates.ts'
import { ifKnown, invariant } from '../../kernel/errors.ts'
import { naira } from '../../kernel/money.ts'
import { showPage } from '../../platform/postgres/pagination.ts'
import type { CheckoutLinks } from '../transactions/index.ts'
import * as invoices from './service.ts'
import { showInvoice } from './show.ts'

export interface InvoiceDeps extends invoices.Deps {
  readonly customerMails: CustomerMails
  readonly links: CheckoutLinks
}

export function invoiceRoutes(serve: Serve, deps: InvoiceDeps): void {
  const { core, links } = deps
  const { db, clock } = core
  const show = (invoice: invoices.Invoice): Reply<typeof contract.getInvoice> =>
    showInvoice(invoice, links, clock.now())

  serve(
    contract.createInvoice,
    async ({ body }, { merchant }) => show(await invoices.createInvoice(deps, merchant, readInvoice(body))),
    async ({ body: { invoiceReference, amount } }, { merchant }, since) => {
      const invoice = await ifKnown(invoices.getInvoice(db, merchant.id, invoiceReference))
      return invoice && invoice.createdAt >= since && invoice.amount === naira(amount) ? show(invoice) : undefined
    },
  )

  serve(contract.getInvoice, async ({ params }, { merchant }) =>
    show(await invoices.getInvoice(db, merchant.id, params.invoiceReference)),
  )

  serve(contract.listInvoices, async ({ query }, { merchant }) => {
    const found = await invoices.listInvoices(db, merchant.id, query)
    return showPage(found, show)
  })

  serve(contract.cancelInvoice, async ({ params }, { merchant }) =>
    show(await invoices.cancelInvoice(core, merchant.id, params.invoiceReference)),
  )

  serve(contract.mailInvoice, async ({ params, body }, { merchant }) =>
    show(await invoices.mailInvoice(deps, merchant, params.invoiceReference, links, body.language)),
  )
}

function readInvoice(body: Input<typeof contract.createInvoice>['body']): invoices.NewInvoice {
  const expiryDate = fromDateTime(body.expiryDate)
  invariant(expiryDate !== undefined, 'a clamped date is valid')
  return {
    amount: naira(body.amount),
    currencyCode: body.currencyCode,
    contractCode: body.contractCode,
    invoiceReference: body.invoiceReference,
    customerName: body.customerName,
    customerEmail: body.customerEmail,
    description: body.description,
    expiryDate,
    redirectUrl: body.redirectUrl ?? null,
    paymentMethods: [...new Set(body.paymentMethods ?? [])],
    incomeSplitConfig: body.incomeSplitConfig ?? [],
    items: (body.items ?? []).map((item) => ({ ...item, unitPrice: naira(item.unitPrice) })),
    accountReference: body.accountReference || undefined,
  }
}
