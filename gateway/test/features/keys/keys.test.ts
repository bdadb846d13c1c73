import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { displayMoment } from '../../../src/kernel/dates.ts'
import { aShop } from '../../harness/gateway.ts'
import { until } from '../../harness/until.ts'
import { aTeamMember } from '../../harness/users.ts'

const FRESH = { secondFactor: 'fresh' } as const

test('an owner rotates the secret key: the new one is shown once, the old one ends, and the merchant is notified', async () => {
  const shop = await aShop()
  const owner = await aTeamMember(shop, 'owner', FRESH)
  const [before] = (await owner.call(contract.getKeys, {})).secretKeys
  assert.deepEqual([before?.isSigning, before?.expiresAt], [true, null])
  const { secretKey, oldValidUntil } = await owner.call(contract.rotateKey, { body: { overlapHours: 24 } })
  const shown = await owner.call(contract.getKeys, {})
  assert.deepEqual(
    shown.secretKeys.map(({ expiresAt, isSigning }) => [expiresAt, isSigning]),
    [
      [null, false], // until the merchant's server has logged in with it
      [oldValidUntil, true],
    ],
  )
  assert.ok(!JSON.stringify(shown).includes(secretKey))
  const [record] = await shop.core.db<{ actor: string; details: object }[]>`
    select actor, details from audit where merchant_id = ${shop.merchantId} and act = 'secret.rotate'`
  assert.equal(record?.actor, `person/${owner.personId}`)
  assert.ok(!JSON.stringify(record).includes(secretKey))
  await until('the merchant is notified by email, with the time in Lagos', async () =>
    (await shop.call(contract.readInbox, { query: {} })).some(({ text }) =>
      text.includes(`The previous keys expire on ${displayMoment(new Date(oldValidUntil))}.`),
    ),
  )
})

test('a new secret key needs a role with keys and a fresh second factor', async () => {
  const shop = await aShop()
  const body = { overlapHours: 0 }
  for (const role of ['admin', 'developer', 'finance', 'support', 'viewer'] as const) {
    const person = await aTeamMember(shop, role, FRESH)
    assert.equal((await person.rejected(403, contract.rotateKey, { body })).code, 'ROLE_NOT_ALLOWED')
  }
  const stale = await aTeamMember(shop, 'owner', { secondFactor: 'shown' })
  assert.equal((await stale.rejected(403, contract.rotateKey, { body })).code, 'SECOND_FACTOR_NOT_FRESH')
  const finance = await aTeamMember(shop, 'finance', FRESH)
  await finance.rejected(403, contract.getKeys, {})
  assert.equal((await (await aTeamMember(shop, 'developer', FRESH)).call(contract.getKeys, {})).secretKeys.length, 1)
})
