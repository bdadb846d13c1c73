import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { sha256 } from '../../platform/crypto.ts'

/** Where passkeys are good: the host that browsers bind them to, and the pages that may ask for them. */
export interface Site {
  readonly host: string
  readonly origin: string
}

export const siteOf = (dashboardUrl: string): Site => {
  const { hostname: host, origin } = new URL(dashboardUrl)
  return { host, origin }
}

/** What a passkey signed, as the browser hands it over, in base64url. */
export interface Assertion {
  readonly credentialId: string
  readonly clientData: string
  readonly authenticatorData: string
  readonly signature: string
}

/** What a new passkey says of itself, in base64url. */
export interface NewPasskey {
  readonly credentialId: string
  readonly clientData: string
  readonly authenticatorData: string
  /** As SubjectPublicKeyInfo. */
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

/** The challenge that was signed, where it was signed for a page of ours; undefined where not. */
export function challengeIn(
  clientData: string,
  type: 'webauthn.get' | 'webauthn.create',
  { origin }: Site,
): string | undefined {
  try {
    const said = JSON.parse(bytes(clientData).toString()) as Record<string, unknown>
    const isOurs = said['type'] === type && said['origin'] === origin && said['crossOrigin'] !== true
    return isOurs && typeof said['challenge'] === 'string' ? said['challenge'] : undefined
  } catch {
    return undefined
  }
}

/** Whether an authenticator speaks of our host, with its holder there and known to it by finger, face or PIN. */
function speaksOf(authenticatorData: Buffer, { host }: Site): boolean {
  const flags = authenticatorData[FLAGS_AT] ?? 0
  return (
    authenticatorData.length >= COUNTER_AT + 4 &&
    authenticatorData.subarray(0, HOST_HASH_BYTES).equals(sha256(host)) &&
    (flags & IS_PRESENT) !== 0 &&
    (flags & IS_VERIFIED) !== 0
  )
}

/** Kinds of keys that passkeys have, and how each signs. */
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
 * Whether a new passkey is sound. Who made it is not asked for (attestation): whoever registers it has proved who they are,
 * and vouches for it.
 */
export function isSoundPasskey({ credentialId, authenticatorData, publicKey }: NewPasskey, site: Site): boolean {
  const data = bytes(authenticatorData)
  if (!speaksOf(data, site) || ((data[FLAGS_AT] ?? 0) & HAS_CREDENTIAL) === 0 || data.length < CREDENTIAL_AT)
    return false
  const length = data.readUInt16BE(CREDENTIAL_LENGTH_AT)
  const isNamed = data.subarray(CREDENTIAL_AT, CREDENTIAL_AT + length).equals(bytes(credentialId))
  return isNamed && readKey(publicKey) !== undefined
}

/** The count that a passkey gives with its signature, where that is right; undefined where not. */
export function countSigned(
  { clientData, authenticatorData, signature }: Assertion,
  publicKey: string,
  site: Site,
): number | undefined {
  const data = bytes(authenticatorData)
  const key = readKey(publicKey)
  if (key === undefined || !speaksOf(data, site)) return undefined
  const signed = Buffer.concat([data, sha256(bytes(clientData))])
  const isRight = verify(HASHES[key.asymmetricKeyType ?? ''] ?? null, signed, key, bytes(signature))
  return isRight ? data.readUInt32BE(COUNTER_AT) : undefined
}
