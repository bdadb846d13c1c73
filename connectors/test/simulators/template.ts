import { createHmac } from 'node:crypto'
import type { TestContext } from 'node:test'
import { type Partner, partner } from './partner.ts'

/*
 * The document of Example Bank, as one would have it from a partner:
 *   every request has x-signature: hex HMAC-SHA-256 under our secret over the path and the body
 *   POST /names       {bank, account}                                              {code, name}: 00, or 07 for no such account
 *   POST /transfers   {reference, amount "100.00", bank, account, name, narration}  {code, session, amount, message}
 *   GET  /transfers/R                                                               the same; 25: no such transfer
 *   codes: 00 done, 51 no funds, 94 the reference was used before, 96 try again
 *   notifications: POST {session, account, amount, time "2026-03-01 10:30:00", narration, sender {name, account, bank}}, signed over the body; 00, or it is sent again
 */

export const BANK_SECRET = 'a-secret-between-connector-and-bank'

export interface TemplateBank extends Partner {
  /** The number of executed transfers. */
  readonly sent: () => number
  /** Sends a notification, signed by the bank or with another secret. */
  readonly notify: (
    url: string,
    notice: object,
    secret?: string,
  ) => Promise<{ readonly status: number; readonly code: string }>
}

const signed = (text: string, secret = BANK_SECRET): string => createHmac('sha256', secret).update(text).digest('hex')

export async function templateBank(t: TestContext): Promise<TemplateBank> {
  const transfers = new Map<string, { code: string; session: string; amount: string; message: string }>()
  const bank = await partner(t, ({ method, path, headers, text, body }) => {
    if (headers['x-signature'] !== signed(`${path}${text}`)) return { status: 401, body: { code: '63' } }
    if (path === '/names')
      return { body: body.account === '0000000000' ? { code: '07' } : { code: '00', name: 'ADA OBI' } }
    if (method === 'GET') return { body: transfers.get(path.replace('/transfers/', '')) ?? { code: '25' } }
    if (transfers.has(body.reference)) return { body: { code: '94', message: 'Duplicate' } }
    const isPoor = body.account === '0000000051'
    const session = `000013260301093000${String(transfers.size).padStart(12, '0')}`
    const done = { code: isPoor ? '51' : '00', session, amount: body.amount, message: isPoor ? 'No funds' : 'Done' }
    transfers.set(body.reference, done)
    return { body: done }
  })
  return {
    ...bank,
    sent: () => [...transfers.values()].filter(({ code }) => code === '00').length,
    notify: async (url, notice, secret) => {
      const body = JSON.stringify(notice)
      const response = await fetch(url, { method: 'POST', body, headers: { 'x-signature': signed(body, secret) } })
      return { status: response.status, code: ((await response.json()) as { code: string }).code }
    },
  }
}
