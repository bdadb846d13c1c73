import { type Tag, tagsOf } from '@kobo/contract/openapi'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Environment } from '../../../platform/config/config.ts'
import { type Html, html } from '../../../platform/formats/html.ts'
import { isLoopback } from '../../../platform/http/ip-addresses.ts'
import { httpErrors } from '../../../platform/http/server.ts'
import type { Credentials } from '../../sandbox/index.ts'
import { callsOf, type Document, documentOf } from './document.ts'
import { ALL_GUIDES, guideAddress, readGuide, readPicture } from './guides.ts'
import { markdown } from './markdown.ts'
import { docsPage, SEARCH } from './page.ts'
import { eventReference, groupAddress, groupReference } from './reference.ts'
import { QUERY_LENGTH_MAX, readSections, type Section, searchResults } from './search.ts'

/** Groups of endpoints for the payment pages, not for merchants' servers. They are listed last. */
const PAYMENT_PAGE_GROUPS: ReadonlySet<string> = new Set(['Checkout'])
const NOT_FOR_MERCHANTS = 'Kobo’s own payment pages use these endpoints; your server does not need them.'

const paymentPagesLast = (tags: readonly Tag[]): readonly Tag[] =>
  tags.toSorted((one, other) => Number(PAYMENT_PAGE_GROUPS.has(one.name)) - Number(PAYMENT_PAGE_GROUPS.has(other.name)))

export interface DocsDeps {
  readonly environment: Environment
  readonly now: () => Date
  /** Serves the page at a URL with its policy, compressed, and cached while it is unchanged. */
  readonly servePage: (address: string, make: (today: Date) => Promise<string>) => void
  /** Sends a page that depends on the request, with the policy of all pages. */
  readonly sendPage: (reply: FastifyReply, page: string) => FastifyReply
  /** The demo merchant's keys; absent in live mode. */
  readonly credentials?: (() => Promise<Credentials | undefined>) | undefined
}

/** Serves the documentation: the guides in docs/, and a reference generated from the contract. */
export function docsRoutes(
  http: FastifyInstance,
  { environment, now, servePage, sendPage, credentials }: DocsDeps,
): void {
  const tags = paymentPagesLast(tagsOf(environment))
  const groups = tags.map(({ name }) => name)
  const page = (address: string, title: string, make: (document: Document) => Html | Promise<Html>): void =>
    servePage(address, async (today) =>
      docsPage({ title, body: await make(documentOf(environment, today)), address, groups }),
    )

  page('/docs', 'Documentation', (document) => overview(document, groups))
  for (const guide of ALL_GUIDES)
    page(guideAddress(guide.name), guide.title, async () => markdown(await readGuide(guide)))
  for (const { name, description } of tags)
    page(groupAddress(name), name, (document) => {
      const calls = callsOf(document, name)
      if (calls.length === 0) return eventReference(document, name, description)
      return groupReference(
        document,
        name,
        PAYMENT_PAGE_GROUPS.has(name) ? `${description}\n\n${NOT_FOR_MERCHANTS}` : description,
        calls,
      )
    })
  let sections: readonly Section[] | undefined
  http.get(SEARCH, async (request, reply) => {
    const { q } = request.query as { readonly q?: unknown }
    const query = typeof q === 'string' ? q.slice(0, QUERY_LENGTH_MAX) : ''
    sections ??= await readSections(documentOf(environment, now()), groups)
    const body = searchResults(sections, query)
    return sendPage(reply, docsPage({ title: 'Search', body, address: SEARCH, groups, query }))
  })
  http.get('/docs/pictures/:name', async (request, reply) => {
    const { name } = request.params as { readonly name: string }
    const picture = await readPicture(name)
    if (picture === undefined) throw httpErrors.unknownPath(`/docs/pictures/${name}`)
    return reply.type('image/jpeg').send(picture)
  })
  if (credentials !== undefined)
    http.get('/docs/keys', async (request, reply) => {
      const found = isOnThisMachine(request) ? await credentials() : undefined
      if (found === undefined) throw httpErrors.unknownPath('/docs/keys')
      return reply.header('cache-control', 'no-store').send(found)
    })
}

/** Names that always mean this machine. Another site could make any other name resolve to it (DNS rebinding). */
const LOOPBACK_HOST = /^(([a-z0-9-]+\.)*localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i

/** Whether the request comes from a browser on this machine, to one of its own names and without a proxy in between. */
const isOnThisMachine = ({ socket, headers }: FastifyRequest): boolean =>
  isLoopback(socket.remoteAddress ?? '') &&
  LOOPBACK_HOST.test(headers.host ?? '') &&
  headers['x-forwarded-for'] === undefined &&
  headers.forwarded === undefined &&
  headers['sec-fetch-site'] === 'same-origin'

const overview = (document: Document, groups: readonly string[]): Html =>
  html`<h1>Kobo</h1>
${markdown(document.info.description)}
<h2 id="calls">All endpoints</h2>
<p>On its page, <em>Try it</em> sends an endpoint’s request. For tools: <a href="/openapi.json">OpenAPI 3.1</a>, and for Postman the file <code>docs/reference/postman.json</code> in your clone.</p>
${groups
  .map((group) => {
    const calls = callsOf(document, group)
    return (
      calls.length > 0 &&
      html`<h3>${group}</h3>
<ul class="calls">${calls.map(
        ({ method, path, operation }) =>
          html`<li><span class="method">${method}</span> <a href="${groupAddress(group)}#${operation.operationId}"><code>${path}</code></a> ${operation.summary}</li>`,
      )}</ul>`
    )
  })
  .filter((part) => part !== false)}`
