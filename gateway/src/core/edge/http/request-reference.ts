import type { Route } from '@kobo/contract'

type Fields = Readonly<Record<string, unknown>>
interface Parts {
  readonly params?: unknown
  readonly query?: unknown
  readonly body?: unknown
}

const fieldsOf = (schema: unknown): readonly string[] =>
  Object.keys((schema as { readonly properties?: object } | undefined)?.properties ?? {})

/** The fields of a route that identify its subject. */
export const namesOf = ({ params, query, body }: Route): readonly string[] =>
  [params, query, body].flatMap(fieldsOf).filter((name) => /reference$/i.test(name))

/** The subject of a request, from the first such field it has. */
export function nameIn({ params, query, body }: Parts, names: readonly string[]): string | undefined {
  for (const name of names)
    for (const part of [params, query, body]) {
      const value = (part as Fields | null | undefined)?.[name]
      if (typeof value === 'string') return value
    }
  return undefined
}
