import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  accessRefusals,
  DASHBOARD_ROUTES,
  inDashboard,
  REFUSALS,
  type Refusal,
  ROUTES,
  type Route,
  refusalsOf,
  requestRefusals,
} from '@kobo/contract'

/** Returned before a route is found, or outside any route. */
const OF_NO_ROUTE: readonly Refusal[] = [
  requestRefusals.missingHost,
  requestRefusals.unknownHost,
  requestRefusals.unknownPath,
  requestRefusals.methodNotAllowed,
  requestRefusals.tooSlow,
  requestRefusals.headersTooLarge,
  requestRefusals.tooManyListeners,
  accessRefusals.invalidSignature,
]

/** Every route as it is served, to servers and to users. */
const SERVED = [
  ...ROUTES,
  ...ROUTES.filter(({ route }) => route.person !== undefined).map((one) => ({
    ...one,
    route: inDashboard<Route>(one.route),
  })),
  ...DASHBOARD_ROUTES,
]
const LISTED = SERVED.flatMap(({ name, route }) => refusalsOf(route).map((refusal) => ({ name, refusal })))
const wording = ({ status, code, responseCode, text }: Refusal): string => `${status} ${code} ${responseCode} ${text}`

test('a code is one error: it has the same cause everywhere', () => {
  const all = [...REFUSALS, ...LISTED.map(({ refusal }) => refusal)]
  const pairs = [...new Set(all.map(({ code, cause }) => `${code}: ${cause}`))]
  const codes = new Set(all.map(({ code }) => code))
  assert.ok(codes.size > 100, 'the refusals are found')
  assert.equal(pairs.length, codes.size, pairs.sort().join('\n'))
  for (const code of codes) assert.match(code, /^[A-Z0-9]+(_[A-Z0-9]+)*$/)
  for (const { code, cause } of all) assert.match(cause, /^[A-Z].*\.$/, code)
})

test('every error in the catalogue is returned by a route, and every route’s error is in the catalogue', () => {
  const catalogue = new Set(REFUSALS.map(({ code }) => code))
  for (const { name, refusal } of LISTED) assert.ok(catalogue.has(refusal.code), `${refusal.code} of ${name}`)
  const answered = new Set(LISTED.map(({ refusal }) => refusal.code))
  assert.deepEqual(
    [...catalogue].filter((code) => !answered.has(code)).sort(),
    OF_NO_ROUTE.map(({ code }) => code).sort(),
  )
})

test('a route lists an error once', () => {
  for (const { name, route } of SERVED) {
    const listed = refusalsOf(route).map(wording)
    assert.deepEqual([...new Set(listed)], listed, name)
  }
})

test('a text’s parameters are in braces, and its example has none', () => {
  for (const { text, example = '' } of REFUSALS) {
    assert.doesNotMatch(text.replace(/\{[a-z]\w*\}/gi, ''), /[{}]/)
    assert.doesNotMatch(example, /[{}]/)
  }
})
