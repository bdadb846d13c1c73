import assert from 'node:assert/strict'
import { envelope, REFUSAL_HEADER, REFUSALS, type Route, refusalsOf } from '@kobo/contract'
import { Ajv } from 'ajv'

/** A response as received. */
export interface ApiResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The envelope, if the response is JSON. */
  readonly body: {
    readonly requestSuccessful: boolean
    readonly responseMessage: string
    readonly responseCode: string
    readonly responseBody?: unknown
  }
}

/** A failure as the caller sees it. */
export interface ApiError {
  readonly message: string
  readonly responseCode: string
  readonly code: string
}

/** Parses the envelope, if there is one. */
export function parseEnvelope(response: Omit<ApiResponse, 'body'>): ApiResponse {
  const { text, headers } = response
  const isJson = text !== '' && headers.get('content-type')?.startsWith('application/json') === true
  return { ...response, body: isJson ? JSON.parse(text) : undefined }
}

// Most schemas check a few responses, so they are compiled quickly rather than well.
const ajv = new Ajv({ strict: false, allErrors: true, validateSchema: false, code: { optimize: false } })
const checks = new Map<Route, ReturnType<Ajv['compile']>>()

/** Checks that the contract allows the response; runs for every response of every test. */
export function checkReply(route: Route, { body }: ApiResponse): void {
  const check = checks.get(route) ?? ajv.compile(envelope(route.reply))
  checks.set(route, check)
  assert.ok(check(body), `${route.path}: ${ajv.errorsText(check.errors)}`)
  const { requestSuccessful, responseMessage, responseCode } = body
  assert.deepEqual(
    { requestSuccessful, responseMessage, responseCode },
    { requestSuccessful: true, responseMessage: 'success', responseCode: '0' },
  )
}

/** Checks that a failure is just the envelope and names a known error. */
export function checkFailure({ body, text, headers }: ApiResponse): ApiError {
  assert.match(headers.get('content-type') ?? '', /^application\/json/)
  assert.deepEqual(Object.keys(body).sort(), ['requestSuccessful', 'responseCode', 'responseMessage'], text)
  assert.equal(body.requestSuccessful, false)
  assert.ok(body.responseMessage.length > 0 && typeof body.responseCode === 'string', text)
  const code = headers.get(REFUSAL_HEADER) ?? ''
  assert.ok(CODES.has(code), `${code} is no refusal of the contract: ${text}`)
  return { message: body.responseMessage, responseCode: body.responseCode, code }
}

const CODES: ReadonlySet<string> = new Set(REFUSALS.map(({ code }) => code))

/** Checks that the contract lists the error for its route: status, code, `responseCode` and text. */
export function checkRefusal(route: Route, response: ApiResponse): ApiError {
  const failed = checkFailure(response)
  const listed = refusalsOf(route).filter(({ code, status }) => code === failed.code && status === response.status)
  assert.ok(
    listed.some(({ responseCode, text }) => responseCode === failed.responseCode && isMadeOf(text, failed.message)),
    `${route.method} ${route.path} does not list ${response.status} ${failed.code} ${failed.responseCode}: ${failed.message}`,
  )
  return failed
}

/** Whether a message is a text with its facts filled in. */
function isMadeOf(text: string, message: string): boolean {
  const literal = (part: string): string => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(
    `^${text
      .split(/\{\w+\}/)
      .map(literal)
      .join('.+')}$`,
    's',
  ).test(message)
}
