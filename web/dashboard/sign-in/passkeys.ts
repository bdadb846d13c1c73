import type { beginPasskey, Input, Reply, signInWithPasskey } from '@kobo/contract'
import * as routes from '../../routes.ts'
import { call, problemOf } from '../api/call.ts'

const ES256 = -7
const ED25519 = -8
const RS256 = -257

/** Whether this browser supports passkeys. */
export const hasPasskeys = (): boolean => 'PublicKeyCredential' in window

const toText = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const toBytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))

type Assertion = Input<typeof signInWithPasskey>['body']

/** A passkey's signature, or an error message. */
export type Signed = { readonly assertion: Assertion } | { readonly problem: string }

const CANCELLED = 'No passkey was used.'

/** Asks the user to sign in with a passkey. */
export async function signWithPasskey(): Promise<Signed> {
  const response = await call(routes.askPasskey, {})
  if (response.kind !== 'done') return { problem: problemOf(response) }
  try {
    const { challenge, host } = response.body
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
    return { problem: CANCELLED } // the user cancelled, or has no passkey here
  }
}

/** Creates a passkey; undefined if the user cancels. */
export async function createPasskey(
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
