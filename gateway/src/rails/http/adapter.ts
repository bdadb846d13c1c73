import Type, { type Static, type TSchema } from 'typebox'
import type { Clock } from '../../kernel/clock.ts'
import type { Hidden } from '../../kernel/hidden.ts'
import { type Kobo, kobo } from '../../kernel/money.ts'
import type { Log } from '../../platform/log.ts'
import type { Post } from '../../platform/post.ts'
import { checkTexts, compileCheck } from '../../platform/validation.ts'
import type { Unknown } from '../unknown.ts'
import { signedHeaders } from './signature.ts'

/** Makes an answer of the text that came, or undefined where the text is no answer. */
export type Reader<Answer> = (text: string) => Answer | undefined

/** The operator's adapter. It never throws: where no answer can be used, nobody knows what it did. */
export interface Adapter {
  /** Has something carried out, or asks what became of that. */
  readonly order: <Answer>(operation: string, request: object, read: Reader<Answer>) => Promise<Answer | Unknown>
  /** Asks for something that changes nothing. */
  readonly enquire: <Answer>(
    operation: string,
    request: object,
    read: Reader<Answer>,
  ) => Promise<Answer | { readonly kind: 'unavailable' }>
}

export interface AdapterOptions {
  readonly url: string
  readonly secret: Hidden<string>
  readonly wall: Clock
  readonly post: Post
  readonly log: Log
}

/** What a proxy says where nobody behind it answered. */
const NOBODY_BEHIND = new Set([502, 503, 504])

export function openAdapter({ url, secret, wall, post, log }: AdapterOptions): Adapter {
  async function ask<Answer>(operation: string, request: object, read: Reader<Answer>) {
    const body = JSON.stringify(request, wholeKobo)
    const headers = signedHeaders(secret.reveal(), wall, operation, body)
    const { status, bodyExcerpt: text, error, milliseconds } = await post(`${url}/${operation}`, body, headers)
    const answer = status === 200 && text !== null && error === null ? read(text) : undefined
    // Neither what was asked nor what came back: both may hold a card or a person's number.
    if (answer === undefined)
      log.warn({ operation, status, reason: error, milliseconds }, 'the rails adapter gave no answer that can be used')
    return { answer, isSilent: status === null || NOBODY_BEHIND.has(status) }
  }
  return {
    order: async (operation, request, read) => {
      const { answer, isSilent } = await ask(operation, request, read)
      return answer ?? (isSilent ? { kind: 'unknown', unanswered: true } : { kind: 'unknown' })
    },
    enquire: async (operation, request, read) =>
      (await ask(operation, request, read)).answer ?? { kind: 'unavailable' },
  }
}

/** Amounts travel as whole kobo. Fifteen digits are exact as a JSON number. */
const wholeKobo = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value)

/** An amount as it travels. */
export const KoboNumber = Type.Integer({ minimum: 1, maximum: 999_999_999_999_999 })
export const readKobo = (told: number): Kobo => kobo(BigInt(told))

const TEXT_LENGTH_MAX = 1_000
export const Text = Type.String({ maxLength: TEXT_LENGTH_MAX })

/** An answer of one kind, with what it must tell. */
export const answer = <const Kind extends string, Told extends Record<string, TSchema>>(kind: Kind, told: Told) =>
  Type.Object({ kind: Type.Literal(kind), ...told })

/** Reads answers that look like the schema, with amounts and times as our code has them. */
export function reader<Schema extends TSchema, Answer>(
  schema: Schema,
  decode: (told: Static<Schema>) => Answer,
): Reader<Answer> {
  const findWrong = compileCheck(schema, 'body')
  return (text) => {
    const told = parsed(text)
    return told !== undefined && findWrong(told) === undefined ? decode(told as Static<Schema>) : undefined
  }
}

/** Reads answers that are used as they come. */
export const plainReader = <Schema extends TSchema>(schema: Schema): Reader<Static<Schema>> =>
  reader(schema, (told) => told)

function parsed(text: string): unknown {
  try {
    const told: unknown = JSON.parse(text)
    checkTexts(told)
    return told
  } catch {
    return undefined
  }
}
