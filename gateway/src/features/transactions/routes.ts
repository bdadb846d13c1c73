import type { Input, Reply } from '@kobo/contract'
import * as contract from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import type { Serve } from '../../core/edge/http/index.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import { fromMoment, throughMoment } from '../../kernel/dates.ts'
import { naira } from '../../kernel/money.ts'
import { showPage } from '../../platform/postgres/pagination.ts'
import type { CheckoutLinks } from './checkout-links.ts'
import type { NewTransaction } from './draft.ts'
import { searchTransactions, type TransactionFilter, type TransactionRow } from './repository.ts'
import * as transactions from './service.ts'
import { showListed, showStatus } from './show.ts'
import { getTransaction, queryTransaction, type ReadStatus } from './status.ts'

interface Deps {
  readonly core: Core
  readonly init: transactions.InitLane
  readonly readStatus: ReadStatus
  readonly links: CheckoutLinks
}

export function transactionRoutes(serve: Serve, { core, init, readStatus, links }: Deps): void {
  const { db, clock, ids } = core

  const show = (
    transaction: TransactionRow,
    merchant: Merchant,
    { incomeSplitConfig }: Input<typeof contract.initTransaction>['body'],
  ): Reply<typeof contract.initTransaction> => ({
    transactionReference: transaction.transactionReference,
    paymentReference: transaction.paymentReference,
    merchantName: merchant.name,
    apiKey: merchant.apiKey,
    enabledPaymentMethod: [...transaction.paymentMethods],
    checkoutUrl: links.urlOf(transaction.transactionReference),
    ...(transaction.redirectUrl === null ? {} : { redirectUrl: transaction.redirectUrl }),
    ...(incomeSplitConfig?.length ? { incomeSplitConfig } : {}),
  })

  serve(
    contract.initTransaction,
    async ({ body }, { merchant }) => {
      const requested = readNewTransaction(body)
      return show(await transactions.initTransaction({ clock, ids, init }, merchant, requested), merchant, body)
    },
    async ({ body }, { merchant }, since) => {
      const recovered = await transactions.openedSince(db, merchant.id, readNewTransaction(body), since)
      return recovered && show(recovered.transaction, merchant, body)
    },
  )

  serve(contract.searchTransactions, async ({ query }, { merchant }) => {
    const found = await searchTransactions(db, merchant.id, readFilter(query), query)
    return showPage(found, (row) => showListed(row, merchant))
  })

  serve(contract.getTransaction, async ({ params }, { merchant }) =>
    showStatus(await getTransaction(readStatus, merchant.id, params.transactionReference)),
  )

  serve(contract.queryTransaction, async ({ query }, { merchant }) =>
    showStatus(await queryTransaction(readStatus, merchant.id, query)),
  )

  serve(contract.addTransactionNote, async ({ params, body }, { merchant, person, by }) => {
    const { transactionReference } = params
    await transactions.addNote(core, merchant.id, transactionReference, { author: person.email, text: body.text }, by)
    return {}
  })

  serve(contract.cancelTransaction, async ({ params }, { merchant }) =>
    showStatus(await transactions.cancelByReference(core, merchant.id, params.transactionReference)),
  )
}

const readNewTransaction = (body: Input<typeof contract.initTransaction>['body']): NewTransaction => ({
  amount: naira(body.amount),
  paymentReference: body.paymentReference,
  contractCode: body.contractCode,
  currencyCode: body.currencyCode,
  customerName: body.customerName ?? null,
  customerEmail: body.customerEmail,
  paymentDescription: body.paymentDescription ?? null,
  redirectUrl: body.redirectUrl ?? null,
  paymentMethods: [...new Set(body.paymentMethods ?? [])],
  incomeSplitConfig: body.incomeSplitConfig ?? [],
  metaData: body.metaData ?? body.metadata ?? {},
})

function readFilter(query: Input<typeof contract.searchTransactions>['query']): TransactionFilter {
  const { page: _page, size: _size, amount, fromAmount, toAmount, from, to, ...exact } = query
  return {
    ...exact,
    amount: amount === undefined ? undefined : naira(amount),
    fromAmount: fromAmount === undefined ? undefined : naira(fromAmount),
    toAmount: toAmount === undefined ? undefined : naira(toAmount),
    from: from === undefined ? undefined : fromMoment(from),
    to: to === undefined ? undefined : throughMoment(to),
  }
}
