import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { sha256 } from '../../platform/crypto.ts'

/** The host to which passkeys are bound, and the origin that may use them. */
export interface Site {
  readonly host: string
  readonly origin: string
}

export const siteOf = (dashboardUrl: string): Site => {
  const { hostname: host, origin } = new URL(dashboardUrl)
  return { host, origin }
}

/** A passkey's signature as the browser returns it, in base64url. */
export interface Assertion {
  readonly credentialId: string
  readonly clientData: string
  readonly authenticatorData: string
  readonly signature: string
}

/** A new passkey as the browser returns it, in base64url. */
export interface NewPasskey {
  readonly credentialId: string
  readonly clientData: string
  readonly authenticatorData: string
  /** The public key, encoded as SubjectPublicKeyInfo. */
  readonly publicKey: string
}

const bytes = (text: string): Buffer => Buffer.from(text, 'base64url')

const HOST_HASH_BYTES = 32
const FLAGS_AT = 32
const COUNTER_AT = 33
const CREDENTIAL_LENGTH_AT = 53
const CREDENTIAL_AT = 55
const IS_PRESENT = 0x01
const IS_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

/** Returns the signed challenge, if it was signed on one of our pages; otherwise undefined. */
export function challengeIn(
  clientData: string,
  type: 'webauthn.get' | 'webauthn.create',
  { origin }: Site,
): string | undefined {
  try {
    const data = JSON.parse(bytes(clientData).toString()) as Record<string, unknown>
    const isOurs = data['type'] === type && data['origin'] === origin && data['crossOrigin'] !== true
    return isOurs && typeof data['challenge'] === 'string' ? data['challenge'] : undefined
  } catch {
    return undefined
  }
}

/** Whether the authenticator names our host, and verified its user by fingerprint, face or PIN. */
function isForSite(authenticatorData: Buffer, { host }: Site): boolean {
  const flags = authenticatorData[FLAGS_AT] ?? 0
  return (
    authenticatorData.length >= COUNTER_AT + 4 &&
    authenticatorData.subarray(0, HOST_HASH_BYTES).equals(sha256(host)) &&
    (flags & IS_PRESENT) !== 0 &&
    (flags & IS_VERIFIED) !== 0
  )
}

/** Key types of passkeys, and the hash of each. */
const HASHES: Readonly<Record<string, string | null>> = { ec: 'sha256', rsa: 'sha256', ed25519: null }

function readKey(publicKey: string): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: bytes(publicKey), format: 'der', type: 'spki' })
    return key.asymmetricKeyType !== undefined && key.asymmetricKeyType in HASHES ? key : undefined
  } catch {
    return undefined
  }
}

/**
 * Whether a new passkey is valid. There is no attestation, since the user who registers it has already proved who they
 * are.
 */
export function isValidPasskey({ credentialId, authenticatorData, publicKey }: NewPasskey, site: Site): boolean {
  const data = bytes(authenticatorData)
  if (!isForSite(data, site) || ((data[FLAGS_AT] ?? 0) & HAS_CREDENTIAL) === 0 || data.length < CREDENTIAL_AT)
    return false
  const length = data.readUInt16BE(CREDENTIAL_LENGTH_AT)
  const isNamed = data.subarray(CREDENTIAL_AT, CREDENTIAL_AT + length).equals(bytes(credentialId))
  return isNamed && readKey(publicKey) !== undefined
}

/** Returns the counter that comes with a signature, if the signature is right; otherwise undefined. */
export function verifiedCounter(
  { clientData, authenticatorData, signature }: Assertion,
  publicKey: string,
  site: Site,
): number | undefined {
  const data = bytes(authenticatorData)
  const key = readKey(publicKey)
  if (key === undefined || !isForSite(data, site)) return undefined
  const signed = Buffer.concat([data, sha256(bytes(clientData))])
  const isRight = verify(HASHES[key.asymmetricKeyType ?? ''] ?? null, signed, key, bytes(signature))
  return isRight ? data.readUInt32BE(COUNTER_AT) : undefined
}
