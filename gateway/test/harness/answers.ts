import assert from 'node:assert/strict'
import { envelope, REFUSAL_HEADER, REFUSALS, type Route, refusalsOf } from '@kobo/contract'
import { Ajv } from 'ajv'

/** An answer as it came over the wire. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The envelope, where the answer is JSON. */
  readonly body: {
    readonly requestSuccessful: boolean
    readonly responseMessage: string
    readonly responseCode: string
    readonly responseBody?: unknown
  }
}

/** A failure as the caller sees it. */
export interface Failed {
  readonly message: string
  readonly responseCode: string
  readonly code: string
}

/** Reads the envelope, where there is one. */
export function opened(answer: Omit<Answer, 'body'>): Answer {
  const { text, headers } = answer
  const isJson = text !== '' && headers.get('content-type')?.startsWith('application/json') === true
  return { ...answer, body: isJson ? JSON.parse(text) : undefined }
}

const ajv = new Ajv({ strict: false, allErrors: true })
const checks = new Map<Route, ReturnType<Ajv['compile']>>()

/** Every reply in every test is one that the contract allows. */
export function checkReply(route: Route, { body }: Answer): void {
  const check = checks.get(route) ?? ajv.compile(envelope(route.reply))
  checks.set(route, check)
  assert.ok(check(body), `${route.path}: ${ajv.errorsText(check.errors)}`)
  const { requestSuccessful, responseMessage, responseCode } = body
  assert.deepEqual(
    { requestSuccessful, responseMessage, responseCode },
    { requestSuccessful: true, responseMessage: 'success', responseCode: '0' },
  )
}

/** Every failure is the envelope, and nothing but the envelope, and names a refusal that there is. */
export function checkFailure({ body, text, headers }: Answer): Failed {
  assert.match(headers.get('content-type') ?? '', /^application\/json/)
  assert.deepEqual(Object.keys(body).sort(), ['requestSuccessful', 'responseCode', 'responseMessage'], text)
  assert.equal(body.requestSuccessful, false)
  assert.ok(body.responseMessage.length > 0 && typeof body.responseCode === 'string', text)
  const code = headers.get(REFUSAL_HEADER) ?? ''
  assert.ok(CODES.has(code), `${code} is no refusal of the contract: ${text}`)
  return { message: body.responseMessage, responseCode: body.responseCode, code }
}

const CODES: ReadonlySet<string> = new Set(REFUSALS.map(({ code }) => code))

/** Every refusal in every test is one that the contract lists for its route, in status, code, `responseCode` and text. */
export function checkRefusal(route: Route, answer: Answer): Failed {
  const failed = checkFailure(answer)
  const listed = refusalsOf(route).filter(({ code, status }) => code === failed.code && status === answer.status)
  assert.ok(
    listed.some(({ responseCode, text }) => responseCode === failed.responseCode && isMadeOf(text, failed.message)),
    `${route.method} ${route.path} does not list ${answer.status} ${failed.code} ${failed.responseCode}: ${failed.message}`,
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
