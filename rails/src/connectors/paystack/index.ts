import { equalSecrets, hmacSha512Hex } from '@kobo/gateway/platform/crypto.ts'
import type { ConnectorKind } from '../../connector.ts'
import {
  connector,
  manifestOf,
  openLine,
  PARTNER_SETTINGS,
  readJson,
  tellWaiting,
  textAt,
  whyNotOptions,
} from '../../kit/index.ts'
import { chargeOperations } from './charges.ts'
import { refundOperations } from './refunds.ts'

/** The card that Paystack's test system approves without asking anything. */
const TEST_CARD = { number: '4084084084084081', expiryMonth: '12', expiryYear: '2030', cvv: '408', pin: '0000' }

/** Events that something has become of a charge by. */
const CHARGE_EVENTS = new Set(['charge.success', 'charge.failed'])

/** Cards by Paystack, whose licence it goes by: charge, OTP, the issuer's page, refunds, signed events. */
export const paystackKind: ConnectorKind = {
  whyNot: whyNotOptions,
  settings: [
    ...PARTNER_SETTINGS,
    { name: 'SECRET_KEY', help: 'The secret key, by which events are signed too', isSecret: true },
    {
      name: 'EMAIL',
      help: 'The e-mail address that charges are made under: Paystack wants one for each',
      whyNot: whyNotEmail,
    },
  ],
  open: (tools) => {
    const { settings, teller } = tools
    const key = settings.secret('SECRET_KEY')
    const line = openLine(settings)
    const ask: typeof line.ask = (question) =>
      line.ask({ ...question, headers: { authorization: `Bearer ${key.reveal()}` } })
    return connector({
      manifest: manifestOf(tools, {
        name: 'Paystack',
        capabilities: ['cards', 'card-refunds', 'outcomes'],
        limits: {},
        trial: { amount: 10_000, card: TEST_CARD },
      }),
      operations: { ...chargeOperations(ask, settings.text('EMAIL')), ...refundOperations(ask) },
      hear: async ({ method, path, headers, body }) => {
        if (method !== 'POST' || path !== 'events') return { status: 404, body: {} }
        const signature = String(headers['x-paystack-signature'] ?? '')
        if (!equalSecrets(signature, hmacSha512Hex(key.reveal(), body.toString()))) return { status: 401, body: {} }
        const event = readJson(body)
        const reference = textAt(event, 'data.reference') ?? ''
        // What became of a refund is asked about by and by: its event names the charge alone.
        if (!CHARGE_EVENTS.has(textAt(event, 'event') ?? '') || reference === '') return { status: 200, body: {} }
        const told = await tellWaiting(teller, 'outcomes', { reference })
        return { status: told === undefined ? 503 : 200, body: {} }
      },
      close: line.close,
    })
  },
}

function whyNotEmail(text: string): string | undefined {
  return /^[^@\s]+@[^@\s]+$/.test(text) ? undefined : 'must be an e-mail address'
}
