import { createSecretKey, type KeyObject } from 'node:crypto'
import { hmacSha256Base64, hmacSha512Hex } from '../../../platform/crypto.ts'
import { type Merchant, type SigningSecret, signingSecret, validSecrets } from '../../merchants/index.ts'

/** The signature that a merchant recomputes: HMAC-SHA-512 of the body with its secret key, in lower-case hex. */
export const serviceSignature = (secretKey: string | KeyObject, body: string): string => hmacSha512Hex(secretKey, body)

const keys = new WeakMap<SigningSecret, KeyObject>()

/** A secret as a key object. Node.js signs with it many times faster than with a string. */
function keyOf(secret: SigningSecret): KeyObject {
  let key = keys.get(secret)
  if (key === undefined) {
    key = createSecretKey(secret.key.reveal(), 'utf8')
    keys.set(secret, key)
  }
  return key
}

/**
 * The signature headers. `service-signature` is Monnify's. The three headers of Standard Webhooks let an endpoint
 * reject replays and carry a signature of every valid secret. The operator and the merchant can configure further
 * header names with the value of `service-signature`.
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
 * The signature headers for an additional endpoint, made with its own secrets. While a replaced secret is valid,
 * `webhook-signature` has a signature of both, and `service-signature` is that of the replaced one.
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
  const signature = signing === undefined ? '' : serviceSignature(keyOf(signing), body)
  return {
    'service-signature': signature,
    ...Object.fromEntries(furtherNames.map((name) => [name, signature])),
    ...(merchant.compat.includes('monnifySignature') ? { 'monnify-signature': signature } : {}),
    'webhook-id': webhookId,
    'webhook-timestamp': timestamp,
    'webhook-signature': valid
      .map((secret) => `v1,${hmacSha256Base64(keyOf(secret), `${webhookId}.${timestamp}.${body}`)}`)
      .join(' '),
  }
}
