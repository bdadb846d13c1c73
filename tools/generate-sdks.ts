import type { TSchema } from 'typebox'
import { asJson, type JsonSchema, sentence, typesOf } from '../contract/src/openapi-schema.ts'
import { CALLS, type Call } from '../sdk/src/calls.ts'
import { ENDPOINTS, type Endpoint } from '../sdk/src/endpoints.ts'

/** A type that every language has. Objects have names, because not every language has nested types. */
export type Type =
  | { readonly kind: 'string' | 'integer' | 'decimal' | 'boolean' | 'any' }
  | { readonly kind: 'list' | 'map'; readonly of: Type }
  | { readonly kind: 'object'; readonly name: string }

export interface Field {
  readonly name: string
  readonly type: Type
  readonly isOptional: boolean
  readonly isNullable: boolean
  readonly description: string
}

export interface Structure {
  readonly name: string
  readonly isRequest: boolean
  readonly fields: readonly Field[]
}

/** A call with its types, for the templates. */
interface Method {
  readonly group: string
  readonly name: string
  readonly summary: string
  readonly endpoint: Endpoint
  readonly request: string
  readonly response: Type
  /** The type of an entry, if the call returns pages. */
  readonly entry: Type | undefined
}

const ANY: Type = { kind: 'any' }
const NOTE = 'Generated from the contract by `npm run generate`. Do not edit; change the contract.'
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Every call and every structure of the contract. */
export function described(): { readonly methods: readonly Method[]; readonly structures: readonly Structure[] } {
  const structures: Structure[] = []
  const typeOf = (schema: JsonSchema, name: string, isRequest: boolean): Type => {
    const json = asJson(schema as TSchema)
    const [one, ...more] = (json.anyOf ?? []).filter(({ type }) => type !== 'null')
    if (one !== undefined) return more.length > 0 ? ANY : typeOf(one, name, isRequest)
    const types = typesOf(json).filter((type) => type !== 'null')
    if (types.includes('boolean')) return types.includes('number') ? ANY : { kind: 'boolean' }
    if (types.includes('number') || types.length > 1) return { kind: 'decimal' }
    if (types[0] === 'string' || types[0] === 'integer') return { kind: types[0] }
    if (types[0] === 'array') return { kind: 'list', of: typeOf(json.items ?? {}, name, isRequest) }
    if (types[0] !== 'object') return ANY
    if (json.properties === undefined) return { kind: 'map', of: ANY }
    structure(name, isRequest, [json])
    return { kind: 'object', name }
  }
  const structure = (name: string, isRequest: boolean, parts: readonly JsonSchema[]): void => {
    if (structures.some((other) => other.name === name)) throw new Error(`Two types are called ${name}`)
    const fields = parts.flatMap(({ properties = {}, required = [] }) =>
      Object.entries(properties).map(([field, schema]) => ({
        name: field,
        type: typeOf(schema, name + capital(field), isRequest),
        isOptional: !required.includes(field),
        isNullable: typesOf(schema).includes('null') || schema.anyOf?.some(({ type }) => type === 'null') === true,
        description: sentence(asJson(schema as TSchema).description ?? ''),
      })),
    )
    structures.push({ name, isRequest, fields })
  }
  const methods = Object.entries<Readonly<Record<string, Call>>>(CALLS).flatMap(([group, calls]) =>
    Object.entries(calls).map(([name, { route, bodyKey }]): Method => {
      const title = capital(group) + capital(name)
      const { params, query, body, reply } = route
      const whole =
        bodyKey === undefined || body === undefined ? body : { properties: { [bodyKey]: body }, required: [bodyKey] }
      structure(
        `${title}Request`,
        true,
        [params, query, whole].flatMap((part) => (part === undefined ? [] : [asJson(part as TSchema)])),
      )
      const response = typeOf(reply as JsonSchema, `${title}Response`, false)
      const content = structures
        .find((one) => one.name === `${title}Response`)
        ?.fields.find((one) => one.name === 'content')
      const endpoint = ENDPOINTS[group]?.[name]
      if (endpoint === undefined) throw new Error(`${group}.${name} has no endpoint`)
      return {
        group,
        name,
        summary: `${sentence(route.summary)}.`,
        endpoint,
        request: `${title}Request`,
        response,
        entry: endpoint.pageKey !== undefined && content?.type.kind === 'list' ? content.type.of : undefined,
      }
    }),
  )
  return { methods, structures }
}

const byGroup = (methods: readonly Method[]): readonly [string, readonly Method[]][] =>
  Object.keys(CALLS).map((group) => [group, methods.filter((one) => one.group === group)])

/** The endpoints as a literal of a scripting language. */
function table(
  name: (text: string) => string,
  [open, arrow, close]: readonly [string, string, string],
  literal: (value: unknown) => string,
): string {
  return Object.entries(ENDPOINTS)
    .map(([group, endpoints]) => {
      const lines = Object.entries(endpoints).map(([call, { method, path, access = 'token', ...endpoint }]) => {
        const facts = Object.entries({ method, path, access, ...endpoint }).map(
          ([key, value]) => `'${key}'${arrow}${literal(value)}`,
        )
        return `        '${name(call)}'${arrow}${open}${facts.join(', ')}${close},`
      })
      return `    '${name(group)}'${arrow}${open}\n${lines.join('\n')}\n    ${close},`
    })
    .join('\n')
}

const quoted = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : String(value)

const php = (): string => `<?php
// ${NOTE}
declare(strict_types=1);

return [
${table((text) => text, ['[', ' => ', ']'], quoted)}
];
`

/** \`bankTransfer\` becomes \`bank_transfer\`. */
export const snake = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const python = (): string => `# ${NOTE}
"""The endpoints by group and name. Their types are in api.pyi."""

ENDPOINTS = {
${table(snake, ['{', ': ', '}'], (value) => (value === true ? 'True' : quoted(value)))}
}


class Api:
    """Every call of the gateway, by group."""
`

function pythonType(type: Type, isRequest: boolean): string {
  switch (type.kind) {
    case 'object':
      return type.name
    case 'list':
      return `${isRequest ? 'Sequence' : 'list'}[${pythonType(type.of, isRequest)}]`
    case 'map':
      return `${isRequest ? 'Mapping' : 'dict'}[str, ${pythonType(type.of, isRequest)}]`
    default:
      return {
        string: 'str',
        integer: 'int',
        decimal: isRequest ? 'Decimal | float | str' : 'Decimal | int',
        boolean: 'bool',
        any: 'Any',
      }[type.kind]
  }
}

function pythonStub(): string {
  const { methods, structures } = described()
  const types = structures.map(({ name, isRequest, fields }) => {
    const lines = fields.map((field) => {
      const type = pythonType(field.type, isRequest) + (field.isNullable ? ' | None' : '')
      return `    '${field.name}': ${field.isOptional ? `NotRequired[${type}]` : type},`
    })
    return `${name} = TypedDict('${name}', {\n${lines.join('\n')}\n})`
  })
  const groups = byGroup(methods).map(([group, some]) => {
    const lines = some.map(({ name, summary, request, response, entry }) => {
      const type = pythonType(response, false)
      const call =
        entry === undefined ? `Call[${request}, ${type}]` : `PageCall[${request}, ${pythonType(entry, false)}, ${type}]`
      return `    ${snake(name)}: ${call}\n    """${summary}"""`
    })
    return `class ${capital(group)}:\n${lines.join('\n')}`
  })
  const members = Object.keys(CALLS).map((group) => `    ${snake(group)}: ${capital(group)}`)
  return `# ${NOTE}
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any
from typing_extensions import NotRequired, TypedDict

from .client import Call, PageCall

ENDPOINTS: dict[str, dict[str, dict[str, Any]]]

${types.join('\n')}

${groups.join('\n\n')}

class Api:
${members.join('\n')}
`
}

function goType(type: Type): string {
  switch (type.kind) {
    case 'object':
      return type.name
    case 'list':
      return `[]${goType(type.of)}`
    case 'map':
      return `map[string]${goType(type.of)}`
    default:
      return { string: 'string', integer: 'int64', decimal: 'json.Number', boolean: 'bool', any: 'any' }[type.kind]
  }
}

/** Writes a structure as gofmt does: adjacent fields are aligned, and a comment starts a new block. */
function goStructure({ name, isRequest, fields }: Structure): string {
  const rows = fields.map((field) => {
    const isPointer =
      field.type.kind === 'object'
        ? field.isOptional || field.isNullable
        : isRequest && field.isOptional && ['boolean', 'integer'].includes(field.type.kind)
    return {
      comment: field.description,
      cells: [
        capital(field.name),
        (isPointer ? '*' : '') + goType(field.type),
        `\`json:"${field.name}${isRequest && field.isOptional ? ',omitempty' : ''}"\``,
      ],
    }
  })
  const blocks: (typeof rows)[] = []
  for (const row of rows) {
    if (row.comment !== '' || blocks.length === 0) blocks.push([])
    blocks.at(-1)?.push(row)
  }
  const lines = blocks.flatMap((block) => {
    const width = (column: number): number => Math.max(...block.map(({ cells }) => cells[column]?.length ?? 0))
    return block.map(({ comment, cells: [field = '', type = '', tag = ''] }) => {
      const line = `\t${field.padEnd(width(0))} ${type.padEnd(width(1))} ${tag}`
      return comment === '' ? line : `\t// ${comment.replaceAll('\n', ' ')}\n${line}`
    })
  })
  return lines.length === 0 ? `type ${name} struct{}` : `type ${name} struct {\n${lines.join('\n')}\n}`
}

function go(): string {
  const { methods, structures } = described()
  const literal = ({ method, path, access, hasBody, bodyKey, pageKey, isRepeatable }: Endpoint): string =>
    `endpoint{${[method, path, access ?? 'token', bodyKey ?? '', pageKey ?? ''].map((text) => `"${text}"`).join(', ')}, ${hasBody === true}, ${isRepeatable === true}}`
  const groups = byGroup(methods).map(([group, some]) => {
    const owner = `${capital(group)}Calls`
    const calls = some.map(({ name, summary, endpoint, request, response, entry }) => {
      const type = goType(response)
      const own = `// ${capital(name)}: ${summary}
func (calls ${owner}) ${capital(name)}(ctx context.Context, request ${request}, options ...CallOption) (${type}, error) {
	return perform[${type}](ctx, calls.client, ${literal(endpoint)}, request, options)
}`
      return entry === undefined
        ? own
        : `${own}

// ${capital(name)}Each passes every entry of all pages to handle, until handle returns an error.
func (calls ${owner}) ${capital(name)}Each(ctx context.Context, request ${request}, handle func(${goType(entry)}) error, options ...CallOption) error {
	return each(ctx, calls.client, ${literal(endpoint)}, request, handle, options)
}`
    })
    return `// ${owner} are the calls of the group ${group}.\ntype ${owner} struct{ client *Client }\n\n${calls.join('\n\n')}`
  })
  const width = Math.max(...Object.keys(CALLS).map((group) => group.length))
  const members = Object.keys(CALLS).map((group) => `\t${capital(group).padEnd(width)} ${capital(group)}Calls`)
  const made = Object.keys(CALLS).map(
    (group) => `\t\t${`${capital(group)}:`.padEnd(width + 1)} ${capital(group)}Calls{client},`,
  )
  return `// Code generated from the contract by \`npm run generate\`. DO NOT EDIT.

package kobo

import (
	"context"
	"encoding/json"
)

// Api has every call of the gateway, by group.
type Api struct {
${members.join('\n')}
}

func apiOf(client *Client) Api {
	return Api{
${made.join('\n')}
	}
}

${groups.join('\n\n')}

${structures.map(goStructure).join('\n\n')}
`
}

/** The generated files of the SDKs, by path. */
export const sdkFiles = (): readonly (readonly [string, string])[] => [
  ['sdk/php/src/endpoints.php', php()],
  ['sdk/python/kobo/api.py', python()],
  ['sdk/python/kobo/api.pyi', pythonStub()],
  ['sdk/go/api.go', go()],
]
