import { equalSecrets, hmacSha512Hex } from '@kobo/gateway/platform/crypto.ts'
import type { ConnectorKind } from '../../connector.ts'
import {
  connector,
  manifestOf,
  notifyAndWait,
  openLine,
  PARTNER_SETTINGS,
  readJson,
  textAt,
  whyNotOptions,
} from '../../kit/index.ts'
import { chargeOperations } from './charges.ts'
import { refundOperations } from './refunds.ts'

/** The card that Paystack's test system approves without a challenge. */
const TEST_CARD = { number: '4084084084084081', expiryMonth: '12', expiryYear: '2030', cvv: '408', pin: '0000' }

const CHARGE_EVENTS = new Set(['charge.success', 'charge.failed'])

/** Cards by Paystack, under its licence: charge, OTP, 3-D Secure, refunds, signed events. */
export const paystackKind: ConnectorKind = {
  whyNot: whyNotOptions,
  settings: [
    ...PARTNER_SETTINGS,
    { name: 'SECRET_KEY', help: 'The secret key, which also signs events', isSecret: true },
    {
      name: 'EMAIL',
      help: 'The email address used for charges: Paystack requires one for each',
      whyNot: whyNotEmail,
    },
  ],
  open: (tools) => {
    const { settings, notifier } = tools
    const key = settings.secret('SECRET_KEY')
    const line = openLine(settings)
    const callPartner: typeof line.callPartner = (request) =>
      line.callPartner({ ...request, headers: { authorization: `Bearer ${key.reveal()}` } })
    return connector({
      manifest: manifestOf(tools, {
        name: 'Paystack',
        capabilities: ['cards', 'card-refunds', 'outcomes'],
        limits: {},
        trial: { amount: 10_000, card: TEST_CARD },
      }),
      operations: { ...chargeOperations(callPartner, settings.text('EMAIL')), ...refundOperations(callPartner) },
      handleCallback: async ({ method, path, headers, body }) => {
        if (method !== 'POST' || path !== 'events') return { status: 404, body: {} }
        const signature = String(headers['x-paystack-signature'] ?? '')
        if (!equalSecrets(signature, hmacSha512Hex(key.reveal(), body.toString()))) return { status: 401, body: {} }
        const event = readJson(body)
        const reference = textAt(event, 'data.reference') ?? ''
        // Events of refunds are ignored, because they name only the charge. Refunds are queried on schedule.
        if (!CHARGE_EVENTS.has(textAt(event, 'event') ?? '') || reference === '') return { status: 200, body: {} }
        const outcome = await notifyAndWait(notifier, 'outcomes', { reference })
        return { status: outcome === undefined ? 503 : 200, body: {} }
      },
      close: line.close,
    })
  },
}

function whyNotEmail(text: string): string | undefined {
  return /^[^@\s]+@[^@\s]+$/.test(text) ? undefined : 'must be an email address'
}
