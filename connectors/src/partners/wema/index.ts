import { equalSecrets } from '@kobo/gateway/platform/crypto.ts'
import type { Call, ConnectorKind } from '../../connector.ts'
import {
  BANKS_SETTING,
  CODES_SETTING,
  connector,
  institutions,
  manifestOf,
  openLine,
  PARTNER_SETTINGS,
  TRIAL_SETTING,
  trialTransfer,
  whyNotOptions,
  withCodes,
} from '../../kit/index.ts'
import { ENQUIRY_REPLY_SETTING, respondToEnquiry } from './enquiry.ts'
import { handleNotice, handleOutcome } from './notices.ts'
import { transferOperations, WEMA_WORDS } from './transfers.ts'

/**
 * Account numbers under a prefix assigned by Wema Bank: the bank sends enquiries and notifications; we send transfers.
 */
export const wemaKind: ConnectorKind = {
  whyNot: whyNotOptions,
  settings: [
    ...PARTNER_SETTINGS,
    { name: 'BANK_CODE', help: 'The bank’s code', standard: '035' },
    { name: 'AUTH_HEADER', help: 'The header that carries the key in the bank’s requests', standard: 'authorization' },
    { name: 'AUTH_KEY', help: 'The key that was given to the bank with the prefix (authKey)', isSecret: true },
    { name: 'API_KEY', help: 'Our API key at the bank, sent as x-api-key', isSecret: true },
    { name: 'QUERY_PATH', help: 'URL to query a payment at the bank', standard: '/Trans/TransQuery' },
    ENQUIRY_REPLY_SETTING,
    { name: 'TRANSFER_PATH', help: 'URL for transfers', standard: '/transfers' },
    {
      name: 'STATUS_PATH',
      help: 'URL to query a transfer, to which the reference is appended; without it, none are sent',
      standard: '',
    },
    { name: 'TRANSFER_KEY', help: 'Key of the transfer hash', standard: '', isSecret: true },
    { name: 'SOURCE_ACCOUNT', help: 'The account that transfers are sent from', standard: '' },
    BANKS_SETTING,
    CODES_SETTING,
    TRIAL_SETTING,
  ],
  open: (tools) => {
    const { settings, notifier } = tools
    const bankCode = settings.text('BANK_CODE')
    const banks = institutions(settings.text('BANKS'))
    const line = openLine(settings)
    const callPartner: typeof line.callPartner = (request) =>
      line.callPartner({
        ...request,
        headers: { ...request.headers, 'x-api-key': settings.secret('API_KEY').reveal() },
      })
    const isBank = ({ headers }: Call): boolean =>
      equalSecrets(
        String(headers[settings.text('AUTH_HEADER').toLowerCase()] ?? ''),
        settings.secret('AUTH_KEY').reveal(),
      )
    const handlers = {
      'name-enquiry': respondToEnquiry({ notifier, bankCode, reply: settings.text('ENQUIRY_REPLY') }),
      notice: handleNotice({ notifier, bankCode, banks, callPartner, queryPath: settings.text('QUERY_PATH') }),
      outcome: handleOutcome(notifier),
    }
    return connector({
      manifest: manifestOf(tools, {
        name: 'Wema Bank',
        capabilities: [
          ...['prefix-accounts', 'credits'],
          ...(settings.text('STATUS_PATH') === '' ? [] : ['transfers', 'outcomes']),
        ],
        limits: {},
        trial: { amount: 10_000, ...trialTransfer(settings.text('TRIAL_ACCOUNT')) },
      }),
      operations: transferOperations({
        callPartner,
        banks,
        codes: withCodes(WEMA_WORDS, settings.text('CODES')),
        settings,
      }),
      handleCallback: async (call) => {
        const handler = Object.hasOwn(handlers, call.path) ? handlers[call.path as keyof typeof handlers] : undefined
        if (call.method !== 'POST' || handler === undefined) return { status: 404, body: {} }
        return isBank(call)
          ? handler(call.body)
          : { status: 401, body: { status: '63', status_desc: 'not authorised' } }
      },
      close: line.close,
    })
  },
}
