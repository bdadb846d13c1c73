import { type JsonSchema, openApi, type Tag } from '@kobo/contract/openapi'
import type { Environment } from '../../../platform/config/config.ts'

/** The part of the OpenAPI document that the reference shows. */
export interface Document {
  readonly info: { readonly description: string; readonly version: string }
  readonly tags: readonly Tag[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly responses: Readonly<Record<string, ApiResponse>>
    readonly parameters: Readonly<Record<string, Parameter>>
  }
}

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly tags: readonly string[]
  readonly security?: readonly object[]
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, ApiResponse | Reference>>
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: JsonSchema
  readonly example?: unknown
}

export interface ApiResponse {
  readonly description: string
  readonly content?: Content
}

interface Reference {
  readonly $ref: string
}

export interface Content {
  readonly 'application/json': { readonly schema: JsonSchema; readonly example?: unknown }
}

/** Returns the document, with examples that work today. */
export const documentOf = (environment: Environment, today: Date): Document => openApi(environment, today) as Document

/** Returns the target of a reference, or the object itself. */
export function resolved<Part extends 'schemas' | 'responses' | 'parameters', T extends object>(
  { components }: Document,
  part: Part,
  thing: T,
): T {
  const reference = (thing as { $ref?: unknown }).$ref
  if (typeof reference !== 'string') return thing
  return (components[part][reference.slice(reference.lastIndexOf('/') + 1)] ?? thing) as unknown as T
}

/** An operation with its method and path. */
export interface Call {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

/** Returns the operations of one group, in the contract's order, without deprecated paths. */
export const callsOf = ({ paths }: Document, group: string): readonly Call[] =>
  Object.entries(paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod)
      .filter(([, { tags, deprecated }]) => tags.includes(group) && deprecated !== true)
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
