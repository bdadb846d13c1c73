import assert from 'node:assert/strict'
import { test } from 'node:test'
import { format, inspect } from 'node:util'
import type { PaymentStatus } from '@kobo/contract'
import fc from 'fast-check'
import { type TransactionTrigger, transactionMachine } from '../../src/features/transactions/machine.ts'
import { canonicalJson } from '../../src/kernel/canonical-json.ts'
import { changed, invariant, Refusal, refusal, refusals } from '../../src/kernel/errors.ts'
import { hidden } from '../../src/kernel/hidden.ts'
import { next } from '../../src/kernel/machine.ts'

/** Where each trigger leads from each state; a dash is a move that does not exist. */
const TRANSACTION_MOVES = `
                payInFull payLess        payMore  decline expire         cancel
PENDING         PAID      PARTIALLY_PAID OVERPAID FAILED  EXPIRED        CANCELLED
FAILED          PAID      PARTIALLY_PAID OVERPAID FAILED  EXPIRED        CANCELLED
PARTIALLY_PAID  PAID      PARTIALLY_PAID OVERPAID -       PARTIALLY_PAID -
PAID            -         -              -        -       -              -
OVERPAID        -         -              -        -       -              -
EXPIRED         -         -              -        -       -              -
CANCELLED       -         -              -        -       -              -
`
const [triggers = [], ...rows] = TRANSACTION_MOVES.trim()
  .split('\n')
  .map((line) => line.trim().split(/ +/))

for (const [state = '', ...targets] of rows) {
  triggers.forEach((trigger, column) => {
    const target = targets[column] === '-' ? undefined : targets[column]
    test(`a transaction that is ${state} ${target === undefined ? 'knows no' : `becomes ${target} by`} ${trigger}`, () =>
      assert.equal(next(transactionMachine, state as PaymentStatus, trigger as TransactionTrigger), target))
  })
}

test('the table above speaks of every state and every trigger of a transaction', () => {
  assert.deepEqual(rows.map(([state]) => state).sort(), Object.keys(transactionMachine).sort())
  assert.deepEqual(
    [...triggers].sort(),
    [...new Set(Object.values(transactionMachine).flatMap((moves) => Object.keys(moves)))].sort(),
  )
})

for (const [value, text] of [
  [{ b: 1, a: { d: [2, { f: 1, e: 2 }], c: null } }, '{"a":{"c":null,"d":[2,{"e":2,"f":1}]},"b":1}'],
  [{ '10': 1, '9': 2, é: 3, Z: 4 }, '{"10":1,"9":2,"Z":4,"é":3}'],
  [{ a: undefined, b: 1 }, '{"b":1}'],
  [JSON.parse('{"__proto__": 1, "a": 2}'), '{"__proto__":1,"a":2}'],
  ['"quoted"\n', '"\\"quoted\\"\\n"'],
  [[], '[]'],
  [{}, '{}'],
  [null, 'null'],
  [undefined, 'null'],
  [1.0, '1'],
  [-0, '0'],
] as const) {
  test(`the canonical text of ${inspect(value, { breakLength: Number.POSITIVE_INFINITY })} is ${text}`, () =>
    assert.equal(canonicalJson(value), text))
}

const turned = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(turned)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, turned(item)]),
  )
}

test('the canonical text depends on the value alone, not on the order of keys, and holds all of the value', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      const plain = JSON.parse(JSON.stringify(value))
      assert.equal(canonicalJson(turned(plain)), canonicalJson(plain))
      assert.deepEqual(JSON.parse(canonicalJson(plain)), plain)
    }),
  )
})

const SECRET = 'MK_SECRET_DO_NOT_PRINT'
const secret = hidden(SECRET)

for (const [way, shown] of Object.entries({
  'JSON.stringify': JSON.stringify({ secret }),
  String: String(secret),
  'a template': `${secret}`,
  'joining a list': [secret].join(','),
  'util.inspect': inspect({ deep: { secret } }, { depth: 9 }),
  'util.inspect with hidden properties': inspect(secret, { showHidden: true, depth: 9 }),
  'console.log': format(secret, { secret }),
  'console.log of an error that carries it': format(Object.assign(new Error('x'), { secret })),
  'console.log with %s': format('%s', secret),
  'console.log with %o': format('%o', { secret }),
  'console.log with %j': format('%j', { secret }),
})) {
  test(`a hidden value is shown as [secret] by ${way}`, () => {
    assert.ok(shown.includes('[secret]'), shown)
    assert.ok(!shown.includes(SECRET), shown)
  })
}

test('a hidden value shows nothing to whoever lists, spreads or inspects it by force, and all to whoever asks', () => {
  assert.ok(!inspect({ ...secret }, { customInspect: false, showHidden: true, depth: 9 }).includes(SECRET))
  assert.ok(!Object.values(secret).includes(SECRET as never))
  assert.throws(() => Object.assign(secret, { toJSON: () => SECRET }), TypeError)
  assert.equal(secret.reveal(), SECRET)
})

test('a refusal carries what was declared of it, and its text made of the facts', () => {
  const declared = {
    code: 'TOO_MANY',
    status: 429,
    responseCode: 'D01',
    text: '{count} are too many for {whom}',
  } as const
  const refused = refusal({ ...declared, retryAfterSeconds: 1 })(3, '{count} & $1')
  assert.ok(refused instanceof Refusal && refused instanceof Error)
  const { code, status, responseCode, message, headers } = refused
  assert.deepEqual(
    [code, status, responseCode, message, headers],
    ['TOO_MANY', 429, 'D01', '3 are too many for {count} & $1', { 'retry-after': '1' }],
  )
  assert.deepEqual(refusals({ tooMany: declared }).tooMany(3, 'you').headers, {})
})

test('a refusal that is answered differently is the same refusal', () => {
  const refused = refusal({ code: 'FULL', status: 422, responseCode: 'D01', text: 'Full' })()
  const { code, status, responseCode, message, headers } = changed(refused, { status: 400, headers: { allow: 'GET' } })
  assert.deepEqual([code, status, responseCode, message, headers], ['FULL', 400, 'D01', 'Full', { allow: 'GET' }])
})

test('making a refusal leaves the stacks of true errors whole', () => {
  const limit = Error.stackTraceLimit
  refusal({ code: 'NO', status: 400, responseCode: '99', text: 'no' })()
  assert.equal(Error.stackTraceLimit, limit)
})

test('a broken invariant names its promise and is no refusal', () => {
  invariant(1, 'holds')
  for (const broken of [false, 0, '', null, undefined])
    assert.throws(
      () => invariant(broken, 'the books balance'),
      (error: unknown) =>
        error instanceof Error &&
        !(error instanceof Refusal) &&
        error.message === 'Broken invariant: the books balance',
    )
})
