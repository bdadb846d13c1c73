import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { openApi } from '@kobo/contract/openapi'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LOGO, POLICY_REPORTS } from '../../core/edge/pages/index.ts'
import type { Environment } from '../../platform/config/config.ts'
import type { Credentials } from '../sandbox/index.ts'
import { STYLE as DOCS_STYLE } from './docs/page.ts'
import { docsRoutes } from './docs/routes.ts'
import { SCRIPT as DOCS_SCRIPT } from './docs/script.ts'
import { homePage, SCRIPT, STYLE } from './home-page.ts'

const HASH_LENGTH = 16
const DAY = 'public, max-age=86400'
/** Browsers may cache the response, but must revalidate it before each use. */
const REVALIDATE = 'no-cache'
const HTML = 'text/html; charset=utf-8'

/** A served file: created and compressed once. */
interface Asset {
  readonly text: string | Buffer
  readonly compressed: Buffer
  readonly hash: string
}

const compress = promisify(gzip)

async function asset(text: string | Buffer): Promise<Asset> {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, HASH_LENGTH)
  return { text, compressed: await compress(text), hash }
}

const DAY_MILLISECONDS = 86_400_000

/** Returns a function that creates a file once a day, since its examples have future dates. Failures are not cached. */
function daily(now: () => Date, make: (today: Date) => Promise<string>): () => Promise<Asset> {
  let made: Promise<Asset> | undefined
  let madeOn: number | undefined
  return () => {
    const today = now()
    const day = Math.floor(today.getTime() / DAY_MILLISECONDS)
    if (day !== madeOn) made = undefined
    madeOn = day
    made ??= make(today)
      .then(asset)
      .catch((error) => {
        made = undefined
        throw error
      })
    return made
  }
}

const hashSource = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const COMMON_POLICY = [
  "default-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  `report-uri ${POLICY_REPORTS}`,
]
const HOME_POLICY = [
  ...COMMON_POLICY,
  "form-action 'none'",
  "img-src 'self'",
  `style-src ${hashSource(STYLE)}`,
  `script-src ${hashSource(SCRIPT)}`,
].join('; ')
const DOCS_POLICY = [
  ...COMMON_POLICY,
  "form-action 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  `style-src ${hashSource(DOCS_STYLE)}`,
  `script-src ${hashSource(DOCS_SCRIPT)}`,
  "require-trusted-types-for 'script'",
].join('; ')

const guarded = (policy: string): Record<string, string> => ({
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
})

interface Deps {
  readonly environment: Environment
  readonly publicUrl: () => string
  readonly now: () => Date
  /** The demo merchant's keys, if there is one. */
  readonly credentials?: () => Promise<Credentials | undefined>
}

/** Serves the home page and the API reference. They load nothing from other hosts. */
export function pageRoutes(http: FastifyInstance, { environment, publicUrl, now, credentials }: Deps): void {
  const document = daily(now, async (today) => JSON.stringify(openApi(environment, today, publicUrl())))

  http.get('/', async (_, reply) =>
    reply
      .headers({ ...guarded(HOME_POLICY), 'cache-control': REVALIDATE })
      .type(HTML)
      .send(homePage(environment, publicUrl())),
  )

  docsRoutes(http, {
    environment,
    now,
    credentials: environment === 'sandbox' ? credentials : undefined,
    servePage: (address, make) => {
      const page = daily(now, make)
      http.get(address, async (request, reply) =>
        sendAsset(request, reply.headers(guarded(DOCS_POLICY)), await page(), HTML, REVALIDATE),
      )
    },
    sendPage: (reply, page) =>
      reply
        .headers({ ...guarded(DOCS_POLICY), 'cache-control': REVALIDATE })
        .type(HTML)
        .send(page),
  })
  http.get('/openapi.json', async (request, reply) =>
    sendAsset(request, reply, await document(), 'application/json; charset=utf-8', REVALIDATE),
  )

  http.get('/favicon.svg', async (_, reply) => reply.header('cache-control', DAY).type('image/svg+xml').send(LOGO))
  http.get('/favicon.ico', async (_, reply) => reply.header('cache-control', DAY).redirect('/favicon.svg', 302))
}

function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  { text, compressed, hash }: Asset,
  type: string,
  caching: string,
): FastifyReply {
  const isCompressed = /\bgzip\b/.test(String(request.headers['accept-encoding']))
  const etag = `"${hash}${isCompressed ? '-gzip' : ''}"`
  reply.headers({ etag, vary: 'accept-encoding', 'cache-control': caching })
  if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  if (isCompressed) reply.header('content-encoding', 'gzip')
  return reply.type(type).send(isCompressed ? compressed : text)
}
