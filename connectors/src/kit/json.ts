import { findExcess } from '@kobo/gateway/platform/http/json-bounds.ts'

const VALUES_MAX = 10_000

export type Json = Readonly<Record<string, unknown>>

/** The object in a text; undefined if there is none, or it is too large. */
export function readJson(text: Buffer): Json | undefined {
  if (findExcess(text, VALUES_MAX) !== undefined) return undefined
  try {
    const value: unknown = JSON.parse(text.toString())
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value at a dotted path, such as `customer.account.number`; undefined if absent. */
export function at(value: unknown, path: string): unknown {
  let here = value
  for (const name of path.split('.')) {
    if (!isObject(here) || !Object.hasOwn(here, name)) return undefined
    here = here[name]
  }
  return here
}

/** The text at a path; undefined if absent. Numbers are returned as text, because partners mix up the two types. */
export function textAt(value: unknown, path: string): string | undefined {
  const found = at(value, path)
  if (typeof found === 'number' && Number.isFinite(found)) return String(found)
  return typeof found === 'string' ? found.trim() : undefined
}
