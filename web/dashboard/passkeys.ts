import type { askPasskey, beginPasskey, Input, Reply, signInWithPasskey } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import { call, problemOf } from './call.ts'

const ASK: Address<typeof askPasskey> = { method: 'POST', path: '/dashboard/api/passkey' }
const ES256 = -7
const ED25519 = -8
const RS256 = -257

/** Whether this browser knows passkeys at all. */
export const hasPasskeys = (): boolean => 'PublicKeyCredential' in window

const toText = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const toBytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))

type Assertion = Input<typeof signInWithPasskey>['body']

/** What came of asking for a passkey: what it signed, or what to tell the person. */
export type Signed = { readonly assertion: Assertion } | { readonly problem: string }

const GIVEN_UP = 'No passkey was used.'

/** Has the browser ask for a passkey of ours. */
export async function signWithPasskey(): Promise<Signed> {
  const answer = await call(ASK, {})
  if (answer.kind !== 'done') return { problem: problemOf(answer) }
  try {
    const { challenge, host } = answer.body
    const credential = (await navigator.credentials.get({
      publicKey: { challenge: toBytes(challenge), rpId: host, userVerification: 'required' },
    })) as PublicKeyCredential
    const { clientDataJSON, authenticatorData, signature } = credential.response as AuthenticatorAssertionResponse
    return {
      assertion: {
        credentialId: credential.id,
        clientData: toText(clientDataJSON),
        authenticatorData: toText(authenticatorData),
        signature: toText(signature),
      },
    }
  } catch {
    return { problem: GIVEN_UP } // the person changed their mind, or has none here
  }
}

/** Has the browser make a passkey; undefined where the person changed their mind. */
export async function makePasskey(
  { challenge, host, userId, known }: Reply<typeof beginPasskey>,
  { name, email }: { readonly name: string; readonly email: string },
) {
  try {
    const credential = (await navigator.credentials.create({
      publicKey: {
        challenge: toBytes(challenge),
        rp: { id: host, name: 'Kobo' },
        user: { id: toBytes(userId), name: email, displayName: name },
        pubKeyCredParams: [ES256, ED25519, RS256].map((alg) => ({ type: 'public-key', alg })),
        excludeCredentials: known.map((id) => ({ type: 'public-key', id: toBytes(id) })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      },
    })) as PublicKeyCredential
    const response = credential.response as AuthenticatorAttestationResponse
    const publicKey = response.getPublicKey()
    return publicKey === null
      ? undefined
      : {
          credentialId: credential.id,
          clientData: toText(response.clientDataJSON),
          authenticatorData: toText(response.getAuthenticatorData()),
          publicKey: toText(publicKey),
        }
  } catch {
    return undefined
  }
}
