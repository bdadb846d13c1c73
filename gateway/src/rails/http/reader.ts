import type { Static, TSchema } from 'typebox'
import { type Kobo, kobo } from '../../kernel/money.ts'
import { checkTexts, compileCheck } from '../../platform/validation.ts'

/** Makes an answer of the text that came, or undefined where the text is no answer. */
export type Reader<Answer> = (text: string) => Answer | undefined

export const readKobo = (told: number): Kobo => kobo(BigInt(told))

/** Reads answers that look like the schema, with amounts and times as our code has them. */
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

/** Reads answers that are used as they come. */
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
