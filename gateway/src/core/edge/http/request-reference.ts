import type { Route } from '@kobo/contract'

type Fields = Readonly<Record<string, unknown>>
interface Parts {
  readonly params?: unknown
  readonly query?: unknown
  readonly body?: unknown
}

const fieldsOf = (schema: unknown): readonly string[] =>
  Object.keys((schema as { readonly properties?: object } | undefined)?.properties ?? {})

/** Returns the names of those fields of a route that can identify the subject of a request. */
export const namesOf = ({ params, query, body }: Route): readonly string[] =>
  [params, query, body].flatMap(fieldsOf).filter((name) => /reference$/i.test(name))

/** Returns the reference of a request's subject: the value of the first of these fields that the request has. */
export function nameIn({ params, query, body }: Parts, names: readonly string[]): string | undefined {
  for (const name of names)
    for (const part of [params, query, body]) {
      const value = (part as Fields | null | undefined)?.[name]
      if (typeof value === 'string') return value
    }
  return undefined
}
