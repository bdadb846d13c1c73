import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { test } from 'node:test'
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import {
  type Assertion,
  challengeIn,
  isValidPasskey,
  type NewPasskey,
  verifiedCounter,
} from '../../../src/features/sign-in/webauthn.ts'
import { sha256 } from '../../../src/platform/crypto.ts'

const SITE = { host: 'pay.example.ng', origin: 'https://pay.example.ng' }
const CHALLENGE = randomBytes(32).toString('base64url')
const PRESENT = 0x01
const VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

type Kind = 'ec' | 'ed25519'
const text = (bytes: Buffer): string => bytes.toString('base64url')

const newKeys = (kind: Kind): { readonly privateKey: KeyObject; readonly publicKey: KeyObject } =>
  kind === 'ec' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('ed25519')

const spki = (key: KeyObject): string => text(key.export({ format: 'der', type: 'spki' }))

/** A public key as COSE, which authenticators write. */
function cose(key: KeyObject): Buffer {
  const { kty, x = '', y = '' } = key.export({ format: 'jwk' })
  const value = (label: number, part: string): Buffer =>
    Buffer.concat([Buffer.from([label, 0x58, 0x20]), Buffer.from(part, 'base64url')])
  return kty === 'EC'
    ? Buffer.concat([Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01]), value(0x21, x), value(0x22, y)])
    : Buffer.concat([Buffer.from([0xa4, 0x01, 0x01, 0x03, 0x27, 0x20, 0x06]), value(0x21, x)])
}

interface Varied {
  readonly host?: string
  readonly origin?: string
  readonly type?: string
  readonly challenge?: string
  readonly flags?: number
}

const clientDataOf = (kind: string, { type = kind, challenge = CHALLENGE, origin = SITE.origin }: Varied): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

const authenticatorDataOf = (flags: number, { host = SITE.host }: Varied): Buffer =>
  Buffer.concat([sha256(host), Buffer.from([flags, 0, 0, 0, 7])])

/** Cases for which our verification and the library's must have the same result. */
const CASES: Readonly<Record<string, Varied>> = {
  valid: {},
  'for another host': { host: 'evil.example' },
  'for another page': { origin: 'https://evil.example' },
  'for another purpose': { type: 'payment.get' },
  'with another challenge': { challenge: text(randomBytes(32)) },
  'without its holder': { flags: VERIFIED },
  'without a finger or PIN': { flags: PRESENT },
}

const isAccepted = (judged: Promise<{ readonly verified: boolean }>): Promise<boolean> =>
  judged.then(
    ({ verified }) => verified,
    () => false,
  )

for (const kind of ['ec', 'ed25519'] as const)
  test(`@simplewebauthn/server and Kobo accept and reject the same sign-ins (${kind})`, async () => {
    const id = text(randomBytes(16))
    const { privateKey, publicKey } = newKeys(kind)
    const signed = (varied: Varied): Assertion => {
      const data = authenticatorDataOf(varied.flags ?? PRESENT | VERIFIED, varied)
      const client = clientDataOf('webauthn.get', varied)
      const signature = sign(kind === 'ec' ? 'sha256' : null, Buffer.concat([data, sha256(client)]), privateKey)
      return {
        credentialId: id,
        clientData: text(client),
        authenticatorData: text(data),
        signature: text(signature),
      }
    }
    const compare = async (name: string, assertion: Assertion, key = publicKey): Promise<void> => {
      const { clientData, authenticatorData, signature } = assertion
      const here =
        challengeIn(clientData, 'webauthn.get', SITE) === CHALLENGE && verifiedCounter(assertion, spki(key), SITE) === 7
      const response = { clientDataJSON: clientData, authenticatorData, signature }
      const there = await isAccepted(
        verifyAuthenticationResponse({
          response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
          expectedChallenge: CHALLENGE,
          expectedOrigin: SITE.origin,
          expectedRPID: SITE.host,
          requireUserVerification: true,
          credential: { id, publicKey: new Uint8Array(cose(key)), counter: 6 },
        }),
      )
      assert.deepEqual([name, here], [name, there])
      assert.equal(here, name === 'valid', name)
    }
    for (const [name, varied] of Object.entries(CASES)) await compare(name, signed(varied))
    const good = signed({})
    await compare('by another key', good, newKeys(kind).publicKey)
    for (const part of ['clientData', 'authenticatorData', 'signature'] as const) {
      const bytes = Buffer.from(good[part], 'base64url')
      for (const at of [0, bytes.length >> 1, bytes.length - 1]) {
        const changed = Buffer.from(bytes)
        changed[at] = (changed[at] ?? 0) ^ 0x01
        await compare(`${part} changed at ${at}`, { ...good, [part]: text(changed) })
      }
      await compare(`${part} cut short`, { ...good, [part]: text(bytes.subarray(0, -1)) })
    }
  })

test('@simplewebauthn/server and Kobo accept and reject the same new passkeys', async () => {
  const id = randomBytes(16)
  const { publicKey } = newKeys('ec')
  const flags = PRESENT | VERIFIED | HAS_CREDENTIAL
  const made = (varied: Varied, credentialId = id): NewPasskey => ({
    credentialId: text(credentialId),
    clientData: text(clientDataOf('webauthn.create', varied)),
    authenticatorData: text(
      Buffer.concat([
        authenticatorDataOf(varied.flags === undefined ? flags : varied.flags | HAS_CREDENTIAL, varied),
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        cose(publicKey),
      ]),
    ),
    publicKey: spki(publicKey),
  })
  const compare = async (name: string, passkey: NewPasskey): Promise<void> => {
    const { credentialId, clientData, authenticatorData } = passkey
    const here = challengeIn(clientData, 'webauthn.create', SITE) === CHALLENGE && isValidPasskey(passkey, SITE)
    const data = Buffer.from(authenticatorData, 'base64url')
    const attestation = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
      Buffer.from([0x58, data.length]),
      data,
    ])
    const response = { clientDataJSON: clientData, attestationObject: text(attestation) }
    const there = await isAccepted(
      verifyRegistrationResponse({
        response: { id: credentialId, rawId: credentialId, type: 'public-key', clientExtensionResults: {}, response },
        expectedChallenge: CHALLENGE,
        expectedOrigin: SITE.origin,
        expectedRPID: SITE.host,
        requireUserVerification: true,
      }),
    )
    assert.deepEqual([name, here], [name, there])
    assert.equal(here, name === 'valid', name)
  }
  for (const [name, varied] of Object.entries(CASES)) await compare(name, made(varied))
})
