import type { Static, TSchema } from 'typebox'
import { type Kobo, kobo } from '../../kernel/money.ts'
import { checkTexts, compileCheck } from '../../platform/http/validation.ts'

/** Parses a response; undefined if invalid. */
export type Reader<Response> = (text: string) => Response | undefined

export const readKobo = (body: number): Kobo => kobo(BigInt(body))

/** Creates a reader of responses that match a schema. `decode` converts amounts and times. */
export function reader<Schema extends TSchema, Response>(
  { response }: { readonly response: Schema },
  decode: (body: Static<Schema>) => Response,
): Reader<Response> {
  const findWrong = compileCheck(response, 'body')
  return (text) => {
    const body = parsed(text)
    return body !== undefined && findWrong(body) === undefined ? decode(body as Static<Schema>) : undefined
  }
}

/** Creates a reader of responses that need no conversion. */
export const plainReader = <Schema extends TSchema>(operation: { readonly response: Schema }): Reader<Static<Schema>> =>
  reader(operation, (body) => body)

function parsed(text: string): unknown {
  try {
    const body: unknown = JSON.parse(text)
    checkTexts(body)
    return body
  } catch {
    return undefined
  }
}
