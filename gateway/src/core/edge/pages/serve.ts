import type { PayerTexts } from '@kobo/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../../kernel/errors.ts'
import { html } from '../../../platform/formats/html.ts'
import type { EventStreams } from '../../../platform/http/event-streams.ts'
import { requestFacts } from '../../../platform/http/request-fields.ts'
import { databaseRefusal } from '../../../platform/http/server.ts'
import { checkTexts } from '../../../platform/http/validation.ts'
import { type BuiltFiles, FOREVER } from './files.ts'
import { type Page, pageHeaders, pageText, payerSlip } from './shell.ts'
import { type PayerLanguage, textsFor } from './writer.ts'

const FORM_BYTES_MAX = 16 * 1024
const HTML = 'text/html; charset=utf-8'

type Texts = Readonly<Record<string, string | undefined>>

export interface PageRequest {
  readonly params: Texts
  readonly query: Texts
  /** The submitted form's fields; empty for a GET. */
  readonly form: Texts
  readonly headers: FastifyRequest['headers']
  readonly address: string
}

/** A file that a page links to. The browser shows it or downloads it. */
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

/** Serves pages to people, as `Serve` serves routes to programs. An error that a handler throws is shown as a page. */
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
      scope.setErrorHandler(async (error, request, reply) => sendFailure(error as Error, request, reply, files))
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
  ({ status }: Refusal, request: FastifyRequest, reply: FastifyReply): boolean => {
    const { method, url, headers } = request
    const isBrowser = (method === 'GET' || method === 'HEAD') && headers.accept?.includes('text/html') === true
    if (!isBrowser || FOR_PROGRAMS.test(url)) return false
    void textsFor(request).then(
      (texts) => sendPage(reply, nothingHere(texts), files, status),
      (error: Error) => reply.send(error),
    )
    return true
  }

const nothingHere = (texts: PayerLanguage): Page => ({
  title: texts.words.nothingHere,
  language: texts.language,
  body: payerSlip(
    html`<h1>${texts.words.nothingHere}</h1>`,
    html`<p>${texts.words.nothingHereNote}</p>
<p><a class="button" href="/">${texts.words.toStart}</a></p>`,
    texts,
  ),
})

/** Returns the text values. A field that was sent twice is treated as missing. */
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

async function sendFailure(
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
  files: BuiltFiles,
): Promise<FastifyReply> {
  const rejection = error instanceof Refusal ? error : databaseRefusal(error)
  const status = rejection?.status ?? ((error as { statusCode?: number }).statusCode === 413 ? 413 : 500)
  if (status === 500) request.log.error({ error, ...requestFacts(request), method: request.method }, 'page failed')
  if (rejection !== undefined) reply.headers(rejection.headers)
  return sendPage(reply, failurePage(await textsFor(request), status, rejection), files, status)
}

/**
 * Returns the page shown for an error. It does not repeat the error's own message, which is in English and meant for
 * programs. The exception is an unknown host: only the developer of a sandbox sees that error.
 */
function failurePage(texts: PayerLanguage, status: number, rejection: Refusal | undefined): Page {
  const { words, language } = texts
  const [title, general] = failureTexts(words, status)
  const reason =
    rejection?.code === 'UNKNOWN_HOST' ? rejection.message : (words.reasons[rejection?.code ?? ''] ?? general)
  const body = payerSlip(html`<h1>${title}</h1>`, html`<p class="notice warn">${reason}</p>`, texts)
  return { title, language, body }
}

function failureTexts(words: PayerTexts, status: number): readonly [title: string, reason: string] {
  if (status === 404) return [words.nothingHere, words.nothingHereNote]
  if (status === 429 || status === 503) return [words.oneMoment, words.busy]
  return status < 500 ? [words.cannotBeDone, words.openAgain] : [words.wentWrong, words.notPossible]
}
