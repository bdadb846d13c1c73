import assert from 'node:assert/strict'
import * as contract from '@kobo/contract'
import { deleteMembership } from '../../../src/core/sessions/index.ts'
import { unitOfWork } from '../../../src/core/unit-of-work.ts'
import { makeReport } from '../../../src/features/reports/service.ts'
import { dayText, displayDay, lagosDay, spaced } from '../../../src/kernel/dates.ts'
import { gateway } from '../../harness/gateway.ts'
import { mailServer } from '../../harness/mail-server.ts'
import { anAccount, pay } from '../../harness/samples.ts'
import { slow } from '../../harness/slow.ts'
import { until } from '../../harness/until.ts'
import { aTeamMember } from '../../harness/users.ts'

const DAY_SECONDS = 86_400

/** An email with its decoded text and attachment. */
function decoded(mail: string): string {
  const bytes = mail
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  const [, file = ''] = /transfer-encoding: base64[\s\S]*?\r?\n\r?\n([A-Za-z0-9+/=\r\n]+)/i.exec(mail) ?? []
  return Buffer.from(bytes, 'latin1').toString() + Buffer.from(file, 'base64').toString()
}

slow(
  'subscribers get an email each morning with the settlements of the day before, once, with a file; others do not',
  async (t) => {
    const server = await mailServer(t)
    const shop = await gateway(t, { env: { SMTP_URL: server.url } })
    const [finance, viewer, gone, owner] = [
      await aTeamMember(shop, 'finance'),
      await aTeamMember(shop, 'viewer'),
      await aTeamMember(shop, 'finance'),
      await aTeamMember(shop, 'owner'),
    ]
    assert.deepEqual(await finance.call(contract.getReports, {}), { dailySettlement: false })
    for (const person of [finance, finance, viewer, gone, owner])
      await person.call(contract.changeReports, { body: { dailySettlement: true } })
    assert.deepEqual(await finance.call(contract.getReports, {}), { dailySettlement: true })
    await owner.call(contract.changeReports, { body: { dailySettlement: false } })
    await unitOfWork(shop.core, ({ tx }) => deleteMembership(tx, shop.merchantId, gone.personId))
    await (await aTeamMember(shop, 'support')).rejected(403, contract.changeReports, {
      body: { dailySettlement: true },
    })
    await finance.rejected(400, contract.changeReports, { body: { dailySettlement: 'yes' } })

    const reports = (): readonly string[] => server.mails.filter((mail) => decoded(mail).includes('Settlements to '))
    await pay(shop, await anAccount(shop), 5_000)
    await pay(shop, await anAccount(shop, { amount: 2_000 }), 2_000)
    await shop.advance(3 * DAY_SECONDS)
    const [settled] = (await finance.call(contract.browseSettlements, { query: {} })).items
    assert.ok(settled !== undefined)
    await until('both are mailed', () => reports().length >= 2)
    assert.deepEqual(
      reports()
        .map((mail) => /^To: (.*)$/m.exec(mail)?.[1]?.trim())
        .toSorted(),
      [finance.email, viewer.email].toSorted(),
    )
    const naira = (amount: number): string => `₦${amount.toLocaleString('en', { minimumFractionDigits: 2 })}`
    const text = decoded(reports()[0] ?? '')
    const date = dayText(lagosDay(new Date(settled.createdOn)))
    for (const part of [
      `Gross  ${naira(settled.gross)}`,
      `Fee    ${naira(settled.fee)}`,
      `Net    ${naira(settled.net)}`,
      settled.settlementReference,
      `/dashboard/settlements?from=${date}&to=${date}`,
      '"Settlement reference","Settled (WAT)","Status","Gross","Fee","Net"',
      `"${settled.settlementReference}","${spaced(new Date(settled.createdOn))}","COMPLETED"`,
      ` on ${displayDay(new Date(settled.createdOn))} (Lagos time):`,
      ' to the wallet, completed',
      `,"${settled.gross.toFixed(2)}","${settled.fee.toFixed(2)}","${settled.net.toFixed(2)}","2",`,
    ])
      assert.ok(text.includes(part), `${part} is not in\n${text}`)

    // Several nodes make the same report at once, or one makes it late.
    const day = lagosDay(new Date(settled.createdOn))
    const again = { merchantId: shop.merchantId, day }
    await shop.db`delete from settlement_report where merchant_id = ${shop.merchantId} and day = ${day}`
    await Promise.all([1, 2, 3].map(() => makeReport(shop.core, shop.url, again)))
    const [count] = await shop.db<{ count: number }[]>`select count(*)::int as count from notice`
    await until('it is mailed once more', () => reports().length + (count?.count ?? 0) >= 4)
    await shop.advance(3 * DAY_SECONDS)
    assert.equal(
      reports().length,
      4,
      'each got it once for each time that the day was taken, and none for days without one',
    )
  },
)
