import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import { type Partner, type PartnerRequest, partner } from './partner.ts'

export const CLIENT = { id: 'client-of-easypay', secret: 'secret-of-easypay', scope: 'client/.default' }
export const MANDATE = 'MA-0112345678-2022315-53097'
export const BVN = '33333333333'

export interface EasyPay extends Partner {
  readonly sent: () => number
  readonly ids: () => readonly string[]
  readonly expireTokens: () => void
  /** Sets the response code of a transfer and of its later query. */
  readonly respondWith: (code: string) => void
}

/** The required fields of a transfer, from EasyPay's documented field tables. */
const FIELDS = [
  ...[
    'sourceInstitutionCode',
    'amount',
    'beneficiaryAccountName',
    'beneficiaryAccountNumber',
    'channelCode',
    'billerId',
  ],
  ...['beneficiaryBankVerificationNumber', 'beneficiaryKYCLevel', 'originatorAccountName', 'originatorAccountNumber'],
  ...['originatorBankVerificationNumber', 'originatorKYCLevel', 'destinationInstitutionCode', 'mandateReferenceNumber'],
  ...[
    'nameEnquiryRef',
    'originatorNarration',
    'beneficiaryNarration',
    'paymentReference',
    'transactionId',
    'transactionLocation',
  ],
]

/** NIP by EasyPay, as in the field tables and the code of its clients. */
export async function easyPay(t: TestContext): Promise<EasyPay> {
  const tokens = new Set<string>()
  const enquiries = new Set<string>()
  const transfers = new Map<string, string>()
  let response = '00'

  const services: Record<string, (request: PartnerRequest['body']) => object> = {
    nameenquiry: ({ accountNumber, transactionId, destinationInstitutionCode }) => {
      if (!/^\d{30}$/.test(transactionId) || !/^\d{6}$/.test(destinationInstitutionCode)) return { responseCode: '30' }
      if (accountNumber === '0000000000') return { responseCode: '07', responseMessage: 'Invalid account' }
      if (accountNumber === '0000000091')
        return { responseCode: '91', responseMessage: 'Beneficiary bank not available' }
      const sessionID = `999999${transactionId.slice(6)}`
      enquiries.add(sessionID)
      return {
        responseCode: '00',
        accountName: 'ADA OBI',
        bankVerificationNumber: '22222222226',
        kycLevel: '1',
        sessionID,
        transactionId,
      }
    },
    fundstransfer: (request) => {
      if (FIELDS.some((name) => typeof request[name] !== 'string' || request[name] === ''))
        return { responseCode: '30' }
      if (!/^\d{30}$/.test(request.transactionId) || !/^\d+\.\d\d$/.test(request.amount)) return { responseCode: '30' }
      if (!enquiries.has(request.nameEnquiryRef) || request.mandateReferenceNumber !== MANDATE)
        return { responseCode: '12' }
      if (request.originatorNarration.length > 100) return { responseCode: '30' }
      if (transfers.has(request.transactionId)) return { responseCode: '26', responseMessage: 'Duplicate record' }
      transfers.set(request.transactionId, response)
      return {
        responseCode: response,
        transactionId: request.transactionId,
        sessionID: request.transactionId,
        responseMessage: `Code ${response}`,
      }
    },
    tsq: ({ transactionId }) => {
      const code = transfers.get(transactionId)
      return code === undefined
        ? { responseCode: '25', responseMessage: 'Unable to locate record' }
        : { responseCode: code, transactionId, channelCode: '2', responseMessage: `Code ${code}` }
    },
  }

  const nibss = await partner(t, ({ path, headers, text, body }) => {
    if (path === '/reset') {
      const request = new URLSearchParams(text)
      if (
        request.get('client_id') !== CLIENT.id ||
        request.get('client_secret') !== CLIENT.secret ||
        request.get('scope') !== CLIENT.scope
      )
        return { status: 401, body: { error: 'invalid_client' } }
      const token = randomBytes(16).toString('hex')
      tokens.add(token)
      return { body: { token_type: 'Bearer', expires_in: 3_599, access_token: token } }
    }
    if (!tokens.has(String(headers['authorization'] ?? '').replace('Bearer ', '')))
      return { status: 401, body: { code: '401', message: 'Unauthorized' } }
    return { body: services[path.replace('/nipservice/v1/nip/', '')]?.(body) ?? { code: '404' } }
  })
  return {
    ...nibss,
    sent: () => [...transfers.values()].filter((code) => code === '00').length,
    ids: () => [...transfers.keys()],
    expireTokens: () => tokens.clear(),
    respondWith: (code) => {
      response = code
    },
  }
}
