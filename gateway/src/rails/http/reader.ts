import type { Static, TSchema } from 'typebox'
import { type Kobo, kobo } from '../../kernel/money.ts'
import { checkTexts, compileCheck } from '../../platform/http/validation.ts'

/** Parses a response; undefined if invalid. */
export type Reader<Answer> = (text: string) => Answer | undefined

export const readKobo = (told: number): Kobo => kobo(BigInt(told))

/** Reads responses by schema, with amounts and times converted. */
export function reader<Schema extends TSchema, Answer>(
  { answers }: { readonly answers: Schema },
  decode: (told: Static<Schema>) => Answer,
): Reader<Answer> {
  const findWrong = compileCheck(answers, 'body')
  return (text) => {
    const told = parsed(text)
    return told !== undefined && findWrong(told) === undefined ? decode(told as Static<Schema>) : undefined
  }
}

/** Reads responses without conversion. */
export const plainReader = <Schema extends TSchema>(operation: { readonly answers: Schema }): Reader<Static<Schema>> =>
  reader(operation, (told) => told)

function parsed(text: string): unknown {
  try {
    const told: unknown = JSON.parse(text)
    checkTexts(told)
    return told
  } catch {
    return undefined
  }
}
