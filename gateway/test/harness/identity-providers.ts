import assert from 'node:assert/strict'
import { createHmac, createPublicKey, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { finishSignOn, startSignOn } from '@kobo/contract'
import { Provider } from 'oidc-provider'
import type { TestBrowser } from './users.ts'

export const CLIENT = { clientId: 'kobo', clientSecret: 'a secret of the client' }

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

/** Serves HTTP on a free port until the test ends; returns its URL. */
async function serve(t: Pick<TestContext, 'after'>, handlerOf: (url: string) => Handler): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://localhost:${(server.address() as AddressInfo).port}`
  server.on('request', handlerOf(url))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return url
}

const FORM = '<form method="post"><label>User <input name="user" autofocus></label><button>Log in</button></form>'

/**
 * A real OpenID provider. Its page asks for the user's name, which is the subject and the email address. Users have
 * shown a second factor if `amr` says so.
 */
export const realProvider = (
  t: Pick<TestContext, 'after'>,
  redirectUris: readonly string[],
  amr: readonly string[] = ['pwd'],
): Promise<string> =>
  serve(t, (issuer) => {
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: CLIENT.clientId,
          client_secret: CLIENT.clientSecret,
          redirect_uris: redirectUris,
          response_types: ['code'],
          grant_types: ['authorization_code'],
        },
      ],
      claims: { openid: ['sub', 'amr', 'auth_time'], email: ['email', 'email_verified'], profile: ['name'] },
      cookies: { keys: ['of the test'] },
      features: { devInteractions: { enabled: false } },
      findAccount: (_: unknown, email: string) => ({
        accountId: email,
        claims: () => ({ sub: email, email, email_verified: true, name: 'Ada Obi' }),
      }),
      interactions: { url: (_: unknown, { uid }: { readonly uid: string }) => `/login/${uid}` },
      loadExistingGrant: async ({ oidc }: GrantContext) => {
        const grant = new oidc.provider.Grant({ clientId: CLIENT.clientId, accountId: oidc.session.accountId })
        grant.addOIDCScope('openid email profile')
        await grant.save()
        return grant
      },
      pkce: { required: () => true },
    })
    const handle = provider.callback()
    return async (request, response) => {
      if (!request.url?.startsWith('/login/')) return handle(request, response)
      if (request.method === 'GET') return response.setHeader('content-type', 'text/html').end(FORM)
      const accountId = new URLSearchParams(await text(request)).get('user')
      await provider.interactionFinished(request, response, { login: { accountId, amr } })
    }
  })

interface Grant {
  readonly addOIDCScope: (scope: string) => void
  readonly save: () => Promise<string>
}
interface GrantContext {
  readonly oidc: {
    readonly provider: { readonly Grant: new (of: object) => Grant }
    readonly session: { readonly accountId: string }
  }
}

/** Follows redirects as a browser does at the real provider, logs in, and returns the URL to which it sends us back. */
export async function logInAt(start: string, user: string): Promise<URL> {
  const cookies = new Map<string, string>()
  let url = new URL(start)
  const { origin } = url
  for (let step = 0; step < 10 && url.origin === origin; step++) {
    const isForm = url.pathname.startsWith('/login/')
    const response = await fetch(url, {
      method: isForm ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      ...(isForm && { body: new URLSearchParams({ user }) }),
    })
    for (const set of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (set.split(';')[0] ?? '').split('=')
      cookies.set(name, value)
    }
    const next = response.headers.get('location')
    url = new URL(next ?? assert.fail(`${url} answers ${response.status}: ${await response.text()}`), url)
  }
  return url
}

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** How a rogue provider signs its ID tokens. */
type Signing = 'RS256' | 'none' | 'HS256 with the public key' | 'with another key'

/** A rogue provider, whose responses the test decides. */
export interface RogueProvider {
  readonly issuer: string
  /** The claims of the next ID token, on top of right ones. */
  claims: Record<string, unknown>
  signing: Signing
  /** Replaces the response of a path. */
  handlers: Record<string, Handler>
  metadata: Record<string, unknown>
  /** The paths that were requested. */
  readonly requested: string[]
  /** Signs on in a browser: starts, and finishes with a code of this provider. */
  readonly signOn: (browser: TestBrowser, code: string, link?: string) => Promise<FinishInput>
}

interface FinishInput {
  readonly body: { readonly code: string; readonly query: string }
}

const rsaKey = (): { readonly privateKey: KeyObject; readonly publicKey: KeyObject } =>
  generateKeyPairSync('rsa', { modulusLength: 2048 })

/** Generating keys takes longer than a sign-on, so all providers have the same. */
const ownKey = rsaKey()
const otherKey = rsaKey()

export async function rogueProvider(t: Pick<TestContext, 'after'>): Promise<RogueProvider> {
  let nonce = ''
  const idToken = (issuer: string, { claims, signing }: RogueProvider): string => {
    const seconds = Math.floor(Date.now() / 1_000)
    const alg = { RS256: 'RS256', 'with another key': 'RS256', none: 'none', 'HS256 with the public key': 'HS256' }[
      signing
    ]
    const right = { iss: issuer, aud: CLIENT.clientId, sub: 'ada', nonce, iat: seconds, exp: seconds + 300 }
    const signed = `${base64url({ alg, kid: 'one' })}.${base64url({ ...right, ...claims })}`
    const pem = createPublicKey(ownKey.privateKey).export({ type: 'spki', format: 'pem' })
    const key = signing === 'with another key' ? otherKey.privateKey : ownKey.privateKey
    const signature =
      alg === 'none'
        ? ''
        : alg === 'HS256'
          ? createHmac('sha256', pem).update(signed).digest('base64url')
          : createSign('sha256').update(signed).sign(key, 'base64url')
    return `${signed}.${signature}`
  }
  const rogue: RogueProvider = {
    issuer: '',
    claims: {},
    signing: 'RS256',
    handlers: {},
    metadata: {},
    requested: [],
    signOn: async (browser, code, link) => {
      const { url } = await browser.call(startSignOn, { body: { code, ...(link !== undefined && { link }) } })
      const { searchParams } = new URL(url)
      nonce = searchParams.get('nonce') ?? ''
      const query = new URLSearchParams({ code: 'a code', state: searchParams.get('state') ?? '' }).toString()
      return { body: { code, query } }
    },
  }
  const json = (response: ServerResponse, body: object): unknown =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
  const issuer = await serve(t, (url) => (request, response) => {
    const path = request.url ?? ''
    rogue.requested.push(path)
    const reply = rogue.handlers[path]
    if (reply !== undefined) return reply(request, response)
    if (path === '/jwks')
      return json(response, { keys: [{ ...ownKey.publicKey.export({ format: 'jwk' }), kid: 'one' }] })
    if (path === '/token')
      return json(response, { access_token: 'one', token_type: 'Bearer', id_token: idToken(url, rogue) })
    return json(response, {
      issuer: url,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      jwks_uri: `${url}/jwks`,
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
      ...rogue.metadata,
    })
  })
  return Object.assign(rogue, { issuer })
}

export { finishSignOn, startSignOn }
