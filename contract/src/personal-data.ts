import type { TSchema } from 'typebox'

/**
 * Marks personal data. It is a symbol, so that the mark does not appear in JSON, the OpenAPI file or the validators.
 */
const PERSONAL = Symbol('personal data')
/** Marks a text that holds JSON with personal data. The value of the mark finds the schema of that JSON. */
const PERSONAL_JSON = Symbol('JSON with personal data')

const LOGGED_REQUEST = Symbol('logged request')

type SchemaOf = (value: unknown) => TSchema | undefined
type Marked = TSchema & {
  readonly [PERSONAL]?: true
  readonly [PERSONAL_JSON]?: SchemaOf
  readonly [LOGGED_REQUEST]?: true
}

/**
 * Marks a field with a customer's personal data: a name, an address, a number, or a text that may contain one. Users
 * without the permission to see customers get its value masked in responses, and cannot use it in queries.
 */
export const personal = <S extends TSchema>(schema: S): S => ({ ...schema, [PERSONAL]: true })

/**
 * Marks a text that holds JSON. Its fields are masked according to the JSON's schema; without a schema, all of them.
 */
export const personalJson = <S extends TSchema>(schema: S, schemaOf: SchemaOf): S => ({
  ...schema,
  [PERSONAL_JSON]: schemaOf,
})

/** Marks a logged request, whose URL and bodies are masked by the schemas of its own route. */
export const loggedRequest = <S extends TSchema>(schema: S): S => ({ ...schema, [LOGGED_REQUEST]: true })

/** The personal fields of an object's schema. */
export const personalFields = (schema: TSchema | undefined): readonly string[] =>
  Object.entries((schema as { readonly properties?: Readonly<Record<string, TSchema>> } | undefined)?.properties ?? {})
    .filter(([, field]) => isPersonalData(field))
    .map(([name]) => name)

export const isPersonalData = (schema: TSchema): boolean => (schema as Marked)[PERSONAL] === true
export const personalJsonSchema = (schema: TSchema): SchemaOf | undefined => (schema as Marked)[PERSONAL_JSON]
export const isLoggedRequest = (schema: TSchema): boolean => (schema as Marked)[LOGGED_REQUEST] === true
