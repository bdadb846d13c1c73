import * as oauth from 'oauth4webapi'
import type { Core } from '../../core/core.ts'
import { NO_MERCHANT } from '../../core/security/audit.ts'
import type { OperatorSignOn } from '../../core/sessions/index.ts'
import { monotonic } from '../../kernel/clock.ts'
import { Refusal } from '../../kernel/errors.ts'
import type { Hidden } from '../../kernel/hidden.ts'
import { startOf } from '../../kernel/texts.ts'
import type { Config } from '../../platform/config/config.ts'
import { sha256 } from '../../platform/crypto.ts'
import { openPost, type Post } from '../../platform/http/post-json.ts'
import { signOnErrors } from './errors.ts'

/** A team's identity provider. */
export interface Provider {
  /** The merchant whose team uses it; 0 for the operator's team. */
  readonly merchantId: bigint
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: Hidden<string>
  /** The email domains of its users. */
  readonly domains: readonly string[]
  /** The values of `amr` and `acr` that count as a second factor now. */
  readonly secondFactor: readonly string[]
}

export interface ProviderUser {
  readonly subject: string
  /** Set only if the provider says that it has verified the address. */
  readonly email: string | undefined
  readonly name: string | undefined
  /** When the user showed a second factor that counts. */
  readonly secondFactorAt: Date | undefined
}

/** A sign-on in progress: its provider, the redirect URI, and the secret that only this browser has. */
export interface UnderWay {
  readonly provider: Provider
  readonly redirectUri: string
  readonly token: string
}

/** Signs users in at identity providers with OpenID Connect: authorization code flow with PKCE. */
export interface Providers {
  /** The operator's own provider, if it has one. */
  readonly operator: (Provider & OperatorSignOn) | undefined
  /** Returns the URL at which the user signs in. A confirmation always requires a new sign-in there. */
  readonly signInUrl: (underWay: UnderWay, isConfirmation: boolean) => Promise<string>
  /** Reads the user from the query that the provider added to the redirect URI. */
  readonly readUser: (underWay: UnderWay, query: string) => Promise<ProviderUser>
  /** Rejects an issuer that does not describe itself as an OpenID provider. */
  readonly check: (provider: Pick<Provider, 'merchantId' | 'issuer'>) => Promise<void>
  readonly close: () => void
}

const TIMEOUT_MILLISECONDS = 5_000
/** The maximum length of a provider's response. A longer one is cut off and invalid. */
const RESPONSE_LENGTH_MAX = 262_144
const REASON_LENGTH_MAX = 200
/** How long a provider's description of itself is cached. */
const CACHED_MILLISECONDS = 600_000
const STORED_MAX = 1_000
/** The maximum age of a sign-in at the provider. Requesting it makes providers report the time of the sign-in. */
const SIGN_IN_AGE_SECONDS_MAX = 43_200

interface Deps {
  readonly core: Pick<Core, 'wall'>
  readonly config: Config
}

interface Described {
  readonly server: Promise<oauth.AuthorizationServer>
  readonly until: number
}

export function openProviders({ core: { wall }, config }: Deps): Providers {
  const bounds = { timeoutMilliseconds: TIMEOUT_MILLISECONDS, excerptLengthMax: RESPONSE_LENGTH_MAX }
  // A merchant can name any issuer, so merchants' issuers are restricted like webhook URLs. The operator's issuer may
  // be in a private network.
  const guarded = openPost({ allowPrivate: config.privateWebhooks, ports: config.receiverPorts, ...bounds })
  const open = openPost({ allowPrivate: true, ...bounds })
  const allowsPlain = config.environment === 'sandbox'
  const optionsOf = ({ merchantId }: Pick<Provider, 'merchantId'>): Options => ({
    [oauth.customFetch]: fetchWith((merchantId === NO_MERCHANT ? open : guarded).post),
    [oauth.allowInsecureRequests]: allowsPlain,
  })
  const described = new Map<string, Described>()

  /** Returns the provider's description of itself, cached. Callers at the same time share one request. */
  function describe(provider: Pick<Provider, 'merchantId' | 'issuer'>): Promise<oauth.AuthorizationServer> {
    const key = `${provider.merchantId === NO_MERCHANT ? 'operator' : ''} ${provider.issuer}`
    const known = described.get(key)
    if (known !== undefined && known.until > monotonic()) return known.server
    const server = discover(provider.issuer, optionsOf(provider), allowsPlain)
    if (described.size >= STORED_MAX) described.clear()
    described.set(key, { server, until: monotonic() + CACHED_MILLISECONDS })
    server.catch(() => described.delete(key))
    return server
  }

  return {
    operator: operatorProvider(config),
    signInUrl: async ({ provider, redirectUri, token }, isConfirmation) => {
      const server = await describe(provider)
      const url = new URL(server.authorization_endpoint ?? '')
      const supported: readonly unknown[] = [server.acr_values_supported].flat()
      const known = provider.secondFactor.filter((value) => supported.includes(value))
      const parameters = {
        client_id: provider.clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: 'openid email profile',
        state: derive('state', provider, token),
        nonce: derive('nonce', provider, token),
        code_challenge: await oauth.calculatePKCECodeChallenge(derive('verifier', provider, token)),
        code_challenge_method: 'S256',
        ...(provider.secondFactor.length === 0 ? {} : { max_age: isConfirmation ? '0' : `${SIGN_IN_AGE_SECONDS_MAX}` }),
        ...(known.length === 0 ? {} : { acr_values: known.join(' ') }),
        ...(isConfirmation ? { prompt: 'login' } : {}),
      }
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
      return url.href
    },
    readUser: async (underWay, query) => {
      const server = await describe(underWay.provider)
      try {
        return userOf(
          underWay.provider,
          await readClaims(server, underWay, query, optionsOf(underWay.provider)),
          wall.now(),
        )
      } catch (error) {
        throw error instanceof Refusal ? error : signOnErrors.signOnRejected(reasonOf(error))
      }
    },
    check: async (provider) => {
      described.delete(` ${provider.issuer}`)
      await describe(provider)
    },
    close: () => {
      guarded.close()
      open.close()
    },
  }
}

function operatorProvider(config: Config): (Provider & OperatorSignOn) | undefined {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret } = config
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined
  return {
    merchantId: NO_MERCHANT,
    issuer,
    clientId,
    clientSecret,
    domains: config.oidcDomains,
    isRequired: config.oidcRequired,
    secondFactor: config.oidcSecondFactor,
  }
}

/** Derives a value from this browser's token and this provider, so that no one else can compute it. */
const derive = (purpose: 'state' | 'nonce' | 'verifier', { merchantId, issuer, clientId }: Provider, token: string) =>
  sha256(JSON.stringify([purpose, String(merchantId), issuer, clientId, token])).toString('base64url')

const reasonOf = (error: unknown): string => startOf(error instanceof Error ? error.message : '', REASON_LENGTH_MAX)

/**
 * Makes a `fetch` function from our HTTP client, which rejects redirects, slow or long responses and, unless they are
 * allowed, private addresses.
 */
const fetchWith =
  (post: Post) =>
  async (url: string, { method, headers, body }: oauth.CustomFetchOptions<'GET' | 'POST', unknown>) => {
    const response = await post(url, String(body ?? ''), headers, method)
    if (response.status === null || response.error !== null)
      throw signOnErrors.providerFailed(startOf(response.error ?? 'no response', REASON_LENGTH_MAX))
    const type = response.headers?.['content-type']
    return new Response(response.bodyExcerpt, {
      status: response.status,
      ...(type && { headers: { 'content-type': type } }),
    })
  }

interface Options {
  readonly [oauth.customFetch]: ReturnType<typeof fetchWith>
  readonly [oauth.allowInsecureRequests]: boolean
}

async function discover(issuer: string, options: Options, allowsPlain: boolean): Promise<oauth.AuthorizationServer> {
  try {
    const url = new URL(issuer)
    const server = await oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, options))
    // Browsers are redirected to this URL, so it must not be a `javascript:` URL.
    const { protocol } = new URL(server.authorization_endpoint ?? '')
    if (protocol !== 'https:' && !(allowsPlain && protocol === 'http:'))
      throw new Error('its authorization endpoint is not an https address')
    return server
  } catch (error) {
    throw error instanceof Refusal ? error : signOnErrors.providerFailed(reasonOf(error))
  }
}

/** Checks the provider's response and its ID token, and returns the claims about the user. */
async function readClaims(
  server: oauth.AuthorizationServer,
  { provider, redirectUri, token }: UnderWay,
  query: string,
  options: Options,
): Promise<oauth.IDToken> {
  const client = { client_id: provider.clientId }
  const reply = oauth.validateAuthResponse(server, client, new URLSearchParams(query), derive('state', provider, token))
  const secret = provider.clientSecret.reveal()
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    methods.includes('client_secret_basic') ? oauth.ClientSecretBasic(secret) : oauth.ClientSecretPost(secret),
    reply,
    redirectUri,
    derive('verifier', provider, token),
    options,
  )
  const expectedNonce = derive('nonce', provider, token)
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce,
    requireIdToken: true,
  })
  await oauth.validateApplicationLevelSignature(server, response, options)
  const claims = oauth.getValidatedIdTokenClaims(tokens)
  if (claims === undefined) throw new Error('the response has no ID token')
  if (claims['email'] !== undefined || server.userinfo_endpoint === undefined) return claims
  const info = await oauth.userInfoRequest(server, client, tokens.access_token, options)
  const { email, email_verified, name } = await oauth.processUserInfoResponse(server, client, claims.sub, info)
  return {
    ...claims,
    ...(email !== undefined && { email }),
    email_verified: email_verified === true,
    ...(name && { name }),
  }
}

const NAME_LENGTH_MAX = 100

function userOf(provider: Provider, claims: oauth.IDToken, now: Date): ProviderUser {
  const { sub: subject, email, email_verified: isVerified, name, acr, amr, auth_time: signedInAt } = claims
  const shown: readonly unknown[] = [acr, ...(Array.isArray(amr) ? amr : [])]
  const hasFactor = provider.secondFactor.some((value) => shown.includes(value))
  return {
    subject,
    email: typeof email === 'string' && isVerified === true ? email : undefined,
    name: typeof name === 'string' ? startOf(name.replace(/\p{C}/gu, '').trim(), NAME_LENGTH_MAX) : undefined,
    secondFactorAt:
      hasFactor && signedInAt !== undefined ? new Date(Math.min(signedInAt * 1_000, now.getTime())) : undefined,
  }
}
