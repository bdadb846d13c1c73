import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { openPasswords } from '../../../src/features/sign-in/passwords.ts'
import { base32, codeOf, stepAt, stepOf } from '../../../src/features/sign-in/totp.ts'
import { gateway } from '../../harness/gateway.ts'
import { aBrowser, aWall, totpCode } from '../../harness/users.ts'

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

test('second factor attempts are limited in every browser', async (t) => {
  const wall = aWall()
  const { url } = await gateway(t, { wall, env: { KOBO_RATE_LIMIT: '100000' } })
  const owner = aBrowser(url)
  const { link } = await owner.call(contract.signUp, { body: { email: 'ada@example.com' } })
  const body = {
    token: link?.split('#')[1] ?? '',
    name: 'Ada',
    password: 'correct horse battery',
    merchantName: 'Shop',
  }
  await owner.call(contract.takeLink, { body })
  const { id, secret } = await owner.call(contract.beginTotp, { body: {} })
  await owner.call(contract.confirmTotp, { params: { id }, body: { code: totpCode(secret, wall.now()) } })
  for (let guess = 0; guess < 10; guess++) {
    const thief = aBrowser(url)
    await thief.call(contract.signInWithPassword, { body: { email: 'ada@example.com', password: body.password } })
    await thief.refused(422, contract.showSecondFactor, { body: { code: '000000' } })
  }
  const thief = aBrowser(url)
  await thief.call(contract.signInWithPassword, { body: { email: 'ada@example.com', password: body.password } })
  wall.pass(31)
  await thief.refused(429, contract.showSecondFactor, { body: { code: totpCode(secret, wall.now()) } })
  await owner.call(contract.showSecondFactor, { body: { code: totpCode(secret, wall.now()) } })
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
  const { hash, matches: fits } = openPasswords()
  const made = await hash('caf\u00e9 au lait')
  assert.match(made, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  assert.equal(await fits('cafe\u0301 au lait', made), true)
  assert.equal(await fits('cafe au lait', made), false)
  assert.equal(await fits('caf\u00e9 au lait', undefined), false)
})
