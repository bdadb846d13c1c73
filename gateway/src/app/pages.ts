import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { openApi } from '@kobo/contract/openapi'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LOGO, POLICY_REPORTS } from '../core/edge/pages/index.ts'
import type { Environment } from '../platform/config.ts'
import { DOCS_SCRIPT, docsPage } from './docs-page.ts'
import { homePage, SCRIPT, STYLE } from './home-page.ts'

const HASH_LENGTH = 16
const FOREVER = 'public, max-age=31536000, immutable'
const DAY = 'public, max-age=86400'
/** Kept, but asked about before each use. */
const ASK_FIRST = 'no-cache'
const HTML = 'text/html; charset=utf-8'

/** A file that is served: made once, compressed once. */
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

/** Calls once, when first asked, and remembers. A failure is not remembered. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make().catch((error) => {
      made = undefined
      throw error
    })
    return made
  }
}

/** The viewer's script, as its package bundles it beside its entry. */
const readViewer = (): Promise<Buffer> =>
  readFile(new URL('js/standalone.js', import.meta.resolve('@scalar/fastify-api-reference')))

const hashSource = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const COMMON_POLICY = [
  "default-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  `report-uri ${POLICY_REPORTS}`,
]
const HOME_POLICY = [
  ...COMMON_POLICY,
  "img-src 'self'",
  `style-src ${hashSource(STYLE)}`,
  `script-src ${hashSource(SCRIPT)}`,
].join('; ')
const DOCS_POLICY = [
  ...COMMON_POLICY,
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "style-src 'unsafe-inline'", // the viewer brings its styles inside its script
  `script-src 'self' ${hashSource(DOCS_SCRIPT)}`,
].join('; ')

const guarded = (policy: string): Record<string, string> => ({
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
})

interface Deps {
  readonly environment: Environment
  readonly publicUrl: () => string
}

/** Pages for people: where to start, and the API reference. They ask no other host for anything. */
export function pageRoutes(http: FastifyInstance, { environment, publicUrl }: Deps): void {
  const document = once(() => asset(JSON.stringify(openApi(environment))))
  const viewer = once(async () => asset(await readViewer()))

  http.get('/', async (_, reply) =>
    reply
      .headers({ ...guarded(HOME_POLICY), 'cache-control': ASK_FIRST })
      .type(HTML)
      .send(homePage(environment, publicUrl())),
  )

  http.get('/docs', async (_, reply) =>
    reply
      .headers({ ...guarded(DOCS_POLICY), 'cache-control': ASK_FIRST })
      .type(HTML)
      // From the root, so that it holds under /docs and /docs/ alike; by its hash, so that it may be kept for ever.
      .send(docsPage(`/docs/viewer.js?${(await viewer()).hash}`)),
  )
  http.get('/docs/viewer.js', async (request, reply) =>
    sendAsset(request, reply, await viewer(), 'text/javascript; charset=utf-8', FOREVER),
  )
  http.get('/openapi.json', async (request, reply) =>
    sendAsset(request, reply, await document(), 'application/json; charset=utf-8', ASK_FIRST),
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
