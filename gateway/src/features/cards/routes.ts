import * as contract from '@kobo/contract'
import type { Serve } from '../../core/edge/http/index.ts'
import { hidden } from '../../kernel/hidden.ts'
import { readCard } from './card.ts'
import type { Cards } from './service.ts'
import { showAuthorization, showCharge } from './show.ts'

interface Deps {
  readonly cards: Cards
  readonly publicUrl: () => string
}

export function cardRoutes(serve: Serve, { cards, publicUrl }: Deps): void {
  serve(
    contract.chargeCard,
    async ({ body: { transactionReference, card } }, { merchant }) => {
      const requested = {
        transactionReference,
        card: readCard(card),
        channel: 'API_NOTIFICATION',
        consent: 'merchant',
      } as const
      return showCharge(await cards.charge(merchant, requested), publicUrl())
    },
    async ({ body: { transactionReference, card } }, { merchant }, since) => {
      const recovered = await cards.chargedSince(merchant, { transactionReference, card: readCard(card) }, since)
      return recovered && showCharge(recovered, publicUrl())
    },
  )

  serve(contract.authorizeOtp, async ({ body }, { merchant }) => {
    const { transactionReference, tokenId } = body
    const charge = await cards.authorizeOtp(merchant, { transactionReference, tokenId, otp: hidden(body.token) })
    return showAuthorization(charge, publicUrl())
  })
}
