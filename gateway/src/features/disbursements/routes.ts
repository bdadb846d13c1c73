import type { Input } from '@kobo/contract'
import * as contract from '@kobo/contract'
import type { Serve } from '../../core/edge/http/index.ts'
import { fromMoment, throughMoment } from '../../kernel/dates.ts'
import { ifKnown } from '../../kernel/errors.ts'
import { hidden } from '../../kernel/hidden.ts'
import { fromNaira, naira, toNaira, ZERO } from '../../kernel/money.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { numberedPage, showPage } from '../../platform/postgres/pagination.ts'
import * as batches from './batch.ts'
import { selectBatches, selectTransfers, type TransferFilter } from './repository.ts'
import * as service from './service.ts'
import { showBatch, showResult, showSummary, showTransfer } from './show.ts'

const CODE_SENT = 'The authorization code has been sent by email'

interface Deps extends batches.BatchDeps {
  readonly readBalances: service.ReadBalances
}

export function disbursementRoutes(serve: Serve, deps: Deps): void {
  transferRoutes(serve, deps)
  batchRoutes(serve, deps)
}

function transferRoutes(serve: Serve, deps: Deps): void {
  const { core, enquiries, readBalances } = deps
  const { db } = core

  serve(contract.validateAccount, async ({ query: { accountNumber, bankCode } }) => ({
    accountNumber,
    accountName: await service.accountName(enquiries.transfer, { bankCode, accountNumber }, 'accountNumber'),
    bankCode,
    currencyCode: service.CURRENCY_CODE,
  }))

  serve(
    contract.initiateTransfer,
    async ({ body }, { merchant, person }) =>
      showResult(await service.initiateTransfer(deps, merchant, readTransfer(body), person)),
    async ({ body }, { merchant }, since) => {
      const transfer = await ifKnown(service.getTransfer(db, merchant.id, body.reference))
      const isRecovered =
        transfer && transfer.createdAt >= since && service.matchesRequest(transfer, readTransfer(body))
      return isRecovered ? showResult(transfer) : undefined
    },
  )

  serve(contract.authorizeTransfer, async ({ body: { reference, authorizationCode } }, { merchant }) =>
    showResult(await service.authorizeTransfer(deps, merchant.id, reference, authorizationCode)),
  )

  serve(contract.resendTransferCode, async ({ body }, { merchant }) => {
    await service.resend(deps, merchant, body.reference, 'transfer')
    return { message: CODE_SENT }
  })

  serve(contract.getTransfer, async ({ query }, { merchant }) =>
    showTransfer(await service.getTransfer(db, merchant.id, query.reference)),
  )

  serve(contract.listTransfers, ({ query }, { merchant }) => transferPage(db, merchant.id, { batchId: null }, query))

  serve(contract.searchTransfers, async ({ query }, { merchant }) => {
    await service.getBalances(readBalances, merchant.id, query.sourceAccountNumber)
    return transferPage(db, merchant.id, readFilter(query), query)
  })

  serve(contract.getWalletBalance, async ({ query }, { merchant }) => {
    const { available, ledger } = await service.getBalances(readBalances, merchant.id, query.accountNumber)
    return { availableBalance: toNaira(available), ledgerBalance: toNaira(ledger) }
  })
}

function batchRoutes(serve: Serve, deps: batches.BatchDeps): void {
  const { db } = deps.core

  serve(
    contract.initiateBatch,
    async ({ body }, { merchant, person }) =>
      showBatch(await batches.initiateBatch(deps, merchant, readBatch(body), person)),
    async ({ body }, { merchant }, since) => {
      const batch = await ifKnown(batches.getBatch(db, merchant.id, body.batchReference))
      const isRecovered = batch && batch.createdAt >= since && batch.itemsCount === body.transactionList.length
      return isRecovered ? showBatch(batch) : undefined
    },
  )

  serve(contract.authorizeBatch, async ({ body: { reference, authorizationCode } }, { merchant }) =>
    showBatch(await batches.authorizeBatch(deps, merchant.id, reference, authorizationCode)),
  )

  serve(contract.resendBatchCode, async ({ body }, { merchant }) => {
    await service.resend(deps, merchant, body.batchReference, 'batch')
    return { message: CODE_SENT }
  })

  serve(contract.getBatch, async ({ query }, { merchant }) => {
    const { batch, tally } = await batches.summarizeBatch(db, merchant.id, query.reference)
    return showSummary(batch, tally)
  })

  serve(contract.listBatchTransfers, async ({ params, query }, { merchant }) => {
    const { id } = await batches.getBatch(db, merchant.id, params.batchReference)
    return transferPage(db, merchant.id, { batchId: id }, query)
  })

  serve(contract.listBatches, async ({ query }, { merchant }) =>
    showPage(await selectBatches(db, merchant.id, query.sourceAccountNumber, numberedPage(query)), showBatch),
  )
}

/** Reads a page of transfers as the API shows it. */
const transferPage = async (
  db: Db,
  merchantId: bigint,
  filter: TransferFilter,
  query: Parameters<typeof numberedPage>[0],
) => showPage(await selectTransfers(db, merchantId, filter, numberedPage(query)), showTransfer)

function readTransfer(body: Input<typeof contract.initiateTransfer>['body']): service.NewTransfer {
  const { sourceAccountBvn, ...sender } = body.senderInfo ?? {}
  return {
    amount: naira(body.amount),
    reference: body.reference,
    narration: body.narration,
    currencyCode: body.currency,
    sourceAccountNumber: body.sourceAccountNumber,
    destination: { bankCode: body.destinationBankCode, accountNumber: body.destinationAccountNumber },
    destinationAccountName: body.destinationAccountName ?? null,
    isAsync: body.async ?? false,
    senderInfo: body.senderInfo ? readSender(sender) : null,
    senderBvn: sourceAccountBvn ? hidden(sourceAccountBvn) : null,
  }
}

const readSender = ({ sourceAccountNumber, sourceAccountName, senderBankCode }: service.Sender): service.Sender => ({
  sourceAccountNumber: sourceAccountNumber ?? null,
  sourceAccountName: sourceAccountName ?? null,
  senderBankCode: senderBankCode ?? null,
})

const readBatch = (body: Input<typeof contract.initiateBatch>['body']): batches.NewBatch => ({
  title: body.title,
  batchReference: body.batchReference,
  narration: body.narration,
  sourceAccountNumber: body.sourceAccountNumber,
  onValidationFailure: body.onValidationFailure ?? 'CONTINUE',
  notificationInterval: body.notificationInterval || null,
  items: body.transactionList.map((item) => ({
    amount: naira(item.amount),
    reference: item.reference,
    narration: item.narration ?? body.narration,
    currencyCode: item.currency ?? service.CURRENCY_CODE,
    destination: { bankCode: item.destinationBankCode, accountNumber: item.destinationAccountNumber },
    destinationAccountName: item.destinationAccountName ?? null,
  })),
})

function readFilter(query: Input<typeof contract.searchTransfers>['query']): TransferFilter {
  const { sourceAccountNumber, startDate, endDate, amountFrom, amountTo } = query
  return {
    sourceAccountNumber,
    from: startDate === undefined ? undefined : fromMoment(startDate),
    to: endDate === undefined ? undefined : throughMoment(endDate),
    amountFrom: amountFrom === undefined ? undefined : (fromNaira(amountFrom) ?? ZERO),
    amountTo: amountTo === undefined ? undefined : (fromNaira(amountTo) ?? ZERO),
  }
}
