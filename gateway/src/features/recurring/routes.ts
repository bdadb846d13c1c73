import type { Input } from '@kobo/contract'
import * as contract from '@kobo/contract'
import type { Serve } from '../../core/edge/http/index.ts'
import { naira } from '../../kernel/money.ts'
import { cardErrors } from '../cards/index.ts'
import { type NewTransaction, showTransaction } from '../transactions/index.ts'
import { chargedSince, chargeToken, type Deps } from './service.ts'

export function recurringRoutes(serve: Serve, deps: Deps): void {
  serve(
    contract.chargeCardToken,
    async ({ body }, { merchant }) => {
      if (body.apiKey !== merchant.apiKey) throw cardErrors.anotherApiKey()
      return showTransaction.status(await chargeToken(deps, merchant, body.cardToken, readNewTransaction(body)))
    },
    async ({ body }, { merchant }, since) => {
      const recovered = await chargedSince(deps, merchant, readNewTransaction(body), since)
      return recovered && showTransaction.status(recovered)
    },
  )
}

const readNewTransaction = (body: Input<typeof contract.chargeCardToken>['body']): NewTransaction => ({
  amount: naira(body.amount),
  paymentReference: body.paymentReference,
  contractCode: body.contractCode,
  currencyCode: body.currencyCode,
  customerName: body.customerName,
  customerEmail: body.customerEmail,
  paymentDescription: body.paymentDescription,
  redirectUrl: null,
  paymentMethods: ['CARD'],
  incomeSplitConfig: body.incomeSplitConfig ?? [],
  metaData: body.metaData ?? body.metadata ?? {},
  productType: 'API_NOTIFICATION',
})
