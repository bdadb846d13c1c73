import { createHash } from 'node:crypto'
import type { TestContext } from 'node:test'
import { type Partner, type PartnerRequest, partner } from './partner.ts'

/** The bank's published test client, and its published signature. */
export const CLIENT = {
  id: 'dGVzdF9Qcm92aWR1cw==',
  secret:
    '29A492021F4B709A8D1152C3EF4D32DC5A7092723ECAC4C511781003584B48873CCBFEBDEAE89CF22ED1CB1A836213549BC6638A3B563CA7FC009BEB3BC30CF8',
  signature:
    'BE09BEE831CF262226B426E39BD1092AF84DC63076D4174FAC78A2261F9A3D6E59744983B8326B69CDF2963FE314DFC89635CFA37A40596508DD6EAAB09402C7',
}
export const POSTING = { user: 'posting-user', password: 'posting-password' }

export interface Providus extends Partner {
  readonly names: ReadonlyMap<string, string>
  readonly sent: () => number
  /** Pays into an account, with a true or an altered notification. */
  readonly pay: (
    url: string,
    number: string,
    otherwise?: { altered?: object; signature?: string; isUnknown?: boolean },
  ) => Promise<{ readonly status: number; readonly code: string; readonly sessionId: string }>
}

const failed = (responseMessage: string, responseCode = '01') => ({
  requestSuccessful: false,
  responseMessage,
  responseCode,
})

/** Simulates virtual accounts and transfers, as in the bank's documents and in the code of two client libraries. */
export async function providus(t: TestContext): Promise<Providus> {
  const names = new Map<string, string>()
  const settlements = new Map<string, object>()
  const transfers = new Map<string, { readonly code: string; readonly amount: string }>()
  let sessions = 0

  const create = (account_name: string) => {
    const account_number = `992${String(names.size + 1).padStart(7, '0')}`
    names.set(account_number, account_name)
    return {
      requestSuccessful: true,
      responseCode: '00',
      responseMessage: 'Operation Successful',
      account_number,
      account_name: `MERCHANT(${account_name})`,
    }
  }
  const accountService: Record<string, (request: PartnerRequest) => object> = {
    PiPCreateDynamicAccountNumber: ({ body }) => create(body.account_name),
    PiPCreateReservedAccountNumber: ({ body }) =>
      /^\d{11}$/.test(body.bvn) ? { ...create(body.account_name), bvn: body.bvn } : failed('BVN is required'),
    PiPUpdateAccountName: ({ body }) => {
      if (!names.has(body.account_number)) return failed('No such account')
      names.set(body.account_number, body.account_name)
      return { requestSuccessful: true, responseCode: '00', responseMessage: 'Operation Successful' }
    },
    PiPverifyTransaction: ({ query }) => settlements.get(query.get('session_id') ?? '') ?? { tranRemarks: 'not found' },
  }
  const postingService: Record<string, (request: PartnerRequest['body']) => object> = {
    GetNIPAccount: ({ accountNumber }) =>
      accountNumber === '0000000000'
        ? { responseCode: '07' }
        : { responseCode: '00', accountName: 'ADA OBI', accountNumber },
    NIPFundTransfer: ({ transactionReference, transactionAmount, beneficiaryAccountNumber }) => {
      if (transfers.has(transactionReference)) return { responseCode: '26', responseMessage: 'Duplicate record' }
      const code = beneficiaryAccountNumber === '0000000051' ? '51' : '00'
      transfers.set(transactionReference, { code, amount: transactionAmount })
      return {
        transactionReference,
        sessionId: `999037260913163757${String(transfers.size).padStart(12, '0')}`,
        responseCode: code,
        responseMessage: code === '00' ? 'Approved or completed successfully' : 'No sufficient funds',
      }
    },
    GetNIPTransactionStatus: ({ transactionReference }) => {
      const found = transfers.get(transactionReference)
      if (found === undefined)
        return { responseCode: '25', responseMessage: 'Unable to locate record', transactionReference }
      return {
        amount: found.amount,
        transactionReference,
        currency: 'NGN',
        responseCode: found.code,
        responseMessage: found.code === '00' ? 'Approved or completed successfully' : 'No sufficient funds',
      }
    },
  }

  const bank = await partner(t, (request) => {
    const service = request.path.split('/').at(-1) ?? ''
    if (request.path.startsWith('/posting/')) {
      const isOurs = request.body.userName === POSTING.user && request.body.password === POSTING.password
      return isOurs
        ? { body: postingService[service]?.(request.body) ?? {} }
        : { status: 401, body: { responseCode: '63' } }
    }
    const signature = createHash('sha512').update(`${CLIENT.id}:${CLIENT.secret}`).digest('hex')
    if (
      String(request.headers['x-auth-signature']).toLowerCase() !== signature ||
      request.headers['client-id'] !== CLIENT.id
    )
      return { status: 401, body: failed('Invalid signature') }
    return { body: accountService[service]?.(request) ?? failed('no such service') }
  })
  return {
    ...bank,
    names,
    sent: () => [...transfers.values()].filter(({ code }) => code === '00').length,
    pay: async (url, accountNumber, { altered = {}, signature = CLIENT.signature, isUnknown = false } = {}) => {
      const sessionId = `0000042103011130526803988${String(++sessions).padStart(5, '0')}`
      const settlement = {
        ...{
          sessionId,
          accountNumber,
          tranRemarks: 'FROM ADA OBI TO SHOP',
          transactionAmount: '100.50',
          settledAmount: '99.43',
        },
        ...{
          feeAmount: 1,
          vatAmount: '0.07',
          currency: 'NGN',
          initiationTranRef: '',
          settlementId: `202210301006807600001${sessions}`,
        },
        ...{ sourceAccountNumber: '0123456789', sourceAccountName: 'ADA OBI', sourceBankName: 'GTB', channelId: '1' },
        tranDateTime: '2026-03-01 11:30:52.0',
      }
      if (!isUnknown) settlements.set(sessionId, settlement)
      const body = JSON.stringify({ ...settlement, ...altered })
      const response = await fetch(url, { method: 'POST', body, headers: { 'x-auth-signature': signature } })
      const { responseCode } = (await response.json()) as { responseCode: string }
      return { status: response.status, code: responseCode, sessionId }
    },
  }
}
