import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { dayText, lagosDay, lagosMoment } from '../../../src/kernel/dates.ts'
import { kobo } from '../../../src/kernel/money.ts'
import type { TestGateway } from '../../harness/gateway.ts'
import { anAccount } from '../../harness/samples.ts'
import { commandsFor, gatewayOf, reportCreditFrom, testBank } from '../../harness/test-banks.ts'
import { anOperator } from '../../harness/users.ts'

/** Advances the clock to an hour after the end of the day. */
const endDay = (shop: TestGateway, day: number): Promise<void> =>
  shop.advance(Math.ceil((lagosMoment(day + 1, 61).getTime() - shop.core.clock.now().getTime()) / 1_000))

/** A statement as the dashboard uploads it. */
const upload = (file: string, partner = 'wema') => ({
  params: { partner },
  body: { name: basename(file), content: readFileSync(file).toString('base64') },
})

test('operators upload statements and close days in the dashboard, by the rules of the command line', async (t) => {
  const shop = await gatewayOf(t, ['wema'])
  const { prints } = commandsFor(shop)
  await endDay(shop, lagosDay(shop.core.clock.now()))
  const today = lagosDay(shop.core.clock.now())
  await prints('statement', 'account', 'wema', '--number', '0123456789', '--from', dayText(today), '--opening', '0')
  const bank = testBank('0123456789', shop)
  for (const [name, naira] of [['SESSION-1', 5_000] as const, ['SESSION-LATE', 700] as const]) {
    const { accountNumber, bankCode } = await anAccount(shop, { amount: naira })
    await reportCreditFrom(shop, 'wema', { railReference: name, bankCode, accountNumber, amount: naira * 100 })
  }
  bank.addLine({ amount: kobo(500_000n), bankReference: 'SESSION-1' })
  bank.addLine({ amount: kobo(-10_000n), bankReference: 'SMS', isFee: true })
  const file = bank.write(today)

  const [one, two] = [await anOperator(shop, 'operator'), await anOperator(shop, 'operator')]
  const auditor = await anOperator(shop, 'auditor')
  const late = await anOperator(shop, 'operator', { secondFactor: 'shown' })
  const stateOf = async () => (await auditor.call(contract.listExceptions, {})).partners[0]
  const close = { params: { partner: 'wema' }, body: { through: dayText(today) } }
  for (const [route, input] of [
    [contract.importStatement, upload(file)],
    [contract.closeDay, close],
  ] as const) {
    await auditor.rejected(403, route, input)
    await late.rejected(403, route, input)
    assert.match((await one.rejected(404, route, { ...input, params: { partner: 'zenith' } })).message, /zenith/)
  }
  const content = Buffer.from('no,such\ncolumns,here\n').toString('base64')
  const unreadable = { params: { partner: 'wema' }, body: { name: 'broken.csv', content } }
  assert.equal((await one.rejected(422, contract.importStatement, unreadable)).code, 'STATEMENT_NOT_IMPORTED')
  const tooLarge = 'A'.repeat(Math.ceil(contract.STATEMENT_UPLOAD_BYTES_MAX / 3) * 4 + 4)
  const large = { params: { partner: 'wema' }, body: { name: 'large.csv', content: tooLarge } }
  assert.match((await one.rejected(400, contract.importStatement, large)).message, /content must have at most/)

  assert.deepEqual(await one.call(contract.importStatement, upload(file)), {
    ...{ isKnown: false, lines: 2, newLines: 2, tooEarly: 0, matched: 1, exceptions: 2 },
    ...{ firstDay: dayText(today), lastDay: dayText(today) },
  })
  const again = await two.call(contract.importStatement, upload(file))
  assert.deepEqual([again.isKnown, again.newLines, again.exceptions], [true, 0, 2])

  assert.equal((await stateOf())?.next, null, 'the day is not over')
  assert.match((await one.rejected(422, contract.closeDay, close)).message, /an hour after its end/)
  await endDay(shop, today)
  const problem = '2 exceptions are neither decided nor explained'
  assert.deepEqual((await stateOf())?.next, { day: dayText(today), problem })
  assert.ok((await one.rejected(422, contract.closeDay, close)).message.includes(problem))

  const { exceptions } = await one.call(contract.listExceptions, {})
  const idOf = (reason: string): string => exceptions.find((item) => item.reason === reason)?.id ?? assert.fail(reason)
  const explained = { params: { id: idOf('MISSING_LINE') }, body: { because: 'the bank books it tomorrow' } }
  await auditor.rejected(403, contract.explainException, explained)
  assert.deepEqual(await one.call(contract.explainException, explained), { state: 'EXPLAINED' })
  const cost = { params: { id: idOf('UNBOOKED_FEE') }, body: { as: 'cost' as const, because: 'their price list' } }
  assert.deepEqual(await one.call(contract.decideException, cost), { state: 'PROPOSED' })
  await one.rejected(422, contract.closeDay, close)
  assert.deepEqual(await two.call(contract.decideException, cost), { state: 'CARRIED_OUT' })
  // The entry of the fee belongs to the next day, so the day lists it as explained.
  assert.deepEqual((await stateOf())?.next, { day: dayText(today), problem: null })

  const { days } = await one.call(contract.closeDay, close)
  assert.deepEqual(
    days.map(({ day, bank: had, books, explained: differences, lines, closedBy }) => [
      ...[day, had, books, differences, lines, closedBy],
    ]),
    [[dayText(today), 4_900, 5_700, 2, 2, one.email]],
  )
  assert.match((await one.rejected(422, contract.closeDay, close)).message, /already closed/)
  const history = await auditor.call(contract.getReconciledPartner, { params: { partner: 'wema' } })
  assert.deepEqual(history.days, days)
  assert.deepEqual(
    history.files.map(({ name, lines, newLines }) => [name, lines, newLines]),
    [[basename(file), 2, 2]],
  )
  assert.equal((await stateOf())?.closedThrough, dayText(today))

  bank.addLine({ day: today, amount: kobo(1n), bankReference: 'AFTERWARDS' })
  const changed = upload(bank.write(today))
  assert.match((await one.rejected(422, contract.importStatement, changed)).message, /that day is closed/)
  const audited = await shop.db<{ act: string; name: string }[]>`
    select act, name from audit where act in ('statement.import', 'reconciliation.close', 'reconciliation.explain')
     order by id`
  assert.deepEqual(
    audited.map(({ act, name }) => [act, name]),
    [
      ['statement.import', one.email],
      ['reconciliation.explain', one.email],
      ['reconciliation.close', one.email],
    ],
  )
})
