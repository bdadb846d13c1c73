import { hmacSha512Hex, openHmac } from '../../../platform/crypto.ts'
import { type Merchant, type SigningSecret, signingSecret, validSecrets } from '../../merchants/index.ts'

/** Returns the signature that a merchant recomputes: HMAC-SHA-512 of the body with its secret key, in hex. */
export const serviceSignature = (secretKey: string, body: string): string => hmacSha512Hex(secretKey, body)

interface Signers {
  /** Monnify's `service-signature`. */
  readonly service: (body: string) => string
  /** The signature of Standard Webhooks. */
  readonly standard: (text: string) => string
}

const signers = new WeakMap<SigningSecret, Signers>()

function signersOf(secret: SigningSecret): Signers {
  let known = signers.get(secret)
  if (known === undefined) {
    const key = Buffer.from(secret.key.reveal())
    known = { service: openHmac('sha512', key, 'hex'), standard: openHmac('sha256', key, 'base64') }
    signers.set(secret, known)
  }
  return known
}

/**
 * Builds the signature headers. `service-signature` is Monnify's. With the three headers of Standard Webhooks an
 * endpoint can reject replays; they have a signature with each valid secret. Operator and merchant can configure
 * further header names with the value of `service-signature`.
 */
export function signatureHeaders(
  merchant: Merchant,
  event: SignedEvent,
  at: Date,
  wallAt: Date,
  furtherNames: readonly string[],
): Record<string, string> {
  return headersBy(signingSecret(merchant, at), validSecrets(merchant, at), merchant, event, wallAt, furtherNames)
}

/**
 * Builds the signature headers for an additional endpoint, with its own secrets. While a replaced secret is valid,
 * `webhook-signature` has a signature with each secret, and `service-signature` uses the old one.
 */
export function endpointHeaders(
  merchant: Merchant,
  endpointId: bigint,
  event: SignedEvent,
  at: Date,
  wallAt: Date,
  furtherNames: readonly string[],
): Record<string, string> {
  const secrets = merchant.endpoints.get(endpointId) ?? []
  const valid = secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > at)
  return headersBy(valid.at(-1), valid, merchant, event, wallAt, furtherNames)
}

interface SignedEvent {
  readonly id: bigint
  readonly body: string
}

function headersBy(
  signing: SigningSecret | undefined,
  valid: readonly SigningSecret[],
  merchant: Merchant,
  { id, body }: SignedEvent,
  wallAt: Date,
  furtherNames: readonly string[],
): Record<string, string> {
  const webhookId = `evt_${id}`
  const timestamp = String(Math.floor(wallAt.getTime() / 1_000))
  const signature = signing === undefined ? '' : signersOf(signing).service(body)
  return {
    'service-signature': signature,
    ...Object.fromEntries(furtherNames.map((name) => [name, signature])),
    ...(merchant.compat.includes('monnifySignature') ? { 'monnify-signature': signature } : {}),
    'webhook-id': webhookId,
    'webhook-timestamp': timestamp,
    'webhook-signature': valid
      .map((secret) => `v1,${signersOf(secret).standard(`${webhookId}.${timestamp}.${body}`)}`)
      .join(' '),
  }
}
