import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { aGateway } from '../../../../cli/test/commands.ts'
import { basic } from '../../harness/gateway.ts'
import { anAccount, pay } from '../../harness/samples.ts'
import { until } from '../../harness/until.ts'

test('a token ends with the secret that it was issued for', async (t) => {
  const { shop, prints } = await aGateway(t)
  const [{ code }] = await prints('merchant', 'list')
  const banks = () => shop.send('GET', contract.listBanks.path)
  assert.equal((await banks()).status, 200)

  const { secretKey } = await prints('merchant', 'rotate-secret', '--merchant', code, '--overlap', '1')
  assert.equal((await banks()).status, 200)
  const again = await prints('merchant', 'rotate-secret', '--merchant', code, '--overlap', '0')
  await until('the revoked secret opens nothing', async () => (await banks()).status === 401)
  assert.equal((await banks()).headers.get(contract.REFUSAL_HEADER), 'EXPIRED_TOKEN')

  const login = (secret: string) =>
    shop.send('POST', contract.login.path, {
      headers: { authorization: basic({ apiKey: shop.credentials.apiKey, secretKey: secret }) },
    })
  assert.equal((await login(secretKey)).status, 401)
  assert.equal((await login(again.secretKey)).status, 200)
})

test('a suspended merchant can do nothing, its incoming money is posted, and it continues when resumed', async (t) => {
  const { shop, prints, misused } = await aGateway(t)
  const [{ code }] = await prints('merchant', 'list')
  const account = await anAccount(shop, { amount: 500 })
  const run = (word: string) => prints('merchant', word, '--merchant', code, '--reason', 'looked into')
  assert.deepEqual(await run('suspend'), { merchant: code, standing: 'SUSPENDED' })

  const login = () => shop.send('POST', contract.login.path, { headers: { authorization: basic(shop.credentials) } })
  await until('the suspension takes effect', async () => (await login()).status === 403)
  const rejected = await shop.send('GET', contract.listBanks.path)
  assert.deepEqual([rejected.status, rejected.headers.get(contract.REFUSAL_HEADER)], [403, 'MERCHANT_SUSPENDED'])
  await pay(shop, account, 500)
  await misused([/is already SUSPENDED/, 'merchant', 'suspend', '--merchant', code, '--reason', 'again'])
  await misused([
    /still has .*Close .* once it is in its wallets/,
    'merchant',
    'close',
    '--merchant',
    code,
    '--reason',
    'gone',
  ])

  await run('resume')
  await until('it may call again', async () => (await login()).status === 200)
  assert.equal((await shop.db`select from payment`).length, 1)
})

test('payouts of a suspended merchant wait and leave when it is resumed', async (t) => {
  const { shop, prints } = await aGateway(t)
  const [{ code }] = await prints('merchant', 'list')
  const bystander = await shop.anotherMerchant()
  const account = ['--bank', '058', '--account', '0123456789', '--account-name', 'Shop']
  await prints('merchant', 'settle', '--merchant', code, ...account)
  await pay(shop, await anAccount(shop, { amount: 500 }), 500)
  await prints('merchant', 'suspend', '--merchant', code, '--reason', 'looked into')
  const payouts = async () =>
    (await shop.db<{ state: string }[]>`select state from rail_order where purpose = 'settlement-payout'`).map(
      ({ state }) => state,
    )
  const pass = (seconds: number) => bystander.call(contract.advanceClock, { body: { seconds } })
  await pass(3 * 86_400)
  assert.deepEqual(await payouts(), ['WAITING'])
  await prints('merchant', 'resume', '--merchant', code, '--reason', 'all is well')
  await pass(3_600)
  await until('the payout is concluded', async () => (await payouts()).join() === 'CONCLUDED')
})
