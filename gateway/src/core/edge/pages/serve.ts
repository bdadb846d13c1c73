import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../../kernel/errors.ts'
import { html } from '../../../platform/formats/html.ts'
import type { EventStreams } from '../../../platform/http/event-streams.ts'
import { requestFacts } from '../../../platform/http/request-fields.ts'
import { databaseRefusal } from '../../../platform/http/server.ts'
import { checkTexts } from '../../../platform/http/validation.ts'
import { type BuiltFiles, FOREVER } from './files.ts'
import { type Page, pageHeaders, pageText, slip } from './shell.ts'

const FORM_BYTES_MAX = 16 * 1024
const HTML = 'text/html; charset=utf-8'

type Texts = Readonly<Record<string, string | undefined>>

/** A browser's request for a page. */
export interface PageRequest {
  readonly params: Texts
  readonly query: Texts
  /** The submitted form's fields; empty for a GET. */
  readonly form: Texts
  readonly headers: FastifyRequest['headers']
  readonly address: string
}

/** A file that a page links to: shown or downloaded. */
export interface PageFile {
  readonly content: Buffer
  readonly type: string
  /** The download name: letters, digits, dots and dashes. */
  readonly name: string
  /** Set if the URL is hashed and browsers may cache it forever. */
  readonly isForever?: boolean
}

export type PageResponse =
  | { readonly page: Page; readonly status?: number }
  | { readonly file: PageFile }
  /** A redirect after a form. */
  | { readonly seeOther: string }

type PageHandler = (request: PageRequest) => Promise<PageResponse>

/** Serves pages to people, as `Serve` serves routes to programs. An error that a handler throws becomes a page. */
export interface Pages {
  readonly files: BuiltFiles
  readonly get: (path: string, handler: PageHandler) => void
  readonly post: (path: string, handler: PageHandler) => void
  readonly stream: EventStreams['serve']
}

interface Deps {
  readonly files: BuiltFiles
  readonly streams: EventStreams
}

export function openPages(http: FastifyInstance, { files, streams }: Deps): Pages {
  const serve = (method: 'GET' | 'POST', url: string, handler: PageHandler): void => {
    // A separate scope, because only pages parse forms and show errors as HTML.
    http.register(async (scope) => {
      readForms(scope)
      scope.setErrorHandler((error, request, reply) => sendFailure(error as Error, request, reply, files))
      scope.route({
        method,
        url,
        bodyLimit: FORM_BYTES_MAX,
        handler: async (request, reply) => {
          const { params, query, body, headers, ip } = request
          const response = await handler({
            params: textsOf(params),
            query: textsOf(query),
            form: method === 'POST' ? textsOf(body) : {},
            headers,
            address: ip,
          })
          if ('file' in response) return sendFile(reply, response.file)
          if ('seeOther' in response) return reply.code(303).header('location', response.seeOther).send()
          return sendPage(reply, response.page, files, response.status ?? 200)
        },
      })
    })
  }
  return {
    files,
    get: (path, handler) => serve('GET', path, handler),
    post: (path, handler) => serve('POST', path, handler),
    stream: streams.serve,
  }
}

/** Paths for programs always return the API's JSON envelope. */
const FOR_PROGRAMS = /^\/(api|sandbox|rails)(\/|$)/

/** Shows browsers a page for an unknown path; other clients get the API's JSON envelope. */
export const unknownPages =
  (files: BuiltFiles) =>
  ({ status }: Refusal, { method, url, headers }: FastifyRequest, reply: FastifyReply): boolean => {
    const isBrowser = (method === 'GET' || method === 'HEAD') && headers.accept?.includes('text/html') === true
    if (!isBrowser || FOR_PROGRAMS.test(url)) return false
    sendPage(reply, NOTHING_HERE, files, status)
    return true
  }

const NOTHING_HERE: Page = {
  title: 'There is nothing here',
  body: slip(
    html`<h1>There is nothing here</h1>`,
    html`<p>The address may be mistyped, or what was here is gone. If you came to pay, open the link that the shop sent you once more, or ask the shop for a new one.</p>
<p><a class="button" href="/">Go to the start</a></p>`,
  ),
}

/** The text values; a field sent twice counts as missing. */
function textsOf(values: unknown): Texts {
  checkTexts(values)
  return Object.fromEntries(Object.entries(values ?? {}).filter(([, value]) => typeof value === 'string'))
}

function readForms(scope: FastifyInstance): void {
  scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(String(body))))
  })
}

/** The content security policy of files: nothing in them can run. */
const FILE_POLICY = "default-src 'none'; style-src 'self'; sandbox"

const sendFile = (reply: FastifyReply, { content, type, name, isForever = false }: PageFile): FastifyReply =>
  reply
    .headers({
      'content-disposition': `inline; filename="${name.replace(/[^\w.-]/g, '-')}"`,
      'content-security-policy': FILE_POLICY,
      'cache-control': isForever ? FOREVER : 'no-store',
      'referrer-policy': 'no-referrer',
    })
    .type(type)
    .send(content)

const sendPage = (reply: FastifyReply, page: Page, files: BuiltFiles, status: number): FastifyReply =>
  reply.code(status).headers(pageHeaders(page)).type(HTML).send(pageText(page, files))

function sendFailure(error: Error, request: FastifyRequest, reply: FastifyReply, files: BuiltFiles): FastifyReply {
  const rejection = error instanceof Refusal ? error : databaseRefusal(error)
  const status = rejection?.status ?? ((error as { statusCode?: number }).statusCode === 413 ? 413 : 500)
  if (status === 500) request.log.error({ error, ...requestFacts(request), method: request.method }, 'page failed')
  if (rejection !== undefined) reply.headers(rejection.headers)
  return sendPage(reply, failurePage(status, rejection?.message ?? 'Please try again in a moment.'), files, status)
}

/** The page shown for an error. */
const failurePage = (status: number, reason: string): Page => {
  const title = TITLES[status] ?? (status < 500 ? 'This cannot be done' : 'Something went wrong on our side')
  return { title, body: slip(html`<h1>${title}</h1>`, html`<p class="notice warn">${reason}</p>`) }
}

const TITLES: Readonly<Record<number, string>> = { 404: 'There is nothing here', 429: 'One moment, please' }
