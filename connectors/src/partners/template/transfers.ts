import { fromNaira, kobo, toNairaText } from '@kobo/gateway/kernel/money.ts'
import {
  amountOf,
  type Codes,
  type Institutions,
  narrationOf,
  notSent,
  type Operations,
  outcomeOf,
  type PartnerRequest,
  type PartnerResponse,
  textAt,
  UNKNOWN,
  wireText,
} from '../../kit/index.ts'

/** The bank's maximum reference length, from its document. */
const REFERENCE_LENGTH_MAX = 30
/** The bank's smallest transfer: one naira. */
export const AMOUNT_MIN = kobo(100n)
/** The bank's response to a reference that it already knows. We then query the outcome of that transfer. */
const DUPLICATE = '94'

export interface Deps {
  /** Calls the bank, signed as it requires. */
  readonly callPartner: (request: PartnerRequest) => Promise<PartnerResponse>
  readonly banks: Institutions
  readonly codes: Codes
}

export const transferOperations = ({ callPartner, banks, codes }: Deps): Operations => {
  const outcome = ({ body }: Extract<PartnerResponse, { kind: 'responded' }>) =>
    outcomeOf(codes, {
      code: textAt(body, 'code'),
      sessionId: textAt(body, 'session'),
      message: textAt(body, 'message'),
      amount: fromNaira(textAt(body, 'amount') ?? ''),
    })

  /** Queries the outcome of a transfer. If the bank has none, it is unknown, because the transfer may still arrive. */
  async function find(reference: string) {
    const response = await callPartner({
      path: `/transfers/${wireText(reference, REFERENCE_LENGTH_MAX)}`,
      method: 'GET',
    })
    return response.kind === 'responded' ? outcome(response) : UNKNOWN
  }

  return {
    'transfer/name-enquiry': async ({ bankCode, accountNumber }) => {
      const bank = banks.numberOf(bankCode)
      if (bank === undefined) return { kind: 'not found' }
      const response = await callPartner({ path: '/names', body: { bank, account: accountNumber } })
      if (response.kind !== 'responded') return { kind: 'unavailable' }
      const accountName = textAt(response.body, 'name')
      if (textAt(response.body, 'code') === '00' && accountName) return { kind: 'found', accountName }
      return textAt(response.body, 'code') === '07' ? { kind: 'not found' } : { kind: 'unavailable' }
    },
    'transfer/send': async (order) => {
      const bank = banks.numberOf(order.destination.bankCode)
      if (bank === undefined) return notSent(`There is no institution number for bank ${order.destination.bankCode}`)
      if (amountOf(order) < AMOUNT_MIN) return notSent('The bank transfers at least one naira')
      const response = await callPartner({
        path: '/transfers',
        body: {
          reference: wireText(order.reference, REFERENCE_LENGTH_MAX),
          amount: toNairaText(amountOf(order)),
          bank,
          account: order.destination.accountNumber,
          name: order.destination.accountName,
          narration: narrationOf(order.narration),
        },
      })
      if (response.kind === 'not reached') return notSent('The bank cannot be reached')
      if (response.kind === 'no response') return UNKNOWN
      return textAt(response.body, 'code') === DUPLICATE ? find(order.reference) : outcome(response)
    },
    'transfer/find': ({ reference }) => find(reference),
  }
}
