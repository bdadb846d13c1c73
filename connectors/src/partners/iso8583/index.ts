import type { ConnectorKind, PartnerSetting } from '../../connector.ts'
import {
  CODES_SETTING,
  connector,
  furtherUrl,
  manifestOf,
  PARTNER_SETTINGS,
  whyNotOptions,
  withCodes,
} from '../../kit/index.ts'
import { chargeOperations, ISSUER_CODES } from './charges.ts'
import { openLink } from './link.ts'
import { openPinEncryption } from './pin.ts'

const TEST_CARD = { number: '5061000000000000003', expiryMonth: '12', expiryYear: '2030', cvv: '123', pin: '1234' }

const matching = (name: string, help: string, pattern: RegExp, rule: string, more: object = {}): PartnerSetting => ({
  name,
  help,
  whyNot: (text) => (pattern.test(text) ? undefined : `must be ${rule}`),
  ...more,
})

const milliseconds = (name: string, help: string, standard: string): PartnerSetting =>
  matching(name, help, /^[1-9]\d{0,5}$/, 'milliseconds', { standard })

/** A connection to an acquirer's switch by ISO 8583:1987: cards with a PIN, approved, declined or reversed. */
export const iso8583Kind: ConnectorKind = {
  whyNot: whyNotOptions,
  settings: [
    matching(
      'ADDRESS',
      'Address of the switch',
      /^[\w.-]+:\d{1,5}$/,
      'a host and a port, such as switch.internal:7000',
    ),
    matching('ACQUIRER', 'The acquirer’s number (field 32)', /^\d{1,11}$/, '1 to 11 digits'),
    matching('TERMINAL', 'Our terminal (field 41)', /^[\x20-\x7e]{8}$/, '8 characters'),
    matching('MERCHANT', 'Our number as a merchant (field 42)', /^[\x20-\x7e]{15}$/, '15 characters'),
    matching('CATEGORY', 'The merchant category (field 18)', /^\d{4}$/, '4 digits', { standard: '5999' }),
    milliseconds('ANSWER_MILLISECONDS', 'Timeout after which a charge is reversed', '12000'),
    milliseconds('REPEAT_MILLISECONDS', 'How often a reversal is repeated', '3000'),
    milliseconds('ECHO_MILLISECONDS', 'Interval between echo requests to the switch', '60000'),
    matching(
      'NOTHING_TO_REVERSE',
      'Response codes of a reversal that mean there was no charge to reverse, as agreed with the acquirer',
      /^([0-9A-Z]{2}(,[0-9A-Z]{2})*)?$/,
      'codes such as 25,21, or empty',
      { standard: '25' },
    ),
    furtherUrl(
      'PIN_URL',
      'The service in front of your HSM that encrypts PINs; without it, charges with a PIN are not sent',
    ),
    ...PARTNER_SETTINGS.filter(({ name }) => name === 'TIMEOUT_MILLISECONDS'),
    matching('PIN_TEST_KEY', 'A test key for PINs, with ?test only', /^([0-9A-F]{32})?$/i, '32 hexadecimal digits', {
      standard: '',
      isSecret: true,
    }),
    matching('PIN_TEST_SERIAL', 'Its serial number', /^[0-9A-F]{20}$/i, '20 hexadecimal digits', {
      standard: 'FFFF9876543210E00000',
    }),
    CODES_SETTING,
  ],
  open: (tools) => {
    const { settings, wall, log } = tools
    const pins = openPinEncryption(tools)
    const [host = '', port = ''] = settings.text('ADDRESS').split(':')
    const link = openLink({
      host,
      port: Number(port),
      echoMilliseconds: Number(settings.text('ECHO_MILLISECONDS')),
      wall,
      log,
    })
    return connector({
      manifest: manifestOf(tools, {
        name: 'Acquirer',
        capabilities: ['cards'],
        limits: { amountMax: 999_999_999_999 },
        trial: { amount: 10_000, card: TEST_CARD },
      }),
      operations: chargeOperations({
        link,
        pins,
        ours: {
          acquirer: settings.text('ACQUIRER'),
          terminal: settings.text('TERMINAL'),
          merchant: settings.text('MERCHANT'),
          category: settings.text('CATEGORY'),
        },
        codes: withCodes(ISSUER_CODES, settings.text('CODES')),
        nothingToReverse: new Set(settings.text('NOTHING_TO_REVERSE').split(',')),
        responseMilliseconds: Number(settings.text('ANSWER_MILLISECONDS')),
        repeatMilliseconds: Number(settings.text('REPEAT_MILLISECONDS')),
      }),
      close: () => {
        link.close()
        pins.close()
      },
    })
  },
}
