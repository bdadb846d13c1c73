import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { openPasswords } from '../../../src/features/sign-in/passwords.ts'
import { base32, codeOf, stepAt, stepOf } from '../../../src/features/sign-in/totp.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { type Db, inTransaction } from '../../../src/platform/postgres/db.ts'
import { gateway } from '../../harness/gateway.ts'
import { slow } from '../../harness/slow.ts'
import { until, untilWaiting } from '../../harness/until.ts'
import { aBrowser, aWall, totpCode } from '../../harness/users.ts'

const PASSWORD = 'correct horse battery'

/** A user with an authenticator app, in a known browser and in a new one. */
async function withSecondFactor(url: string, wall: Clock) {
  const [owner, browser] = [aBrowser(url), aBrowser(url)]
  const { link } = await owner.call(contract.signUp, { body: { email: 'ada@example.com' } })
  const token = link?.split('#')[1] ?? ''
  await owner.call(contract.takeLink, { body: { token, name: 'Ada', password: PASSWORD, merchantName: 'Shop' } })
  const { id, secret } = await owner.call(contract.beginTotp, { body: {} })
  await owner.call(contract.confirmTotp, { params: { id }, body: { code: totpCode(secret, wall.now()) } })
  return { owner, browser, secret, password: PASSWORD }
}

/** How many attempts with a comparison are in the audit log, which stores equal records as one with a count. */
async function timesAudited(db: Db, act: string): Promise<number> {
  const rows = await db<{ details: { times?: number } }[]>`
    select details from audit where act = ${act} and details->>'limit' is null`
  return rows.reduce((sum, { details: { times = 1 } }) => sum + times, 0)
}

test('password attempts from strangers are limited, the owner in a known browser is not', async (t) => {
  const wall = aWall()
  const { url, db } = await gateway(t, { wall, env: { KOBO_RATE_LIMIT: '100000', KOBO_TRUSTED_PROXIES: '127.0.0.1' } })
  const from = (address: string) => ({ 'x-forwarded-for': address, 'sec-fetch-site': 'same-origin' })
  const owner = aBrowser(url)
  const { link } = await owner.call(contract.signUp, { body: { email: 'ada@example.com' } })
  const token = link?.split('#')[1] ?? ''
  const password = 'correct horse battery'
  await owner.call(contract.takeLink, { body: { token, name: 'Ada', password, merchantName: 'Shop' } })
  const attempt = async (browser: typeof owner, given: string, address: string) =>
    (
      await browser.send(
        contract.signInWithPassword,
        { body: { email: 'ada@example.com', password: given } },
        from(address),
      )
    ).status
  // One network after another, each up to its limit.
  for (let guess = 0; guess < 10; guess++)
    assert.equal(await attempt(aBrowser(url), 'a guess of it', '203.0.113.1'), 401)
  assert.equal(
    await attempt(aBrowser(url), password, '203.0.113.1'),
    429,
    'the right one is no longer listened to there',
  )
  assert.equal(await attempt(aBrowser(url), password, '203.0.113.2'), 200, 'elsewhere it is')
  // As if ninety more had come from nine other networks.
  await db`update shared_limit set count = count + 90 where name = 'wrong password from strangers'`
  assert.equal(await attempt(aBrowser(url), password, '192.0.2.9'), 429, 'a hundred from everywhere: strangers wait')
  assert.equal(await attempt(owner, password, '203.0.113.1'), 200, 'a browser that is known passes, even from there')
  wall.pass(3_601)
  assert.equal(await attempt(aBrowser(url), password, '203.0.113.1'), 200, 'and an hour later everybody does')
})

slow(
  'one network cannot keep others from signing in: networks take turns, and its wrong passwords are counted',
  async (t) => {
    const wall = aWall()
    const { url, db } = await gateway(t, {
      wall,
      env: { KOBO_RATE_LIMIT: '100000', KOBO_TRUSTED_PROXIES: '127.0.0.1' },
    })
    const [email, password] = ['ada@example.com', 'correct horse battery']
    const owner = aBrowser(url)
    const { link } = await owner.call(contract.signUp, { body: { email } })
    const token = link?.split('#')[1] ?? ''
    await owner.call(contract.takeLink, { body: { token, name: 'Ada', password, merchantName: 'Shop' } })
    const attempt = async (browser: typeof owner, account: string, given: string, address: string) => {
      const headers = { 'x-forwarded-for': address, 'sec-fetch-site': 'same-origin' }
      return (await browser.send(contract.signInWithPassword, { body: { email: account, password: given } }, headers))
        .status
    }
    // Each guess is for another account and from another address of the same IPv6 network.
    const guesses = Array.from({ length: 60 }, (_, nth) =>
      attempt(aBrowser(url), `guess-${nth}@example.com`, 'a guess of it', `2c0f:f00:1:2::${nth + 1}`),
    )
    assert.equal(await attempt(aBrowser(url), email, password, '198.51.100.1'), 200)
    const statuses = await Promise.all(guesses)
    assert.deepEqual(new Set(statuses), new Set([401, 503]), 'a network waits only for itself')

    const [held] = await db<{ count: number }[]>`
    select max(count) as count from shared_limit where name = 'wrong passwords of network'`
    assert.equal(held?.count, guesses.length)
    await db`update shared_limit set count = 100 where name = 'wrong passwords of network' and count = ${guesses.length}`
    assert.equal(await attempt(aBrowser(url), 'new@example.com', 'a guess of it', '2c0f:f00:1:2:ffff::1'), 429)
    assert.equal(await attempt(aBrowser(url), email, password, '2c0f:f00:1:2:ffff::2'), 429, 'also a right one')
    assert.equal(await attempt(owner, email, password, '2c0f:f00:1:2:ffff::3'), 200, 'but a known browser passes')
    assert.equal(await attempt(aBrowser(url), email, password, '2c0f:f00:1:3::1'), 200, 'and another network')

    for (let nth = 0; nth < 30; nth++)
      assert.equal(await attempt(aBrowser(url), `more-${nth}@example.com`, 'a guess', '2c0f:f00:1:2::1'), 429)
    const records = await db<{ times: string | null }[]>`
    select details->>'times' as times from audit where act = 'sign-in.refused' and details->>'times' is not null order by id`
    assert.deepEqual(
      records.map(({ times }) => times),
      ['1', '10'],
      'rejected attempts beyond the limit are recorded by their number',
    )
  },
)

slow('second factor attempts are limited in every browser', async (t) => {
  const wall = aWall()
  const { url } = await gateway(t, { wall, env: { KOBO_RATE_LIMIT: '100000' } })
  const { owner, secret, password } = await withSecondFactor(url, wall)
  for (let guess = 0; guess < 10; guess++) {
    const thief = aBrowser(url)
    await thief.call(contract.signInWithPassword, { body: { email: 'ada@example.com', password } })
    await thief.rejected(422, contract.showSecondFactor, { body: { code: '000000' } })
  }
  const thief = aBrowser(url)
  await thief.call(contract.signInWithPassword, { body: { email: 'ada@example.com', password } })
  wall.pass(31)
  await thief.rejected(429, contract.showSecondFactor, { body: { code: totpCode(secret, wall.now()) } })
  await owner.call(contract.showSecondFactor, { body: { code: totpCode(secret, wall.now()) } })
})

test('parallel codes are counted before they are compared: ten are, and then not even the right one', async (t) => {
  const wall = aWall()
  const { url, db } = await gateway(t, { wall, env: { KOBO_RATE_LIMIT: '100000' } })
  const { browser: thief, secret, password } = await withSecondFactor(url, wall)
  await thief.call(contract.signInWithPassword, { body: { email: 'ada@example.com', password } })
  const statuses = await Promise.all(
    Array.from(
      { length: 60 },
      async () => (await thief.send(contract.showSecondFactor, { body: { code: '00000a' } })).status,
    ),
  )
  const compared = statuses.filter((status) => status !== 429)
  assert.ok(compared.length <= 10, String(statuses))
  assert.equal(await timesAudited(db, 'second-factor.refused'), compared.length)
  wall.pass(31)
  await thief.rejected(429, contract.showSecondFactor, { body: { code: totpCode(secret, wall.now()) } })
  wall.pass(1_800)
  await thief.call(contract.signInWithPassword, { body: { email: 'ada@example.com', password } })
  await thief.call(contract.showSecondFactor, { body: { code: totpCode(secret, wall.now()) } })
})

test('a code that confirms an authenticator app is counted before it is compared, also in parallel', async (t) => {
  const wall = aWall()
  const { url, db } = await gateway(t, { wall, env: { KOBO_RATE_LIMIT: '100000' } })
  const browser = aBrowser(url)
  const { link } = await browser.call(contract.signUp, { body: { email: 'ada@example.com' } })
  const token = link?.split('#')[1] ?? ''
  await browser.call(contract.takeLink, { body: { token, name: 'Ada', password: PASSWORD, merchantName: 'Shop' } })
  const confirm = async (id: string, code: string): Promise<number> => {
    const { status } = await browser.send(contract.confirmTotp, { params: { id }, body: { code } })
    // On a busy machine, the lock may be held longer than requests wait for one.
    return status === 503 ? confirm(id, code) : status
  }
  const first = await browser.call(contract.beginTotp, { body: {} })
  assert.equal(await confirm(first.id, '000000'), 422)
  // While its count cannot be written, not even the right code is compared.
  const held = await inTransaction(db, async (tx) => {
    await tx`select from shared_limit for update`
    const response = confirm(first.id, totpCode(first.secret, wall.now()))
    await untilWaiting(db, 1)
    const [factor] = await db<{ confirmed: boolean }[]>`
      select confirmed_at is not null as confirmed from second_factor where id = ${first.id}`
    assert.equal(factor?.confirmed, false)
    return { response }
  })
  assert.equal(await held.response, 200)

  const second = await browser.call(contract.beginTotp, { body: {} })
  const statuses = await Promise.all(Array.from({ length: 40 }, () => confirm(second.id, '000000')))
  const left = 10 - 1 // the first wrong one counts
  assert.equal(statuses.filter((status) => status === 422).length, left)
  wall.pass(31)
  assert.equal(await confirm(second.id, totpCode(second.secret, wall.now())), 429)
})

test('parallel passwords are counted before they are compared', async (t) => {
  const wall = aWall()
  const { url, db } = await gateway(t, { wall, env: { KOBO_RATE_LIMIT: '100000' } })
  await withSecondFactor(url, wall)
  const attempt = async (password: string) => {
    const body = { email: 'ada@example.com', password }
    return (await aBrowser(url).send(contract.signInWithPassword, { body })).status
  }
  await Promise.all(Array.from({ length: 30 }, () => attempt('a guess of it')))
  assert.ok((await timesAudited(db, 'sign-in.refused')) <= 10)
  assert.equal(await attempt(PASSWORD), 429)
})

test('ten wrong passwords lock for half an hour, and the second factor after a reset by mail ends the lock', async (t) => {
  const wall = aWall()
  const { url, db } = await gateway(t, { wall, env: { KOBO_RATE_LIMIT: '100000' } })
  const { secret } = await withSecondFactor(url, wall)
  const email = 'ada@example.com'
  const attempt = async (password: string) =>
    (await aBrowser(url).send(contract.signInWithPassword, { body: { email, password } })).status
  for (let guess = 0; guess < 10; guess++) {
    assert.equal(await attempt('a guess of it'), 401)
    wall.pass(100)
  }
  wall.pass(1_500)
  assert.equal(await attempt(PASSWORD), 429, 'the time runs from the last wrong one')
  const browser = aBrowser(url)
  await browser.call(contract.requestReset, { body: { email } })
  const mails = () => db<{ text: string }[]>`select text from sandbox_mail where recipient = ${email}`
  await until('the mail is there', async () => (await mails()).length > 0)
  const token = /#(\S+)/.exec((await mails())[0]?.text ?? '')?.[1] ?? ''
  const password = 'another horse battery'
  await browser.call(contract.takeLink, { body: { token, password } })
  assert.equal(await attempt(password), 429, 'the mailbox alone does not end it')
  await browser.call(contract.showSecondFactor, { body: { code: totpCode(secret, wall.now()) } })
  assert.equal(await attempt(password), 200)
})

test('codes match RFC 6238, and the adjacent steps are accepted', () => {
  const secret = Buffer.from('12345678901234567890')
  assert.equal(base32(secret), 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  for (const [seconds, code] of [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
  ] as const) {
    const at = new Date(seconds * 1_000)
    assert.equal(codeOf(secret, stepAt(at)), code)
    assert.equal(stepOf(secret, code, at), stepAt(at))
    assert.equal(stepOf(secret, code, new Date(at.getTime() + 30_000)), stepAt(at))
    assert.equal(stepOf(secret, code, new Date(at.getTime() + 90_000)), undefined)
    assert.equal(stepOf(secret, `${code}0`, at), undefined)
  }
})

test('a password matches only its own hash, in any Unicode composition', async () => {
  const passwords = openPasswords()
  const waiter = { network: '203.0.113.1', isKnown: false }
  const fits = (password: string, text: string | undefined) => passwords.matches(password, text, waiter)
  const made = await passwords.hash('caf\u00e9 au lait', waiter)
  assert.match(made, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  assert.equal(await fits('cafe\u0301 au lait', made), true)
  assert.equal(await fits('cafe au lait', made), false)
  assert.equal(await fits('caf\u00e9 au lait', undefined), false)
})
