import { fromNaira, toNairaText } from '@kobo/gateway/kernel/money.ts'
import {
  amountOf,
  type Codes,
  type Institutions,
  narrationOf,
  notSent,
  type Operations,
  outcomeOf,
  type Question,
  type Said,
  textAt,
  UNKNOWN,
  wireText,
} from '../../kit/index.ts'

/** How long the bank's references may be: from its document. */
const REFERENCE_LENGTH_MAX = 30
/** What it answers to a reference that it has already: what became of that, it must be asked. */
const DUPLICATE = '94'

export interface Deps {
  /** Asks the bank, signed as it wants it. */
  readonly ask: (question: Question) => Promise<Said>
  readonly banks: Institutions
  readonly codes: Codes
}

export const transferOperations = ({ ask, banks, codes }: Deps): Operations => {
  const outcome = ({ body }: Extract<Said, { kind: 'answered' }>) =>
    outcomeOf(codes, {
      code: textAt(body, 'code'),
      sessionId: textAt(body, 'session'),
      message: textAt(body, 'message'),
      amount: fromNaira(textAt(body, 'amount') ?? ''),
    })

  /** What became of a transfer. That the bank has none now is no promise that it never will. */
  async function find(reference: string) {
    const said = await ask({ path: `/transfers/${wireText(reference, REFERENCE_LENGTH_MAX)}`, method: 'GET' })
    return said.kind === 'answered' ? outcome(said) : UNKNOWN
  }

  return {
    'transfer/name-enquiry': async ({ bankCode, accountNumber }) => {
      const bank = banks.numberOf(bankCode)
      if (bank === undefined) return { kind: 'not found' }
      const said = await ask({ path: '/names', body: { bank, account: accountNumber } })
      if (said.kind !== 'answered') return { kind: 'unavailable' }
      const accountName = textAt(said.body, 'name')
      if (textAt(said.body, 'code') === '00' && accountName) return { kind: 'found', accountName }
      return textAt(said.body, 'code') === '07' ? { kind: 'not found' } : { kind: 'unavailable' }
    },
    'transfer/send': async (order) => {
      const bank = banks.numberOf(order.destination.bankCode)
      if (bank === undefined) return notSent(`Nothing is known of bank ${order.destination.bankCode}`)
      const said = await ask({
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
      if (said.kind === 'not reached') return notSent('The bank cannot be reached')
      if (said.kind === 'no answer') return UNKNOWN
      return textAt(said.body, 'code') === DUPLICATE ? find(order.reference) : outcome(said)
    },
    'transfer/find': ({ reference }) => find(reference),
  }
}
