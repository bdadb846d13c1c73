import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Input } from '@kobo/contract'
import * as contract from '@kobo/contract'
import { openLog } from '../../../src/platform/observability/log.ts'
import { aShop, type Client, gateway } from '../../harness/gateway.ts'

const NUMBER = '22222222226'
const ACCOUNT = { bankCode: '058', accountNumber: '0123456789' }

/** 1993-10-03 in the request's format: 03-Oct-1993. */
function named(day: string): string {
  const [year, month, date] = day.split('-')
  const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
  return `${date}-${MONTHS[Number(month) - 1]}-${year}`
}

/** The details of a BVN's holder: in the sandbox the NIN with the same digits returns them. */
async function detailsOf(
  client: Client,
  bvn: string,
): Promise<Input<typeof contract.matchBvnDetails>['body'] & { names: string[] }> {
  const { firstName, middleName, lastName, dateOfBirth, mobileNumber } = await client.call(contract.getNinDetails, {
    body: { nin: bvn },
  })
  const names = [firstName, middleName ?? '', lastName]
  return { bvn, name: names.join(' '), dateOfBirth: named(dateOfBirth), mobileNo: mobileNumber, names }
}

test('a NIN returns its owner, the same each time', async () => {
  const shop = await aShop()
  const person = await shop.call(contract.getNinDetails, { body: { nin: NUMBER } })
  assert.deepEqual(Object.keys(person).sort(), [
    'dateOfBirth',
    'firstName',
    'gender',
    'lastName',
    'middleName',
    'mobileNumber',
    'nin',
  ])
  assert.equal(person.nin, NUMBER)
  assert.match(person.dateOfBirth, /^\d{4}-\d{2}-\d{2}$/)
  assert.match(person.mobileNumber, /^234\d{10}$/)
  assert.deepEqual(await shop.call(contract.getNinDetails, { body: { nin: NUMBER } }), person)
  const other = await shop.call(contract.getNinDetails, { body: { nin: '22222222227' } })
  assert.notDeepEqual({ ...other, nin: NUMBER }, person)
})

test('the documented examples, sent verbatim, return the documented responses', async () => {
  const shop = await aShop()
  const { paths } = JSON.parse((await shop.send('GET', '/openapi.json')).text)
  for (const { method, path } of [contract.matchBvnDetails, contract.matchBvnAccount, contract.getNinDetails]) {
    const { requestBody, responses } = paths[path].post
    const response = await shop.send(method, path, { body: requestBody.content['application/json'].example })
    assert.deepEqual(response.body, responses[200].content['application/json'].example, path)
  }
})

test('details are compared with those of the BVN: the name tolerantly, the rest exactly', async () => {
  const shop = await aShop()
  const { names, ...details } = await detailsOf(shop, NUMBER)
  const [first = '', middle = '', last = ''] = names
  const match = (changes: Partial<typeof details>) =>
    shop.call(contract.matchBvnDetails, { body: { ...details, ...changes } })
  const full = {
    bvn: NUMBER,
    name: { matchStatus: 'FULL_MATCH', matchPercentage: 100 },
    dateOfBirth: 'FULL_MATCH',
    mobileNo: 'FULL_MATCH',
  }
  assert.deepEqual(await match({}), full)
  assert.deepEqual(
    await match({
      name: `MR. ${last}, ${first} ${middle}`.toUpperCase(),
      dateOfBirth: details.dateOfBirth.toUpperCase(),
      mobileNo: details.mobileNo.replace(/^234/, '0'),
    }),
    full,
  )
  assert.deepEqual(await match({ mobileNo: `+${details.mobileNo}` }), full)
  const shorter = await match({ name: `${first} ${last}` })
  assert.equal(shorter.name.matchStatus, 'FULL_MATCH')
  assert.ok(shorter.name.matchPercentage < 100)
  const { name: partly } = await match({ name: `${first} Preye ${last}` })
  assert.deepEqual(partly, { matchStatus: 'PARTIAL_MATCH', matchPercentage: 67 })
  assert.deepEqual(await match({ name: 'Dorcas Preye Whyte', dateOfBirth: '01-Jan-1900', mobileNo: '08000000000' }), {
    bvn: NUMBER,
    name: { matchStatus: 'NO_MATCH', matchPercentage: 0 },
    dateOfBirth: 'NO_MATCH',
    mobileNo: 'NO_MATCH',
  })
})

test('an account is compared with its BVN', async () => {
  const shop = await aShop()
  const match = (bvn: string) => shop.call(contract.matchBvnAccount, { body: { ...ACCOUNT, bvn } })
  const { accountName, ...full } = await match(NUMBER)
  assert.deepEqual(full, {
    bvn: NUMBER,
    accountNumber: ACCOUNT.accountNumber,
    matchStatus: 'FULL_MATCH',
    matchPercentage: 100,
  })
  assert.match(accountName, /^[A-Z]+ [A-Z]+ [A-Z]+$/)
  const partly = await match('22222222002')
  assert.deepEqual([partly.accountName, partly.matchStatus, partly.matchPercentage], [accountName, 'PARTIAL_MATCH', 67])
  const other = await match('22222222001')
  assert.deepEqual([other.accountName, other.matchStatus, other.matchPercentage], [accountName, 'NO_MATCH', 0])
})

test('unknown and malformed numbers are rejected, and a register that does not respond is a different error', async () => {
  const shop = await aShop()
  const details = { bvn: NUMBER, name: 'Ada Obi', dateOfBirth: '03-Oct-1993', mobileNo: '08142223149' }
  const cases = [
    [contract.matchBvnDetails, { ...details, bvn: '22222222000' }, /^Invalid BVN provided$/],
    [contract.matchBvnDetails, { ...details, bvn: '2222222222' }, /^bvn must be an 11-digit BVN$/],
    [contract.matchBvnDetails, { ...details, bvn: 22222222226 }, /^bvn /],
    [
      contract.matchBvnDetails,
      { ...details, dateOfBirth: '1993-10-03' },
      /^dateOfBirth must be a date like 03-Oct-1993$/,
    ],
    [contract.matchBvnDetails, { ...details, dateOfBirth: '31-Feb-1993' }, /^dateOfBirth /],
    [contract.matchBvnDetails, { ...details, mobileNo: 'none' }, /^mobileNo /],
    [contract.matchBvnDetails, { ...details, name: undefined }, /^name is required$/],
    [contract.matchBvnAccount, { ...ACCOUNT, bvn: '22222222000' }, /^Invalid BVN provided$/],
    [contract.matchBvnAccount, { ...ACCOUNT, bvn: NUMBER, bankCode: '999' }, /^Could not find bank 999$/],
    [contract.matchBvnAccount, { ...ACCOUNT, bvn: NUMBER, accountNumber: '123' }, /^accountNumber /],
    [contract.getNinDetails, { nin: '22222222000' }, /^Invalid NIN provided$/],
    [contract.getNinDetails, { nin: '2222222222X' }, /^nin must be an 11-digit NIN$/],
    [contract.getNinDetails, {}, /^nin is required$/],
  ] as const
  for (const [route, body, expected] of cases) {
    const { message, responseCode } = await shop.rejected(400, route, { body })
    assert.match(message, expected)
    assert.equal(responseCode, '99')
  }
  await shop.rejected(503, contract.matchBvnAccount, { body: { ...ACCOUNT, bvn: NUMBER, accountNumber: '0123456006' } })
})

test('checks are free in the sandbox', async () => {
  const shop = await aShop()
  await shop.call(contract.getNinDetails, { body: { nin: NUMBER } })
  const events = await shop.call(contract.listEvents, { query: {} })
  assert.equal(events.totalElements, 0)
})

test('no BVN and no NIN is in the log, at any log level', async (t) => {
  const lines: string[] = []
  const log = openLog('trace', { write: (line: string) => void lines.push(line) })
  const shop = await gateway(t, { log })
  await shop.call(contract.getNinDetails, { body: { nin: NUMBER } })
  await shop.rejected(400, contract.getNinDetails, { body: { nin: '33333333000' } })
  await shop.rejected(400, contract.matchBvnDetails, { body: { bvn: '444444444445' } })
  await shop.rejected(503, contract.matchBvnAccount, {
    body: { bankCode: '058', accountNumber: '0123456006', bvn: '55555555557' },
  })
  assert.match(lines.join(''), /nin-details/)
  assert.doesNotMatch(lines.join(''), /2222222|3333333|4444444|5555555/)
})
