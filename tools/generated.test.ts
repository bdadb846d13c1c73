import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { DASHBOARD_GROUPS, DASHBOARD_ROUTES, EVENTS, GROUPS, REFUSAL_HEADER, ROUTES, refusalsOf } from '@kobo/contract'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { openApi } from '../contract/src/openapi.ts'
import { findDrifted } from './generate.ts'

interface Parameter {
  readonly name?: string
  readonly in?: string
  readonly required?: boolean
}

interface Content {
  readonly headers?: Readonly<Record<string, { readonly schema?: { readonly enum?: readonly string[] } }>>
  readonly content?: {
    readonly 'application/json': {
      readonly schema: object
      readonly example?: unknown
      readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
    }
  }
  readonly $ref?: string
}

interface Operation {
  readonly operationId: string
  readonly deprecated?: boolean
  readonly tags: readonly string[]
  readonly security?: readonly object[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
}

interface Document {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
}

const document = openApi() as Document
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)
const webhooks = Object.values(document.webhooks).map(({ post }) => post)

/** Every value under this key, at any depth. */
function allUnder(key: string, value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [...(name === key ? [inner] : []), ...allUnder(key, inner)])
}

const at = (pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], document)

test('the generated files match the code', async () => {
  assert.deepEqual(await findDrifted(), [], 'run: npm run generate')
})

test('the OpenAPI document is valid 3.1, and every reference in it resolves', () => {
  assert.match(document.openapi, /^3\.1\.\d+$/)
  assert.ok(document.info.title !== '' && document.info.version !== '' && document.info.description !== '')
  assert.ok(document.servers.every(({ url }) => url === '/'))
  for (const reference of allUnder('$ref', document))
    assert.ok(at(String(reference)) !== undefined, `${reference} leads nowhere`)
})

test('every operation has a unique id, a known and described tag, and a success response', () => {
  const ids = [...operations.map(({ operation }) => operation), ...webhooks].map(({ operationId }) => operationId)
  assert.equal(new Set(ids).size, ids.length)
  const introduced = document.tags.flatMap(({ name, description }) => (description === undefined ? [] : [name]))
  for (const operation of [...operations.map((one) => one.operation), ...webhooks]) {
    assert.ok(operation.tags.length > 0, operation.operationId)
    for (const name of operation.tags) assert.ok(introduced.includes(name), `${name} is introduced`)
    assert.ok(operation.responses['200'] !== undefined, operation.operationId)
  }
})

test('every path parameter is declared, and no other', () => {
  for (const { path, operation } of operations) {
    const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path')
    assert.deepEqual(
      declared.map(({ name }) => name).sort(),
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort(),
      path,
    )
    assert.ok(
      declared.every(({ required }) => required === true),
      path,
    )
  }
})

test('every route of the contract is there, with its older paths, its errors and its authentication', () => {
  for (const { name, route } of ROUTES) {
    const find = (path: string): Operation | undefined =>
      document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[route.method.toLowerCase()]
    const operation = find(route.path)
    assert.equal(operation?.operationId, name)
    for (const { status, code } of refusalsOf(route)) {
      const { $ref, ...inline } = operation?.responses[status] ?? {}
      const { headers, content } = $ref === undefined ? inline : (at($ref) as Content)
      const place = `${name} ${status} ${code}`
      assert.ok(headers?.[REFUSAL_HEADER]?.schema?.enum?.includes(code), place)
      assert.ok(content?.['application/json'].examples?.[code] !== undefined, place)
    }
    const access = route.access ?? 'token'
    assert.deepEqual(
      operation?.security,
      { token: undefined, keys: [{ keys: [] }], person: undefined, open: [] }[access],
      name,
    )
    for (const path of route.deprecatedPaths ?? []) assert.equal(find(path)?.deprecated, true, path)
  }
  assert.deepEqual(Object.keys(document.webhooks), Object.keys(EVENTS))
})

test('every example matches its schema', () => {
  const formats = { uri: (text: string) => URL.canParse(text), date: /^\d{4}-\d\d-\d\d$/ }
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats })
  ajv.addSchema({ $id: 'kobo', components: document.components })
  const within = (schema: object): object =>
    JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"kobo#/components'))
  for (const { operationId, requestBody, responses } of [
    ...operations.map(({ operation }) => operation),
    ...webhooks,
  ]) {
    for (const [place, content] of [['request', requestBody] as const, ...Object.entries(responses)]) {
      const json = content?.content?.['application/json']
      if (json === undefined) continue
      const check = ajv.compile(within(json.schema))
      const examples = Object.values(json.examples ?? { only: { value: json.example } })
      for (const { value } of examples)
        assert.ok(check(value), `${operationId} ${place}: ${ajv.errorsText(check.errors)}`)
    }
  }
})

test('the document has only standard keywords', () => {
  assert.doesNotMatch(JSON.stringify(document), /"(x-|~)[\w-]+":/)
})

test('a live gateway documents no sandbox route', () => {
  const live = openApi('live') as Document
  const sandbox = ROUTES.filter(({ route }) => route.environment === 'sandbox')
  assert.ok(sandbox.length > 0)
  for (const { route } of sandbox) assert.equal(live.paths[route.path.replace(/:(\w+)/g, '{$1}')], undefined)
  assert.doesNotMatch(JSON.stringify(live), /sandbox/i)
})

test('every declared route and group is in the contract’s groups, so that it is served, shown and tested', () => {
  const isRoute = (value: object): boolean => 'method' in value && 'path' in value
  const isGroup = (value: object): boolean => 'routes' in value
  const declared = (isOne: (value: object) => boolean): string[] =>
    Object.entries(contract)
      .filter(([, value]) => typeof value === 'object' && isOne(value))
      .map(([name]) => name)
  const all = [...ROUTES, ...DASHBOARD_ROUTES]
  assert.deepEqual(declared(isRoute).sort(), all.map(({ name }) => name).sort())
  assert.deepEqual(declared(isGroup).sort(), Object.keys({ ...GROUPS, ...DASHBOARD_GROUPS }).sort())
})
