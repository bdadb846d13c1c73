import { createHmac } from 'node:crypto'
import type { TestContext } from 'node:test'
import { type Partner, partner } from './partner.ts'

export const SECRET_KEY = 'sk_test_of_nobody_at_all'

/** Card numbers by their outcome. */
export const CARDS = {
  approved: '4084084084084081',
  otp: '5060666666666666666',
  page: '4000000000003220',
  declined: '4084080000005408',
  odd: '4000000000009995',
}

interface Charge {
  readonly reference: string
  readonly amount: string
  status: string
  refunds: { readonly merchant_note: string; readonly amount: number; status: string }[]
}

export interface Paystack extends Partner {
  readonly charged: () => number
  readonly refunded: () => number
  /** Lets the holder finish on the issuer's page. */
  readonly finishPage: (reference: string) => void
  /** Sets the status of later refunds. */
  readonly refundAs: (status: string) => void
  readonly event: (url: string, event: object, key?: string) => Promise<number>
}

/** Paystack's charge and refund services, as in its documentation and the code of its clients. */
export async function paystack(t: TestContext): Promise<Paystack> {
  const charges = new Map<string, Charge>()
  let refundStatus = 'processed'

  const shown = ({ reference, amount, status }: Charge) => ({
    status: true,
    message: 'Charge attempted',
    data: {
      ...{ reference, amount: Number(amount), status },
      ...(status === 'failed' ? { gateway_response: 'Declined' } : {}),
      ...(status === 'send_otp' ? { display_text: 'Please enter OTP' } : {}),
      ...(status === 'open_url' ? { url: `https://standard.paystack.co/3ds/${reference}` } : {}),
      ...(status === 'success' ? { authorization: { authorization_code: 'AUTH_x', reusable: true } } : {}),
    },
  })
  const no = (message: string, status = 400) => ({ status, body: { status: false, message } })

  const psp = await partner(t, ({ method, path, headers, query, body }) => {
    if (headers['authorization'] !== `Bearer ${SECRET_KEY}`) return no('Invalid key', 401)
    if (path === '/charge') {
      if (charges.has(body.reference)) return no('Duplicate Transaction Reference')
      if (!/^\S+@\S+$/.test(body.email) || !/^\d+$/.test(body.amount) || !/^[\w.=-]+$/.test(body.reference))
        return no('Invalid')
      if (body.card.cvv === '999') return no('Invalid cvv')
      const { number } = body.card
      const status =
        number === CARDS.otp
          ? 'send_otp'
          : number === CARDS.page
            ? 'open_url'
            : number === CARDS.declined
              ? 'failed'
              : number === CARDS.odd
                ? 'timeout'
                : 'success'
      const charge: Charge = { reference: body.reference, amount: body.amount, status, refunds: [] }
      charges.set(body.reference, charge)
      return { body: shown(charge) }
    }
    if (path === '/charge/submit_otp') {
      const charge = charges.get(body.reference)
      if (charge === undefined) return no('Transaction not found')
      if (body.otp === '123456') charge.status = 'success'
      return { body: shown(charge) }
    }
    if (path === '/refund' && method === 'GET')
      return { body: { status: true, data: charges.get(query.get('transaction') ?? '')?.refunds ?? [] } }
    if (path === '/refund') {
      const charge = charges.get(body.transaction)
      const left = Number(charge?.amount) - (charge?.refunds.reduce((sum, { amount }) => sum + amount, 0) ?? 0)
      if (charge?.status !== 'success' || Number(body.amount) > left) return no('Transaction cannot be refunded')
      const refund = { merchant_note: body.merchant_note, amount: Number(body.amount), status: refundStatus }
      charge.refunds.push(refund)
      return { body: { status: true, message: 'Refund has been queued', data: refund } }
    }
    const charge = charges.get(path.replace('/charge/', ''))
    return charge === undefined ? no('Transaction reference not found') : { body: shown(charge) }
  })
  return {
    ...psp,
    charged: () => [...charges.values()].filter(({ status }) => status === 'success').length,
    refunded: () => [...charges.values()].flatMap(({ refunds }) => refunds).length,
    finishPage: (reference) => {
      const charge = charges.get(reference)
      if (charge !== undefined) charge.status = 'success'
    },
    refundAs: (status) => {
      refundStatus = status
      for (const { refunds } of charges.values())
        for (const refund of refunds) if (refund.status === 'pending') refund.status = status
    },
    event: async (url, event, key = SECRET_KEY) => {
      const text = JSON.stringify(event)
      const signature = createHmac('sha512', key).update(text).digest('hex')
      const response = await fetch(url, { method: 'POST', body: text, headers: { 'x-paystack-signature': signature } })
      return response.status
    },
  }
}
