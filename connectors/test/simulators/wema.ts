import { createHmac } from 'node:crypto'
import type { TestContext } from 'node:test'
import { type Partner, partner } from './partner.ts'

export const KEYS = {
  auth: 'Bearer key-that-the-bank-was-given',
  api: 'key-of-our-client',
  transfer: 'key-of-our-transfers',
}
export const SOURCE = '0112345678'

export interface Wema extends Partner {
  readonly sent: () => number
  /** Sets the outcome of accepted transfers. */
  readonly settleAs: (status: string) => void
  /** Sends a call of the bank to a URL. */
  readonly call: (
    url: string,
    body: object,
    key?: string,
  ) => Promise<{ readonly status: number; readonly body: Record<string, string> }>
  /** Records a payment to a number under the prefix; returns its notification in the bank's schema. */
  readonly notice: (craccount: string, amount: string, isPaid?: boolean) => Record<string, string>
}

/** Wema's prefix accounts and transfers, as in the published schemas. */
export async function wema(t: TestContext): Promise<Wema> {
  const payments = new Map<string, Record<string, string>>()
  const transfers = new Map<string, string>()
  let ends = 'Successful'

  const bank = await partner(t, ({ method, path, headers, body }) => {
    if (headers['x-api-key'] !== KEYS.api) return { status: 401, body: { status: '63' } }
    if (path === '/Trans/TransQuery') {
      const found = payments.get(body.sessionid)
      const isIt =
        found?.['craccount'] === body.craccount &&
        found?.['amount'] === body.amount &&
        /^\d{4}-\d\d-\d\d$/.test(body.txndate)
      return { body: isIt ? { status: '00', transactions: [found] } : { status: '07', transactions: [] } }
    }
    if (method === 'GET') {
      const transactionReference = path.replace('/transfers/', '')
      const status = transfers.get(transactionReference)
      return {
        body:
          status === undefined
            ? { status: 'Unknown' }
            : { transactionReference, status, sessionId: `000017${transactionReference}` },
      }
    }
    const { transactionReference, destinationBankCode, destinationAccountNumber, sourceAccountNumber, amount } = body
    const text = `${transactionReference}${destinationBankCode}${destinationAccountNumber}${sourceAccountNumber}${amount}`
    if (
      headers['hash'] !== createHmac('sha512', KEYS.transfer).update(text).digest('hex') ||
      sourceAccountNumber !== SOURCE
    )
      return { status: 400, body: { status: 'Failed', message: 'Invalid hash' } }
    if (!transfers.has(transactionReference)) transfers.set(transactionReference, ends)
    return { body: { transactionReference, status: 'Pending', message: 'Transfer is being processed' } }
  })
  return {
    ...bank,
    sent: () => [...transfers.values()].filter((status) => status === 'Successful').length,
    settleAs: (status) => {
      ends = status
    },
    call: async (url, body, key = KEYS.auth) => {
      const response = await fetch(url, { method: 'POST', body: JSON.stringify(body), headers: { authorization: key } })
      return { status: response.status, body: (await response.json()) as Record<string, string> }
    },
    notice: (craccount, amount, isPaid = true) => {
      const sessionid = `000013260301093000${String(payments.size + 1).padStart(12, '0')}`
      const notice = {
        ...{
          originatoraccountnumber: '0123456789',
          amount,
          currency: 'NGN',
          originatorname: 'ADA OBI',
          narration: 'Shoes',
        },
        ...{
          craccountname: 'Demo Shop',
          paymentreference: `000017${sessionid}`,
          reference: '',
          bankname: 'GTBank',
          sessionid,
        },
        ...{ craccount, bankcode: '000013', created_at: '2026-03-01 10:30:00' },
      }
      if (isPaid) payments.set(sessionid, notice)
      return notice
    },
  }
}
