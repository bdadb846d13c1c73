import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openApi } from '../src/openapi.ts'
import { explains, type JsonSchema } from '../src/openapi-schema.ts'

/** The paths of all fields in a part of the document that are not explained. */
function unexplained(part: unknown, path: string): readonly string[] {
  if (typeof part !== 'object' || part === null) return []
  const { properties = {}, ...others } = part as JsonSchema
  const fields = Object.entries(properties).flatMap(([name, field]) => [
    ...(explains(field.description) ? [] : [`${path}.${name}`]),
    ...unexplained(field, `${path}.${name}`),
  ])
  return [...fields, ...Object.entries(others).flatMap(([key, value]) => unexplained(value, `${path}/${key}`))]
}

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly { readonly name?: string; readonly description?: string }[]
}

test('every field and parameter of the API says what it means', () => {
  const { paths, components } = openApi() as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
    readonly components: { readonly schemas: object }
  }
  const operations = Object.values(paths).flatMap((byMethod) => Object.values(byMethod))
  const parameters = operations.flatMap(({ operationId, parameters: list = [] }) =>
    list
      .filter(({ name, description }) => name !== undefined && !explains(description))
      .map(({ name }) => `${operationId}?${name}`),
  )
  const fields = operations.flatMap(({ operationId, ...operation }) => unexplained(operation, operationId))
  assert.deepEqual([...new Set([...parameters, ...fields, ...unexplained(components.schemas, '')])], [])
})
