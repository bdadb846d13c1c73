import { kobo } from '@kobo/gateway/kernel/money.ts'
import type { ConnectorKind } from '../../connector.ts'
import {
  BANKS_SETTING,
  CODES_SETTING,
  connector,
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
import { openEasyPayApi } from './api.ts'
import { transferOperations } from './transfers.ts'

/** NIBSS's limits per transfer: 1 to 10,000,000 naira. */
const AMOUNT_MIN = kobo(100n)
const AMOUNT_MAX = kobo(1_000_000_000n)

const institution = (name: string, help: string) => ({
  name,
  help,
  whyNot: (text: string) => (/^\d{6}$/.test(text) ? undefined : 'must be 6 digits'),
})

/** NIP transfers by NIBSS EasyPay: enquiry, transfer, status query. */
export const easyPayKind: ConnectorKind = {
  whyNot: whyNotOptions,
  settings: [
    ...PARTNER_SETTINGS,
    { name: 'CLIENT_ID', help: 'The client’s id' },
    { name: 'CLIENT_SECRET', help: 'The client’s secret', isSecret: true },
    { name: 'SCOPE', help: 'The scope of requested tokens' },
    { name: 'TOKEN_PATH', help: 'URL of the token endpoint', standard: '/reset' },
    institution('INSTITUTION', 'Our institution number, the prefix of our ids'),
    institution('SOURCE_INSTITUTION', 'Number of the bank that transfers are sent from'),
    { name: 'ORIGINATOR_NAME', help: 'Name of the account that transfers are sent from' },
    { name: 'ORIGINATOR_ACCOUNT', help: 'Its number' },
    { name: 'ORIGINATOR_BVN', help: 'Its BVN', isSecret: true },
    {
      name: 'MANDATE',
      help: 'The mandate under which this account is debited (mandateReferenceNumber)',
      isSecret: true,
    },
    { name: 'BILLER_ID', help: 'Our number as a biller' },
    { name: 'CHANNEL', help: 'The channel code: 1 teller, 2 internet, 3 mobile …', standard: '2' },
    { name: 'LOCATION', help: 'Location that transfers are sent from, in NIBSS format', standard: '6.4281,3.4219' },
    BANKS_SETTING,
    CODES_SETTING,
    TRIAL_SETTING,
  ],
  open: (tools) => {
    const { settings, wall } = tools
    const line = openLine(settings)
    return connector({
      manifest: manifestOf(tools, {
        name: 'NIBSS EasyPay',
        capabilities: ['transfers', 'name-enquiry'],
        limits: { amountMin: Number(AMOUNT_MIN), amountMax: Number(AMOUNT_MAX) },
        trial: { amount: 10_000, ...trialTransfer(settings.text('TRIAL_ACCOUNT')) },
      }),
      operations: transferOperations({
        api: openEasyPayApi(line, settings, wall),
        settings,
        banks: institutions(settings.text('BANKS')),
        codes: withCodes(NIP_CODES, settings.text('CODES')),
        limits: { min: AMOUNT_MIN, max: AMOUNT_MAX },
        wall,
      }),
      close: line.close,
    })
  },
}
