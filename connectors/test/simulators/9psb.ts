import { createHash, randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import { type Partner, type PartnerRequest, partner } from './partner.ts'

/**
 * The names of the bank's document: publickey and privatekey are for our calls, the others for the bank's calls to us.
 */
export const CREDENTIALS = {
  publickey: 'PUBLIC-OF-THE-CLIENT',
  privatekey: 'PRIVATE-OF-THE-CLIENT',
  user: 'nine',
  password: 'password-of-the-notices',
}

interface Account {
  readonly number: string
  readonly name: string
  readonly type: string
  readonly reference: string
  readonly expiry: { readonly hours: number; readonly date: string } | null
  isActive: boolean
}

interface Payment {
  readonly sessionid: string
  readonly number: string
  readonly amount: number
  isRefunded: boolean
}

export interface NinePsb extends Partner {
  readonly accounts: ReadonlyMap<string, Account>
  readonly refunds: () => number
  /** Invalidates all tokens, so that clients need new ones. */
  readonly expireTokens: () => void
  /** Pays into an account and sends the notification, unchanged or altered, to a URL. */
  readonly pay: (
    callbackUrl: string,
    number: string,
    amount: string,
    otherwise?: { sessionid?: string; hash?: string; amountReported?: string; password?: string; isUnknown?: boolean },
  ) => Promise<{ readonly status: number; readonly code: string; readonly sessionid: string }>
}

const sha512 = (text: string): string => createHash('sha512').update(text).digest('hex').toUpperCase()
const invalid = (message: string) => ({ code: '47', message: `Invalid transaction request - ${message}` })

/** 9PSB's virtual accounts, as in the bank's document. Payments arrive now, or at a time in Lagos. */
export async function ninePsb(t: TestContext, paidAt?: string): Promise<NinePsb> {
  const lagosNow = (): string => new Date(Date.now() + 3_600_000).toISOString().slice(0, 19)
  const tokens = new Set<string>()
  const accounts = new Map<string, Account>()
  const references = new Set<string>()
  const payments = new Map<string, Payment>()
  let refunds = 0
  let sessions = 0

  const services: Record<string, (request: PartnerRequest['body']) => object> = {
    create: (request) => {
      const { reference } = request.transaction
      const { name, type, expiry } = request.customer.account
      if (references.has(reference)) return invalid('reference number must be unique.')
      if (type !== 'STATIC' && type !== 'DYNAMIC') return invalid('account type')
      if (type === 'DYNAMIC' && !(expiry?.hours >= 1 && expiry.hours <= 24)) return invalid('expiry')
      if (!['EXACT', 'ANY', 'HIGHEROREXACT', 'LOWEROREXACT'].includes(request.order.amounttype))
        return invalid('amounttype')
      references.add(reference)
      const account: Account = {
        number: `503${String(accounts.size + 1).padStart(7, '0')}`,
        name: `KOBO/${name}`,
        type,
        reference,
        expiry:
          type === 'DYNAMIC'
            ? {
                hours: expiry.hours,
                date: new Date(Date.now() + expiry.hours * 3_600_000).toISOString().replace('Z', '9952+00:00'),
              }
            : null,
        isActive: true,
      }
      accounts.set(account.number, account)
      return {
        code: '00',
        message: 'Success',
        transaction: { reference },
        customer: { account: { ...account, bank: '9PSB' } },
      }
    },
    deactivate: (request) => {
      const account = accounts.get(request.customer.account.number)
      if (account === undefined) return invalid('account number to deactivate not found.')
      account.isActive = false
      return { code: '00', message: 'Success', customer: { account: { ...account, bank: '9PSB' } } }
    },
    confirmpayment: ({ sessionid, accountnumber, amount }) => {
      const paid = payments.get(sessionid)
      const isIt = paid?.number === accountnumber && (amount === undefined || paid?.amount === amount)
      if (paid === undefined || !isIt) return { transactions: null, ...invalid('payment not found') }
      return { transactions: [recordOf(paid)], code: '00', message: 'Success' }
    },
    paymentrefund: ({ sessionid, amount, accountnumber, hash }) => {
      const day = new Date(Date.now() + 3_600_000).toISOString().slice(0, 10).replaceAll('-', '')
      if (hash !== sha512(CREDENTIALS.privatekey + sessionid + accountnumber + amount + day))
        return { code: '74', message: 'Invalid Message Signature' }
      const paid = payments.get(sessionid)
      if (paid === undefined || paid.number !== accountnumber || Number(amount) > paid.amount)
        return invalid('original payment not found')
      if (paid.isRefunded) return invalid('refund already done')
      paid.isRefunded = true
      refunds++
      return {
        code: '00',
        message: 'Approved Or Completed Successfully',
        transaction: {
          reference: `${sessionid}R`,
          externalreference: `9991692601010000${String(refunds).padStart(14, '0')}`,
        },
      }
    },
  }

  const recordOf = ({ sessionid, number, amount }: Payment) => ({
    transaction: { reference: accounts.get(number)?.reference, sessionid, date: paidAt ?? lagosNow() },
    customer: {
      account: {
        ...{ name: accounts.get(number)?.name, number, bank: '9PSB' },
        ...{
          senderbankcode: '000013',
          senderbankname: 'GTB',
          senderaccountnumber: '0123456789',
          sendername: 'ADA OBI',
        },
      },
    },
    order: { amount, currency: 'NGN', description: 'TRF' },
    message: 'Success',
    code: '00',
  })

  const bank = await partner(t, ({ path, headers, body }) => {
    const service = /^\/iva-api\/v1\/merchant\/virtualaccount\/(\w+)$/.exec(path)?.[1] ?? ''
    if (service === 'authenticate') {
      if (body.publickey !== CREDENTIALS.publickey || body.privatekey !== CREDENTIALS.privatekey)
        return { body: { access_token: null, expires_in: 0, code: 'S1', message: 'Invalid Credential' } }
      const token = randomBytes(16).toString('hex')
      tokens.add(token)
      return { body: { access_token: token, expires_in: 7_200, code: '00', message: 'Success' } }
    }
    if (!tokens.has(String(headers['authorization'] ?? '').replace('Bearer ', '')))
      return { body: { code: 'S1', message: 'Invalid Credential' } }
    return { body: services[service]?.(body) ?? { code: '99', message: 'Request processing error' } }
  })

  return {
    ...bank,
    accounts,
    refunds: () => refunds,
    expireTokens: () => tokens.clear(),
    pay: async (callbackUrl, number, amount, otherwise = {}) => {
      const sessionid = otherwise.sessionid ?? `99916926060709352632628${String(++sessions).padStart(7, '0')}`
      const paid = { sessionid, number, amount: Number(amount), isRefunded: false }
      if (otherwise.isUnknown !== true && !payments.has(sessionid)) payments.set(sessionid, paid)
      const notice = {
        ...recordOf({ ...paid, amount: Number(otherwise.amountReported ?? amount) }),
        hash: otherwise.hash ?? sha512(`${CREDENTIALS.password}0123456789000013${number}${amount}`),
      }
      const response = await fetch(callbackUrl, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Basic ${Buffer.from(`${CREDENTIALS.user}:${otherwise.password ?? CREDENTIALS.password}`).toString('base64')}`,
        },
        body: JSON.stringify(notice),
      })
      const { code } = (await response.json()) as { code: string }
      return { status: response.status, code, sessionid }
    },
  }
}
