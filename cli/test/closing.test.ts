import assert from 'node:assert/strict'
import * as contract from '@kobo/contract'
import { BALANCES } from '../../gateway/src/core/money/ledger/index.ts'
import { assertBooks } from '../../gateway/test/harness/checked-books.ts'
import { anActiveMandate, daysAfter } from '../../gateway/test/harness/mandate-samples.ts'
import { codeOf } from '../../gateway/test/harness/operator-samples.ts'
import {
  anAccount,
  aTransfer,
  CARDS,
  charge,
  openTransaction,
  pay,
  reserveAccount,
} from '../../gateway/test/harness/samples.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { until } from '../../gateway/test/harness/until.ts'
import { aGateway, operatorAt } from './commands.ts'

slow(
  'closing a merchant ends all that it has open, and two operators pay out its wallet at the command line',
  async (t) => {
    const { shop, env, prints, misused } = await aGateway(t)
    const { db, merchantId } = shop
    const bystander = await shop.anotherMerchant()
    const code = await codeOf(shop)
    const close = ['merchant', 'close', '--merchant', code, '--reason', 'they left'] as const
    await charge(shop, await openTransaction(shop, { amount: 1_000 }), CARDS.success)
    await misused([/still has ₦\d+\.?\d* in payable/, ...close])
    await shop.advance(5 * 86_400)

    const [reserved, account] = [await reserveAccount(shop), await anAccount(shop, { amount: 1_000 })]
    await anActiveMandate(shop)
    const expiryDate = daysAfter(shop.core.clock.now(), 5)
    const cash = { beneficiaryName: 'Bola Ige', amount: 5_000, paycodeReference: 'cash-1', expiryDate }
    await shop.call(contract.createPaycode, { body: { ...cash, clientId: shop.credentials.apiKey } })
    const transfer = await aTransfer(shop, { amount: 700 })
    assert.equal((await shop.call(contract.initiateTransfer, { body: transfer })).status, 'PENDING_AUTHORIZATION')
    const open = async () => {
      const [row] = await db<Record<string, string | number>[]>`
      select (select count(*)::integer from vault.card_on_file where merchant_id = ${merchantId}) as cards,
             (select count(*)::integer from virtual_account
               where merchant_id = ${merchantId} and purpose <> 'wallet' and (closes_at is null or closes_at > ${shop.core.clock.now()})) as numbers,
             (select status from transaction where merchant_id = ${merchantId} order by id desc limit 1) as payment,
             (select status from mandate where merchant_id = ${merchantId}) as mandate,
             (select status from paycode where merchant_id = ${merchantId}) as paycode,
             (select status from transfer where merchant_id = ${merchantId}) as transfer`
      return Object.values(row ?? {})
    }
    assert.deepEqual(await open(), [1, 3, 'PENDING', 'ACTIVE', 'PENDING', 'PENDING_AUTHORIZATION'])

    assert.deepEqual(await prints(...close), { merchant: code, standing: 'CLOSED' })
    const ended = ['EXPIRED', 'CANCELLED', 'EXPIRED', 'EXPIRED']
    await until('all of it has ended', async () => (await open()).join() === [0, 0, ...ended].join())
    for (const to of [reserved, account])
      assert.equal((await pay(bystander, to, 1_000, { senderAccountNumber: '0123452190' })).reason, 'ACCOUNT_INACTIVE')

    const left = async () => {
      const rows = await db<{ code: string; balance: bigint }[]>`
      select code, balance from ${BALANCES} account
       where merchant_id = ${merchantId} and balance <> 0 and (code like 'wallet/%' or code like 'in-flight/%')`
      return rows.map((row) => [row.code, row.balance])
    }
    const [[wallet, amount] = []] = await left()
    assert.equal(wallet, `wallet/${shop.credentials.walletAccountNumber}`)
    const payOut = (by: string): [string, ...string[]] => [
      'merchant',
      ...['pay-out', '--merchant', code, '--bank', '058', '--account', '0123456789', '--name', 'ADA OBI'],
      ...['--reason', 'they left', '--by', by],
    ]
    await misused([/There are no operators yet/, ...payOut('Ada')])
    const [ada, ben] = [await operatorAt(shop, env), await operatorAt(shop, env)]
    await ada.misused([/must be the email address of an operator/, ...payOut(ben.email)])
    assert.equal((await ada.prints(...payOut(ada.email))).status, 'WAITING')
    await ada.misused([/Another operator must approve this change/, ...payOut(ada.email)])
    const { id, status } = await ben.prints(...payOut(ben.email))
    assert.equal(status, 'APPLIED')
    const paid = () => db<{ status: string; amount: bigint; fee: bigint }[]>`
    select status, amount, fee from transfer where merchant_id = ${merchantId} and reference = ${`final-payout-${id}`}`
    await until('it has arrived', async () => (await paid())[0]?.status === 'SUCCESS')
    assert.deepEqual({ ...(await paid())[0] }, { status: 'SUCCESS', amount, fee: 0n })
    await ada.misused([/is empty or does not exist/, ...payOut(ada.email)])
    const acts = await db<{ act: string; actor: string }[]>`
    select act, actor from audit where act in ('change.request', 'merchant.pay-out') order by id`
    assert.deepEqual(
      acts.map(({ act, actor }) => [act, actor]),
      [
        ['change.request', `person/${ada.operator.personId}`],
        ['merchant.pay-out', `person/${ben.operator.personId}`],
      ],
    )
    await assertBooks(shop.databaseUrl)
  },
)
