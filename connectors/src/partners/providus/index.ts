import { hash } from 'node:crypto'
import type { Hidden } from '@kobo/gateway/kernel/hidden.ts'
import type { ConnectorKind } from '../../connector.ts'
import {
  BANKS_SETTING,
  CODES_SETTING,
  connector,
  furtherUrl,
  institutions,
  manifestOf,
  NIP_CODES,
  openLine,
  PARTNER_SETTINGS,
  TRIAL_SETTING,
  trialTransfer,
  whyNotOptions,
  withCodes,
} from '../../kit/index.ts'
import { accountOperations } from './accounts.ts'
import { handleNotices } from './notices.ts'
import { transferOperations } from './transfers.ts'

/** Issued account numbers of Providus Bank, credit notifications, and NIP transfers. */
export const providusKind: ConnectorKind = {
  whyNot: whyNotOptions,
  settings: [
    ...PARTNER_SETTINGS,
    { name: 'CLIENT_ID', help: 'The client’s id' },
    { name: 'CLIENT_SECRET', help: 'The client’s secret', isSecret: true },
    { name: 'BANK_CODE', help: 'The bank’s code', standard: '101' },
    {
      name: 'DYNAMIC_MINUTES',
      help: 'How long the bank keeps a dynamic number for us, as agreed with it',
      standard: '10',
      whyNot: (text) => (/^[1-9]\d{0,3}$/.test(text) ? undefined : 'must be minutes from 1 to 9999'),
    },
    { name: 'VERIFY_PATH', help: 'URL to query a payment by its session id', standard: '/api/PiPverifyTransaction' },
    furtherUrl('TRANSFER_URL', 'URL for transfers; without it, none are sent'),
    { name: 'TRANSFER_USER', help: 'User name for transfers', standard: '' },
    { name: 'TRANSFER_PASSWORD', help: 'Its password', standard: '', isSecret: true },
    { name: 'SOURCE_NAME', help: 'Name of the account that transfers are sent from', standard: '' },
    BANKS_SETTING,
    CODES_SETTING,
    TRIAL_SETTING,
  ],
  open: (tools) => {
    const { settings, notifier, wall } = tools
    const bankCode = settings.text('BANK_CODE')
    const banks = institutions(settings.text('BANKS'))
    const sendsTransfers = settings.text('TRANSFER_URL') !== ''
    const line = openLine(settings)
    const posting = openLine(settings, 'TRANSFER_URL')
    const signature = signatureOf(settings.text('CLIENT_ID'), settings.secret('CLIENT_SECRET'))
    const headers = { 'client-id': settings.text('CLIENT_ID'), 'x-auth-signature': signature }
    const callPartner: typeof line.callPartner = (request) => line.callPartner({ ...request, headers })
    return connector({
      manifest: manifestOf(tools, {
        name: 'Providus Bank',
        capabilities: ['issued-accounts', 'credits', ...(sendsTransfers ? ['transfers', 'name-enquiry'] : [])],
        limits: {},
        // The trial opens no accounts: the bank would open another number for each repetition of a request.
        trial: { amount: 10_000, ...trialTransfer(settings.text('TRIAL_ACCOUNT')) },
      }),
      operations: {
        ...accountOperations({ callPartner, ours: bankCode, minutes: Number(settings.text('DYNAMIC_MINUTES')), wall }),
        ...transferOperations({
          callPartner: posting.callPartner,
          banks,
          ours: bankCode,
          codes: withCodes(NIP_CODES, settings.text('CODES')),
          userName: settings.text('TRANSFER_USER'),
          password: settings.secret('TRANSFER_PASSWORD'),
          sourceName: settings.text('SOURCE_NAME'),
        }),
      },
      handleCallback: handleNotices({
        callPartner,
        bankCode,
        bankOf: banks.bankOf,
        verifyPath: settings.text('VERIFY_PATH'),
        signature,
        notifier,
      }),
      close: () => {
        line.close()
        posting.close()
      },
    })
  },
}

/** The signature of every message. It identifies the sender and does not cover the content. */
export const signatureOf = (clientId: string, secret: Hidden<string>): string =>
  hash('sha512', `${clientId}:${secret.reveal()}`, 'hex').toUpperCase()
