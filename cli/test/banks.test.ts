import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { ownFolder } from '../../gateway/test/harness/clear-up.ts'
import { aMandate } from '../../gateway/test/harness/mandate-samples.ts'
import { openTransaction } from '../../gateway/test/harness/samples.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { until } from '../../gateway/test/harness/until.ts'
import { aGateway } from './commands.ts'

const HEADER = 'code,name,baseUssdCode,ussdTemplate,nipBankCode,transfers,directDebit,offered'

slow('disabling, renaming and importing banks takes effect in the API at once and is audited', async (t) => {
  const { shop, prints } = await aGateway(t)
  const names = async () => new Map((await shop.call(contract.listBanks, {})).map(({ code, name }) => [code, name]))
  const validate = (bankCode: string) =>
    shop.send('GET', `${contract.validateAccount.path}?accountNumber=0123456789&bankCode=${bankCode}`)
  const transactionReference = await openTransaction(shop)
  const { bankName } = await shop.call(contract.initBankTransfer, { body: { transactionReference, bankCode: '035' } })
  assert.equal(bankName, 'Wema bank')

  const first = await names()
  assert.deepEqual(
    ['030', '305', '100033', '50211', '50515'].map((code) => first.get(code)),
    [undefined, 'OPay', 'PalmPay', 'Kuda Microfinance Bank', 'Moniepoint Microfinance Bank'],
  )
  assert.equal((await validate('030')).status, 400, 'a bank that is no longer there is not offered')
  assert.equal((await validate('035')).status, 200)

  await prints('banks', 'disable', '035')
  await until('it is not listed', async () => !(await names()).has('035'))
  assert.equal((await validate('035')).status, 400)
  await shop.rejected(422, contract.initBankTransfer, { body: { transactionReference, bankCode: '035' } })
  const again = await shop.call(contract.initBankTransfer, { body: { transactionReference } })
  assert.deepEqual(
    [again.bankCode, again.bankName],
    ['035', 'Wema bank'],
    'an account opened there keeps its bank name',
  )

  await prints('banks', 'enable', '035')
  await prints('banks', 'rename', '035', 'Wema Bank Plc')
  await until('it has the new name', async () => (await names()).get('035') === 'Wema Bank Plc')

  const file = join(ownFolder('banks'), 'banks.csv')
  const lines = [
    '090998,Ikoyi Microfinance Bank,,,090998,yes,no,yes',
    '057,Zenith bank,*966#,*966*Amount*AccountNumber#,000015,no,yes,yes',
    '044,Access bank,*901#,*901*Amount*AccountNumber#,000014,yes,yes,yes',
  ]
  writeFileSync(file, `${[HEADER, ...lines].join('\n')}\n`)
  assert.deepEqual(await prints('banks', 'import', file), { added: 1, changed: 1, unchanged: 1 })
  await until('it is listed', async () => (await names()).has('090998'))
  assert.deepEqual(
    [(await validate('090998')).status, (await validate('057')).status],
    [200, 400],
    'money goes to banks that take it alone',
  )
  const mandate = { ...aMandate(shop), customerAccountBankCode: '090998' }
  await shop.rejected(400, contract.createMandate, { body: mandate })

  const reported = await shop.db<{ act: string; reference: string; details: { before: object; after: object } }[]>`
    select act, reference, details from audit where merchant_id = 0 and act like 'bank.%' order by id`
  assert.deepEqual(
    reported.map(({ act, reference }) => [act, reference]),
    [
      ['bank.disable', '035'],
      ['bank.enable', '035'],
      ['bank.rename', '035'],
      ['bank.add', '090998'],
      ['bank.change', '057'],
    ],
  )
  assert.deepEqual(reported[2]?.details, { before: { name: 'Wema bank' }, after: { name: 'Wema Bank Plc' } })
  assert.deepEqual(reported[4]?.details, { before: { transfers: true }, after: { transfers: false } })
  const listed: { code: string; name: string; disabledAt: string | null }[] = await prints('banks', 'list')
  const heritage = listed.find(({ code }) => code === '030')
  assert.deepEqual([heritage?.name, typeof heritage?.disabledAt], ['Heritage bank', 'string'])
  assert.equal(listed.find(({ code }) => code === '035')?.name, 'Wema Bank Plc', 'a start changes nothing of it')
})

test('banks import rejects a file with an invalid line, names the line and imports nothing', async (t) => {
  const { prints, misused } = await aGateway(t)
  const before = await prints('banks', 'list')
  const folder = ownFolder('banks')
  const good = '090998,Ikoyi Microfinance Bank,,,090998,yes,yes,yes'
  const wrong: readonly (readonly [RegExp, string])[] = [
    [/Line 3: code/, '9,Nine,,,090997,yes,yes,yes'],
    [/Line 3: name/, '901, Nine,,,090997,yes,yes,yes'],
    [/Line 3: there must be 8 values/, '901,Nine,,,090997,yes,yes'],
    [/Line 3: nipBankCode/, '901,Nine,,,90111,yes,yes,yes'],
    [/Line 3: baseUssdCode/, '901,Nine,737,,090997,yes,yes,yes'],
    [/Line 3: ussdTemplate must/, '901,Nine,*999#,*999*Amount#,090997,yes,yes,yes'],
    [/Line 3: ussdTemplate needs/, '901,Nine,,*999*Amount*AccountNumber#,090997,yes,yes,yes'],
    [/Line 3: offered/, '901,Nine,,,090997,yes,yes,maybe'],
    [/090998 is listed twice/, good],
    [/058 and 901 have the same name/, '901,gtbank,,,090997,yes,yes,yes'],
    [/058 and 901 have the same nipBankCode/, '901,Nine,,,000013,yes,yes,yes'],
    [/058 and 901 have the same baseUssdCode/, '901,Nine,*737#,,090997,yes,yes,yes'],
  ]
  for (const [index, [reason, line]] of wrong.entries()) {
    const file = join(folder, `${index}.csv`)
    writeFileSync(file, [HEADER, good, line].join('\n'))
    await misused([reason, 'banks', 'import', file])
  }
  writeFileSync(join(folder, 'header.csv'), good)
  await misused(
    [/The first line must be code,name/, 'banks', 'import', join(folder, 'header.csv')],
    [/Cannot read/, 'banks', 'import', join(folder, 'none.csv')],
    [/There is no bank 999/, 'banks', 'disable', '999'],
    [/058 is already offered/, 'banks', 'enable', '058'],
    [/have the same name/, 'banks', 'rename', '058', 'OPay'],
    [/058 already has this name/, 'banks', 'rename', '058', 'GTBank'],
    [/name must have 1 to 60/, 'banks', 'rename', '058', 'a,b'],
    [/Specify the bank code/, 'banks', 'rename', '058'],
  )
  assert.deepEqual(await prints('banks', 'list'), before)
})
