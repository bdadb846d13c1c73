import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { dayText, lagosDay, lagosMoment } from '../../../src/kernel/dates.ts'
import { kobo } from '../../../src/kernel/money.ts'
import { ownFolder } from '../../harness/clear-up.ts'
import type { TestGateway } from '../../harness/gateway.ts'
import { anAccount } from '../../harness/samples.ts'
import { commandsFor, gatewayOf, reportCreditFrom, testBank } from '../../harness/test-banks.ts'

/** Advances the clock to an hour after the end of the day. */
const endDay = (shop: TestGateway, day: number): Promise<void> =>
  shop.advance(Math.ceil((lagosMoment(day + 1, 61).getTime() - shop.core.clock.now().getTime()) / 1_000))

test('statements in a folder are imported, days without exceptions closed, and fees compared with the prices', async (t) => {
  const shop = await gatewayOf(t, ['wema', 'providus'])
  const { run, prints } = commandsFor(shop)
  await endDay(shop, lagosDay(shop.core.clock.now()))
  const today = lagosDay(shop.core.clock.now())
  const since = ['--from', dayText(today), '--opening', '0']
  for (const partner of ['wema', 'providus']) await prints('statement', 'account', partner, ...since)
  const prices = ['--flat', '50', '--vat', '7.5', '--from', dayText(today)]
  await prints('reconcile', 'price', 'set', 'wema', 'bank-transfer', ...prices)
  const { accountNumber, bankCode } = await anAccount(shop, { amount: 5_000 })
  const credit = { railReference: 'SESSION-1', bankCode, accountNumber, amount: 500_000, fee: 6_000, vat: 450 }
  assert.deepEqual(await reportCreditFrom(shop, 'wema', credit), { kind: 'accepted' })
  const bank = testBank('0123456789', shop)
  bank.addLine({ amount: kobo(500_000n), bankReference: 'SESSION-1' })
  bank.addLine({ amount: kobo(-6_450n), bankReference: 'FEE-1', reference: 'SESSION-1', isFee: true })

  const folder = ownFolder('statements')
  for (const partner of ['wema', 'providus']) mkdirSync(join(folder, partner))
  copyFileSync(bank.write(today), join(folder, 'wema', 'today.xml'))
  writeFileSync(join(folder, 'wema', 'tomorrow.csv.part'), 'half')
  writeFileSync(join(folder, 'providus', 'broken.csv'), 'no,such\ncolumns,here\n')
  const filesIn = (...path: readonly string[]): readonly string[] => readdirSync(join(folder, ...path)).sort()
  await endDay(shop, today)
  const [, early] = await prints('statement', 'collect', folder, '--still', '3600')
  assert.deepEqual([early.files, early.waiting], [[], ['today.xml', 'tomorrow.csv.part']])
  const { code, stdout } = await run('statement', 'collect', folder, '--close', '--still', '0')
  const [providus, wema] = JSON.parse(stdout).sort((a: { partner: string }, b: { partner: string }) =>
    a.partner < b.partner ? -1 : 1,
  )
  assert.equal(code, 1, 'a file was rejected')
  assert.deepEqual(
    [wema.files[0].name, wema.files[0].newLines, wema.files[0].exceptions, wema.closed, wema.wrongFees],
    ['today.xml', 2, 0, [dayText(today)], 1],
  )
  assert.deepEqual([wema.files[0].firstDay, wema.files[0].lastDay], [dayText(today), dayText(today)])
  assert.deepEqual([providus.files[0].name, providus.closed], ['broken.csv', []])
  assert.ok(providus.files[0].rejected.length > 0)
  assert.deepEqual([filesIn('wema'), wema.waiting], [['imported', 'tomorrow.csv.part'], ['tomorrow.csv.part']])
  assert.deepEqual([filesIn('wema', 'imported'), filesIn('providus', 'rejected')], [['today.xml'], ['broken.csv']])
  assert.deepEqual((await run('statement', 'collect', folder, '--still', '0')).code, 0, 'nothing is left to do')
  mkdirSync(join(folder, 'wemma'))
  const misspelt = await run('statement', 'collect', folder, '--still', '0')
  assert.equal(misspelt.code, 1)
  assert.match(misspelt.stderr, /wemma is left alone: no partner wemma has an account/)
  // A folder that the command may not write to does not hold up the partners after it.
  for (const name of ['providus/rejected', 'wemma']) rmSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, 'providus', 'rejected'), 'no folder')
  writeFileSync(join(folder, 'providus', 'again.csv'), 'no,such\ncolumns,here\n')
  writeFileSync(join(folder, 'wema', 'again.csv'), 'no,such\ncolumns,here\n')
  const stuck = await run('statement', 'collect', folder, '--close', '--still', '0')
  assert.equal(stuck.code, 1)
  const [first, second] = JSON.parse(stuck.stdout)
  assert.deepEqual([first.partner, first.files[0].name, second.files[0].name], ['providus', 'again.csv', 'again.csv'])
  assert.match(first.failed, /providus.rejected/)
  assert.equal(second.failed, undefined)
})
