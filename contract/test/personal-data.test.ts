import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '../src/index.ts'

/** Names under which a response can only hold a customer's data. */
const NAMES =
  /^(customer(Name|Email|EmailAddress|PhoneNumber|Address|AccountName|AccountNumber|Id)|payer(Name|AccountName|AccountNumber)|sender(Name|AccountNumber)|beneficiaryName|narration|bvn|nin|evidence|metaData|requestBody|answerBody)$/

interface Nested {
  readonly properties?: Readonly<Record<string, contract.Route['reply']>>
  readonly items?: contract.Route['reply']
  readonly anyOf?: readonly contract.Route['reply'][]
}

/** The fields of a schema that are named like a customer's data and not marked. */
function unmarked(schema: contract.Route['reply'], path: string): readonly string[] {
  if (contract.isPersonalData(schema)) return []
  const { properties = {}, items, anyOf = [] } = schema as Nested
  const within = [
    ...Object.entries(properties).flatMap(([name, field]) => unmarked(field, `${path}.${name}`)),
    ...(items === undefined ? [] : unmarked(items, `${path}[]`)),
    ...anyOf.flatMap((one) => unmarked(one, path)),
  ]
  const isLeaf = Object.keys(properties).length === 0 && items === undefined && anyOf.length === 0
  return isLeaf && NAMES.test(path.split('.').at(-1) ?? '') && (schema as { type?: unknown }).type !== 'null'
    ? [path]
    : within
}

/** Cashiers see who paid, so that they give the goods to the right customer. */
const SHOWN_TO_ALL = new Set(['getTill.payments[].payerName'])

test('every field for a customer’s data is marked, in responses to users and in events', () => {
  const routes = [...contract.ROUTES, ...contract.DASHBOARD_ROUTES].filter(({ route }) => route.person !== undefined)
  assert.ok(routes.length > 100)
  assert.deepEqual(
    routes.flatMap(({ name, route }) => unmarked(route.reply, name)).filter((path) => !SHOWN_TO_ALL.has(path)),
    [],
  )
  assert.deepEqual(
    Object.entries(contract.EVENTS).flatMap(([name, { data }]) => unmarked(data, name)),
    [],
  )
})

test('a mark is in no JSON', () => {
  const schema = contract.personal(contract.Email)
  assert.ok(contract.isPersonalData(schema))
  assert.equal(JSON.stringify(schema), JSON.stringify(contract.Email))
})
