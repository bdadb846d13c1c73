import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import * as contract from '@kobo/contract'
import { HEADER } from '../../gateway/src/core/bank-list/index.ts'
import { ownFolder } from '../../gateway/test/harness/clear-up.ts'
import { type Client, gateway } from '../../gateway/test/harness/gateway.ts'
import { aMandate } from '../../gateway/test/harness/mandate-samples.ts'
import { kobo } from '../../gateway/test/harness/processes.ts'
import { anInvoice, aReservedAccount, openTransaction } from '../../gateway/test/harness/samples.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { until } from '../../gateway/test/harness/until.ts'
import { aGateway, commandsWith, settings } from './commands.ts'

/** Starts a live gateway without sources of account numbers. */
async function liveWithoutSources(t: TestContext) {
  const env = { KOBO_ENVIRONMENT: 'live' }
  const shop = await gateway(t, { env, hasNoSources: true })
  const merchant = await shop.anotherMerchant(['reservedAccounts', 'directDebit', 'wallets'])
  return { shop, merchant, ...commandsWith(settings(shop.databaseUrl, env)) }
}

const WALLET = {
  walletReference: 'wallet-1',
  walletName: 'Savings',
  customerName: 'Ada Obi',
  customerEmail: 'ada@example.com',
  bvnDetails: { bvn: '22222222226', bvnDateOfBirth: '1994-09-07' },
}

/** Creates a transaction and returns its account, or undefined if it is rejected. */
async function accountOf(merchant: Client) {
  const transactionReference = await openTransaction(merchant)
  const { status, text } = await merchant.send('POST', contract.initBankTransfer.path, {
    body: { transactionReference },
  })
  return status === 200 ? (JSON.parse(text).responseBody as { bankCode: string; accountNumber: string }) : undefined
}

slow('in live mode without a source of account numbers, no account is opened and the error says why', async (t) => {
  const { shop, merchant } = await liveWithoutSources(t)
  const transactionReference = await openTransaction(merchant)
  const now = shop.core.clock.now()
  const dated = { ...shop, ...merchant }
  const refusals = await Promise.all([
    merchant.rejected(503, contract.initBankTransfer, { body: { transactionReference } }),
    merchant.rejected(503, contract.initBankTransfer, { body: { transactionReference, bankCode: '035' } }),
    merchant.rejected(503, contract.initUssd, { body: { transactionReference, bankUssdCode: '737' } }),
    merchant.rejected(503, contract.createInvoice, { body: anInvoice(merchant, now) }),
    merchant.rejected(503, contract.reserveAccount, { body: aReservedAccount(merchant) }),
    merchant.rejected(503, contract.createMandate, { body: aMandate(dated) }),
    merchant.rejected(503, contract.createWallet, { body: WALLET }),
  ])
  for (const { code, message } of refusals) {
    assert.equal(code, 'NO_ACCOUNT_NUMBERS')
    assert.equal(message, 'No bank that issues account numbers is connected')
  }
  assert.equal((await shop.db`select from virtual_account`).count, 0, 'no bank’s number was given to anybody')
  assert.equal((await shop.db`select from reserved_account`).count, 0)
})

slow(
  'a bank that was added to the list can issue account numbers; another one is rejected with the remedy',
  async (t) => {
    const { merchant, prints, misused, env } = await liveWithoutSources(t)
    const add = ['accounts', 'sources', 'add', 'zuma', '--partner', 'zuma', '--bank', '090999', '--prefix', '9941']
    await misused([/090999 is not. Add it with \.\/kobo banks import/, ...add])
    const file = join(ownFolder('banks'), 'banks.csv')
    writeFileSync(file, `${HEADER}\n090999,Zuma Bank,,,090999,yes,no,yes\n`)
    await prints('banks', 'import', file)
    // In a separate process, which knows no bank list before it opens the database.
    const { code, stdout, stderr } = await kobo(t, env, ...add)
    assert.equal(code, 0, stderr)
    assert.equal(JSON.parse(stdout).bankName, 'Zuma Bank')
    await until('accounts are opened', async () => (await accountOf(merchant))?.bankCode === '090999')
  },
)

slow('adding and disabling a prefix takes effect on every node at once', async (t) => {
  const { shop, merchant, prints } = await liveWithoutSources(t)
  const added = await prints(
    ...['accounts', 'sources', 'add', 'wema', '--partner', 'wema', '--bank', '035', '--prefix', '9941'],
    ...['--rest-days', '30', '--settlement-account', '0123456789', '--wallets'],
  )
  assert.deepEqual(
    { ...added, createdAt: null },
    {
      code: 'wema',
      partner: 'wema',
      bankCode: '035',
      bankName: 'Wema bank',
      kind: 'prefix',
      prefix: '9941',
      checkDigit: 'nuban',
      restDays: 30,
      forWallets: true,
      settlementAccount: '0123456789',
      createdAt: null,
      disabledAt: null,
    },
  )
  await until('accounts are opened', async () => (await accountOf(merchant)) !== undefined)
  const account = await accountOf(merchant)
  assert.match(account?.accountNumber ?? '', /^9941\d{6}$/)
  const later = await shop.anotherMerchant()
  assert.match(later.credentials.walletAccountNumber, /^9941/, 'wallets have their numbers there from now on')
  const [listed] = await prints('accounts', 'sources', 'list')
  assert.deepEqual([listed.numbers, listed.rested], [100_000, 0])
  assert.ok(listed.used >= 3, String(listed.used))
  const { text } = await shop.send('GET', '/metrics')
  assert.ok(text.includes(`kobo_account_numbers_left{source="wema"} ${100_000 - listed.used}\n`), 'and it is measured')
  assert.ok(text.includes('kobo_account_numbers{source="wema"} 100000\n'))

  await prints('accounts', 'sources', 'disable', 'wema')
  await until('none is opened any more', async () => (await accountOf(merchant)) === undefined)
  await prints('accounts', 'sources', 'enable', 'wema')
  await until('accounts are opened again', async () => (await accountOf(merchant)) !== undefined)
  const acts = await shop.db<{ act: string; actor: string; reference: string }[]>`
    select act, actor, reference from audit where merchant_id = 0 and act like 'account-source.%' order by id`
  assert.deepEqual(
    acts.map(({ act, actor, reference }) => [act, actor, reference]),
    ['add', 'disable', 'enable'].map((word) => [`account-source.${word}`, 'command line', 'wema']),
  )
})

test('without assigned numbers a merchant has a wallet that cannot be paid into', async (t) => {
  const { shop, merchant } = await liveWithoutSources(t)
  assert.match(merchant.credentials.walletAccountNumber, /^\d{10}$/)
  assert.equal((await shop.db`select from merchant where wallet_bank_code is null`).count, 2)
})

test('an invalid source is rejected with the field’s name, and nothing changes', async (t) => {
  const { prints, misused } = await aGateway(t)
  const before = await prints('accounts', 'sources', 'list')
  assert.deepEqual(
    before.map(({ code }: { code: string }) => code),
    ['wema', 'sterling', 'moniepoint'],
    'a sandbox has its own',
  )
  const add = ['accounts', 'sources', 'add', 'new', '--partner', 'bank', '--bank', '101'] as const
  const other = ['accounts', 'sources', 'add'] as const
  await misused(
    [/^Specify one source/, ...other, '--partner', 'bank', '--bank', '101', '--issued'],
    [/^Specify one source/, ...other, 'New', '--partner', 'bank', '--bank', '101', '--issued'],
    [/^--partner must be/, ...other, 'new', '--bank', '101', '--issued'],
    [/^--bank must be/, ...other, 'new', '--partner', 'bank', '--bank', '000', '--issued'],
    [/^Specify either --prefix or --issued/, ...add],
    [/^Specify either --prefix or --issued/, ...add, '--prefix', '1', '--issued'],
    [/^--prefix must be 1 to 8 digits/, ...add, '--prefix', ''],
    [/^--prefix must be 1 to 8 digits/, ...add, '--prefix', '123456789'],
    [/^--check-digit must be nuban or none/, ...add, '--prefix', '1', '--check-digit', 'luhn'],
    [/^--rest-days must be/, ...add, '--prefix', '1', '--rest-days', 'x'],
    [/^--rest-days can only be used with --prefix/, ...add, '--issued', '--rest-days', '1'],
    [/^--settlement-account must have 10 digits/, ...add, '--issued', '--settlement-account', '1'],
    [/^A source wema already exists/, ...other, 'wema', '--partner', 'bank', '--bank', '101', '--issued'],
    [/^Numbers of wema begin with the same/, ...other, 'new', '--partner', 'bank', '--bank', '035', '--prefix', '12'],
    [/^Wallets have their numbers at moniepoint/, ...add, '--prefix', '1', '--wallets'],
    [/^There is no source new/, 'accounts', 'sources', 'disable', 'new'],
    [/^wema is in use/, 'accounts', 'sources', 'enable', 'wema'],
  )
  const unused = (list: { used?: number }[]) => list.map(({ used: _, ...source }) => source)
  assert.deepEqual(unused(await prints('accounts', 'sources', 'list')), unused(before))
})
