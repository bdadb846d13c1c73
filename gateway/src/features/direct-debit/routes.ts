import type { Input } from '@kobo/contract'
import * as contract from '@kobo/contract'
import type { Serve } from '../../core/edge/http/index.ts'
import { inLanguage, type Pages, textsFor } from '../../core/edge/pages/index.ts'
import { fromDateTime, fromMoment, throughMoment } from '../../kernel/dates.ts'
import { ifKnown, invariant } from '../../kernel/errors.ts'
import { type Kobo, naira } from '../../kernel/money.ts'
import { showPage } from '../../platform/postgres/pagination.ts'
import { type Deps as DebitDeps, debitMandate, getDebit } from './debits.ts'
import { directDebitErrors } from './errors.ts'
import { LINK_PATH } from './link.ts'
import { afterDecision, mandatePage, readDecision } from './page.ts'
import { type DebitRow, type MandateKey, mandates as mandateTable } from './repository.ts'
import * as mandates from './service.ts'
import { showCreated, showDebit, showMandate } from './show.ts'

interface Deps extends mandates.Deps, DebitDeps {}

export function directDebitRoutes(serve: Serve, deps: Deps): void {
  const { core, links } = deps
  const { db } = core

  serve(
    contract.createMandate,
    async ({ body }, { merchant }) => showCreated(await mandates.createMandate(deps, merchant, readNewMandate(body))),
    async ({ body: { mandateReference } }, { merchant }, since) => {
      const mandate = await mandates.mandateSince(db, merchant.id, mandateReference, since)
      return mandate && showCreated(mandate)
    },
  )

  serve(contract.getMandates, async ({ query }, { merchant }) =>
    (await mandates.getMandates(db, merchant.id, query.mandateReferences)).map((row) => showMandate(row, links)),
  )

  serve(contract.listMandates, async ({ query }, { merchant }) => {
    const { startDate, endDate, customerEmail, mandateStatus, page, limit } = query
    const [from, to, through] = [read(fromMoment, startDate), read(fromMoment, endDate), read(throughMoment, endDate)]
    const filter = { from, to: through, customerEmail, mandateStatus }
    const found = await mandates.listMandates(db, merchant.id, filter, to, { page, size: limit })
    return showPage(found, (row) => showMandate(row, links))
  })

  serve(contract.cancelMandate, async ({ params }, { merchant }) => {
    const mandate = await mandates.requestCancellation(deps, merchant.id, params.mandateCode)
    return {
      responseMessage: 'Cancellation of the mandate has been requested.',
      mandateReference: mandate.mandateReference,
      mandateCode: mandate.mandateCode,
      mandateStatus: mandate.status,
    }
  })

  const showAccepted = (debit: DebitRow, mandateCode: string) => ({
    ...showDebit(debit, mandateCode),
    responseMessage: 'The debit has been accepted for processing',
  })

  serve(
    contract.debitMandate,
    async ({ body }, { merchant }) => {
      const debit = await debitMandate(deps, merchant, {
        mandateCode: body.mandateCode,
        paymentReference: body.paymentReference,
        amount: naira(body.debitAmount),
        narration: body.narration,
        customerEmail: body.customerEmail,
        incomeSplitConfig: body.incomeSplitConfig ?? [],
      })
      return showAccepted(debit, body.mandateCode)
    },
    async ({ body: { paymentReference, mandateCode, debitAmount } }, { merchant }, since) => {
      const debit = await ifKnown(getDebit(db, merchant.id, paymentReference))
      const matchesRequest = debit?.mandateCode === mandateCode && debit.amount === naira(debitAmount)
      return matchesRequest && debit.createdAt >= since ? showAccepted(debit, mandateCode) : undefined
    },
  )

  serve(contract.getDebitStatus, async ({ query }, { merchant }) => {
    const debit = await getDebit(db, merchant.id, query.paymentReference)
    return showDebit(debit, debit.mandateCode)
  })

  serve(contract.authorizeMandate, async ({ params }, { merchant }) =>
    showMandate(await mandates.decideMandate(deps, merchant.id, params, 'authorize'), links),
  )
}

/** Serves the page behind `authorizationLink`, on which the customer decides. */
export function mandatePages(pages: Pages, { core, links }: Pick<Deps, 'core' | 'links'>): void {
  const { db, clock, directory } = core
  const path = `${LINK_PATH}/:token`
  const keyOf = (token: string | undefined): MandateKey => {
    const key = links.read(token ?? '')
    if (key === undefined) throw directDebitErrors.unknownMandate()
    return key
  }

  pages.get(path, async (request) => {
    const key = keyOf(request.params['token'])
    const [mandate, merchant] = await Promise.all([mandateTable.find(db, key), directory.byId(key.merchantId)])
    if (mandate === undefined || merchant === undefined) throw directDebitErrors.unknownMandate()
    return { page: mandatePage(mandate, merchant, clock.now(), await textsFor(request)) }
  })

  pages.post(path, async ({ params, form, query }) => {
    const key = keyOf(params['token'])
    const decision = readDecision(form['decision'])
    if (decision === undefined) throw directDebitErrors.noDecision()
    const mandate = await mandates.decideMandate({ core }, key.merchantId, key, decision)
    return { seeOther: afterDecision(mandate, inLanguage(`${LINK_PATH}/${params['token']}`, query['lang'])) }
  })
}

const read = (reader: (wire: string) => Date | undefined, wire: string | undefined): Date | undefined =>
  wire === undefined ? undefined : reader(wire)

function readNewMandate(body: Input<typeof contract.createMandate>['body']): mandates.NewMandate {
  const { mandateStartDate, mandateEndDate, mandateAmount, debitAmount, customerAccountName, ...given } = body
  const startsAt = fromDateTime(mandateStartDate)
  const endsAt = fromDateTime(mandateEndDate)
  invariant(startsAt !== undefined && endsAt !== undefined, 'a clamped date is valid')
  return {
    contractCode: given.contractCode,
    mandateReference: given.mandateReference,
    customerName: given.customerName,
    customerEmailAddress: given.customerEmailAddress,
    customerPhoneNumber: given.customerPhoneNumber,
    customerAddress: given.customerAddress,
    customerAccountNumber: given.customerAccountNumber,
    customerAccountBankCode: given.customerAccountBankCode,
    customerAccountName: customerAccountName ?? given.customerName,
    mandateDescription: given.mandateDescription,
    redirectUrl: given.redirectUrl ?? null,
    autoRenew: given.autoRenew ?? false,
    customerCancellation: given.customerCancellation ?? false,
    mandateAmount: readAmount(mandateAmount),
    debitAmount: readAmount(debitAmount),
    startsAt,
    endsAt,
    language: given.language ?? null,
  }
}

const readAmount = (wire: number | string | null | undefined): Kobo | null => (wire == null ? null : naira(wire))
