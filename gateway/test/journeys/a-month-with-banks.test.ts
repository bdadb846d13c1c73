import assert from 'node:assert/strict'
import * as contract from '@kobo/contract'
import { verifyLedger } from '../../src/app/ledger.ts'
import { isClean } from '../../src/core/money/ledger/index.ts'
import { heldByPartner } from '../../src/features/reconciliation/index.ts'
import { dayText, lagosDay, lagosMoment } from '../../src/kernel/dates.ts'
import { kobo } from '../../src/kernel/money.ts'
import type { TestGateway } from '../harness/gateway.ts'
import { anAccount } from '../harness/samples.ts'
import { slow } from '../harness/slow.ts'
import { commandsFor, gatewayOf, reportCreditFrom, testBank } from '../harness/test-banks.ts'

const DAYS = 30
const PAYMENTS_A_DAY = 3
const PARTNERS = ['wema', 'providus', 'psb'] as const
type Partner = (typeof PARTNERS)[number]
/** Days between statements: one bank daily, one weekly, one too late. */
const STATEMENT_DAYS: Readonly<Record<Partner, number>> = { wema: 1, providus: 7, psb: DAYS }
const FORMATS = { wema: 'mt940', providus: 'camt', psb: 'csv' } as const
const FEE = { fee: 5_000, vat: 375 }
const FEE_TOTAL = 5_375n

type Bank = ReturnType<typeof testBank>

/** A payment into the wallet: the bank has it, and notifies in its own way. */
async function arrives(shop: TestGateway, bank: Bank, partner: Partner, n: number): Promise<void> {
  const railReference = `NIP${partner.toUpperCase()}${String(n).padStart(5, '0')}`
  const amount = 100_000 + n
  const account = { bankCode: '50515', accountNumber: shop.credentials.walletAccountNumber }
  const notify = (reference: string) =>
    reportCreditFrom(shop, partner, {
      ...account,
      railReference: reference,
      amount,
      ...(partner === 'wema' ? {} : FEE),
    })
  const isMissed = n === 40 || n === 125
  if (!isMissed) {
    assert.deepEqual(await notify(railReference), { kind: 'accepted' })
    assert.deepEqual(await notify(railReference), { kind: 'accepted' }, 'a repeated notification is a duplicate')
  }
  // A notification is repeated under another reference.
  if (n === 77) await notify(`${railReference}-AGAIN`)
  // Wema charges no fee. Providus books its fee as a separate line, once too much. 9PSB deducts it from the amount.
  const fee = partner === 'wema' ? 0n : FEE_TOTAL
  const isNet = partner === 'psb'
  bank.addLine({ amount: kobo(BigInt(amount) - (isNet ? fee : 0n)), bankReference: railReference, narration: 'NIP' })
  if (partner === 'providus')
    bank.addLine({ amount: kobo(n === 101 ? -(fee + 1_000n) : -fee), reference: railReference, isFee: true })
}

/** A payment that its payer disputes: the merchant accepts, and the bank takes it. */
async function disputed(shop: TestGateway, bank: Bank, type: 'CHARGEBACK' | 'RECALL'): Promise<void> {
  const { accountNumber, bankCode, transactionReference } = await anAccount(shop, { amount: 1_111 })
  await reportCreditFrom(shop, 'wema', { railReference: `NIP${type}1`, bankCode, accountNumber, amount: 111_100 })
  bank.addLine({ amount: kobo(111_100n), bankReference: `NIP${type}1` })
  const { disputeReference } = await shop.call(contract.openSandboxDispute, {
    body: { transactionReference, disputeType: type },
  })
  await shop.call(contract.acceptDispute, { params: { disputeReference } })
  bank.addLine({ amount: kobo(-111_100n), narration: `${type} ${disputeReference}` })
}

interface Exception {
  readonly id: string
  readonly partner: Partner
  readonly reason: string
  readonly state: string
}

slow(
  'a month of three faulty partners ends with every day closed and the banks’ balances equal to ours, to the kobo',
  async (t) => {
    const shop = await gatewayOf(t, PARTNERS, { env: { KOBO_RATE_LIMIT: '100000' }, hasCheckedBooks: true })
    const { prints } = commandsFor(shop)
    const nextDay = (): Promise<void> => {
      const now = shop.core.clock.now()
      return shop.advance(Math.ceil((lagosMoment(lagosDay(now) + 1, 70).getTime() - now.getTime()) / 1_000))
    }
    await nextDay()
    const first = lagosDay(shop.core.clock.now())
    const banks = Object.fromEntries(PARTNERS.map((one, n) => [one, testBank(`010000000${n}`, shop)])) as Record<
      Partner,
      Bank
    >
    for (const [n, one] of PARTNERS.entries())
      await prints(
        'statement',
        'account',
        one,
        '--number',
        `010000000${n}`,
        '--from',
        dayText(first),
        '--opening',
        '0',
        ...(one === 'psb' ? ['--mapping', banks.psb.mapping()] : []),
      )

    const decide = async ({ id }: Exception, ...expected: readonly string[]): Promise<void> => {
      for (const by of ['Ada', 'Bayo'])
        await prints('reconcile', 'decide', id, '--by', by, '--because', 'seen', ...expected)
    }
    const seen: string[] = []
    /** The finance team's decisions on what does not match. */
    const decideAll = async (partner: Partner): Promise<void> => {
      for (const one of (await prints('reconcile', 'exceptions', partner)) as Exception[]) {
        if (one.state !== 'OPEN') continue
        seen.push(`${partner} ${one.reason}`)
        if (one.reason === 'MISSING_NOTICE')
          await decide(one, '--as', 'credit', '--bank', '50515', '--account', shop.credentials.walletAccountNumber)
        else await decide(one, '--as', one.reason === 'UNKNOWN_DEBIT' ? 'own' : 'cost')
      }
    }
    let n = 0
    for (let day = first; day < first + DAYS; day++) {
      for (let some = 0; some < PAYMENTS_A_DAY; some++)
        for (const partner of PARTNERS) await arrives(shop, banks[partner], partner, ++n)
      if (day === first + 9) await disputed(shop, banks.wema, 'RECALL')
      if (day === first + 19) await disputed(shop, banks.wema, 'CHARGEBACK')
      if (day === first + 14) banks.wema.addLine({ amount: kobo(-50_000n), bankReference: 'PROFIT' })
      await nextDay()
      for (const partner of PARTNERS)
        if ((day - first + 1) % STATEMENT_DAYS[partner] === 0) {
          const taken = await prints('statement', 'import', partner, banks[partner].write(day, FORMATS[partner]))
          if (taken.exceptions > 0) await decideAll(partner)
        }
    }
    const last = first + DAYS - 1
    await prints('statement', 'import', 'providus', banks.providus.write(last, FORMATS.providus))
    await decideAll('providus')
    await prints('reconcile', 'match')
    assert.deepEqual(seen.sort(), [
      'providus DOUBLED_NOTICE',
      'providus MISSING_LINE',
      'providus MISSING_NOTICE',
      'providus UNBOOKED_FEE',
      'providus WRONG_FEE',
      'wema MISSING_NOTICE',
      'wema UNKNOWN_DEBIT',
    ])
    for (const partner of PARTNERS) {
      const days = await prints('reconcile', 'close', partner, '--through', dayText(last))
      assert.equal(days.length, DAYS)
      const [status] = await prints('reconcile', 'status', partner)
      assert.deepEqual(
        [status.closedThrough, status.proof.unexplained, status.proof.listed],
        [dayText(last), '0.00', '0.00'],
        partner,
      )
      assert.equal(await heldByPartner(shop.db, partner, shop.core.clock.now()), banks[partner].had(), partner)
    }
    const verdict = await verifyLedger(shop.db)
    assert.ok(isClean(verdict), JSON.stringify(verdict.wrong))
  },
)
