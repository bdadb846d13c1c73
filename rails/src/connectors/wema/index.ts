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
import { answerEnquiry, ENQUIRY_REPLY_SETTING } from './enquiry.ts'
import { hearNotice, hearOutcome } from './notices.ts'
import { transferOperations, WEMA_WORDS } from './transfers.ts'

/** Account numbers under a prefix that Wema Bank has assigned: enquiries and notices come from the bank; transfers go there. */
export const wemaKind: ConnectorKind = {
  whyNot: whyNotOptions,
  settings: [
    ...PARTNER_SETTINGS,
    { name: 'BANK_CODE', help: 'The bank’s code', standard: '035' },
    { name: 'AUTH_HEADER', help: 'The header that the bank’s calls bear the key in', standard: 'authorization' },
    { name: 'AUTH_KEY', help: 'The key that was given to the bank with the prefix (authKey)', isSecret: true },
    { name: 'API_KEY', help: 'What the bank knows us by, sent as x-api-key', isSecret: true },
    { name: 'QUERY_PATH', help: 'Where the bank is asked for a payment', standard: '/Trans/TransQuery' },
    ENQUIRY_REPLY_SETTING,
    { name: 'TRANSFER_PATH', help: 'Where transfers are asked for', standard: '/transfers' },
    {
      name: 'STATUS_PATH',
      help: 'Where the bank is asked for a transfer, before its reference; none are sent without it',
      standard: '',
    },
    { name: 'TRANSFER_KEY', help: 'What transfers are hashed with', standard: '', isSecret: true },
    { name: 'SOURCE_ACCOUNT', help: 'The account that transfers leave from', standard: '' },
    BANKS_SETTING,
    CODES_SETTING,
    TRIAL_SETTING,
  ],
  open: (tools) => {
    const { settings, teller } = tools
    const bankCode = settings.text('BANK_CODE')
    const banks = institutions(settings.text('BANKS'))
    const line = openLine(settings)
    const ask: typeof line.ask = (question) =>
      line.ask({ ...question, headers: { ...question.headers, 'x-api-key': settings.secret('API_KEY').reveal() } })
    const isBank = ({ headers }: Call): boolean =>
      equalSecrets(
        String(headers[settings.text('AUTH_HEADER').toLowerCase()] ?? ''),
        settings.secret('AUTH_KEY').reveal(),
      )
    const hearing = {
      'name-enquiry': answerEnquiry({ teller, bankCode, reply: settings.text('ENQUIRY_REPLY') }),
      notice: hearNotice({ teller, bankCode, banks, ask, queryPath: settings.text('QUERY_PATH') }),
      outcome: hearOutcome(teller),
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
        ask,
        banks,
        codes: withCodes(WEMA_WORDS, settings.text('CODES')),
        settings,
      }),
      hear: async (call) => {
        const heard = Object.hasOwn(hearing, call.path) ? hearing[call.path as keyof typeof hearing] : undefined
        if (call.method !== 'POST' || heard === undefined) return { status: 404, body: {} }
        return isBank(call) ? heard(call.body) : { status: 401, body: { status: '63', status_desc: 'not authorised' } }
      },
      close: line.close,
    })
  },
}
