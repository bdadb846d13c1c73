import assert from 'node:assert/strict'
import * as contract from '@kobo/contract'
import { verifyLedger } from '../../src/app/ledger.ts'
import { BALANCES, isClean } from '../../src/core/money/ledger/index.ts'
import { dayText, lagosDay, lagosMoment, slashed, spaced } from '../../src/kernel/dates.ts'
import { kobo, naira, toNairaText } from '../../src/kernel/money.ts'
import { type Client, gateway, type Shop } from '../harness/gateway.ts'
import { advanceToHour, anInvoice, inBatches, pay, reserveAccount, seededRandom, testSeed } from '../harness/samples.ts'
import { slow } from '../harness/slow.ts'
import { webhookEndpoint } from '../harness/webhook-endpoint.ts'

const STUDENTS = 200
const DAYS = 30
const PAYMENTS_A_DAY_MAX = 16
const INVOICE_DAYS = 3
const OPENING_BALANCE = 1_000_000_000n
/** From then on the bus company has an account that accepts money. */
const BUS_CORRECTED_ON = 12

const BUS_FARE = 15_075n

/** The parts of one payment, in kobo. */
interface Division {
  readonly paid: bigint
  readonly fee: bigint
  readonly school: bigint
  readonly parents: bigint
  readonly bus: bigint
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** 1.5 %, half up, at most 2,000 naira: computed here independently of the gateway. */
const feeOf = (paid: bigint): bigint => least((paid * 150n + 5_000n) / 10_000n, 200_000n)

/** School fees: 5 % to the parents' association, which bears a fifth of the fee, and 150.75 to the bus company. */
function schoolFees(paid: bigint): Division {
  const fee = feeOf(paid)
  const parentsShare = (paid * 5n) / 100n
  const busShare = least(BUS_FARE, paid - parentsShare)
  const parentsFee = least((fee * 20n) / 100n, parentsShare)
  const schoolShare = paid - parentsShare - busShare
  // A fee that exceeds the school's share falls on the bus company, then on the parents' association.
  const uncovered = fee - parentsFee > schoolShare ? fee - parentsFee - schoolShare : 0n
  const busFee = least(uncovered, busShare)
  const parents = parentsShare - parentsFee - (uncovered - busFee)
  const bus = busShare - busFee
  return { paid, fee, parents, bus, school: paid - fee - parents - bus }
}

/** Examination fees: 2.5 % to the parents' association, the fee to the school. */
function examFees(paid: bigint): Division {
  const fee = feeOf(paid)
  const parents = (paid * 25n) / 1_000n
  return { paid, fee, parents, bus: 0n, school: paid - fee - parents }
}

interface Account {
  readonly bankCode: string
  readonly accountNumber: string
}

slow(
  'a month at a school: every kobo that parents pay goes to the school, a sub account or a fee, on its day',
  async (t) => {
    t.diagnostic(`KOBO_TEST_SEED=${testSeed}`)
    const dice = seededRandom(testSeed)
    const school = await gateway(t, { hasCheckedBooks: true })
    const events = await webhookEndpoint(t)
    await school.call(contract.changeSettings, { body: { webhookUrls: { settlement: events.url } } })
    await advanceToHour(school, 8)
    const [parents, bus] = await subAccounts(school)
    const students = await inBatches(STUDENTS, (nth) =>
      reserveAccount(school, {
        accountReference: `student-${nth}`,
        accountName: `Student ${nth}`,
        incomeSplitConfig: [
          { subAccountCode: parents, splitPercentage: 5, feeBearer: true, feePercentage: 20 },
          { subAccountCode: bus, splitAmount: toNairaText(kobo(BUS_FARE)) },
        ],
      }),
    )

    /** Each day's expected settlement, by its transactions. */
    const days = new Map<string, Division[]>()
    const settledOn = (day: number, division: Division): void => {
      days.set(dayText(day), [...(days.get(dayText(day)) ?? []), division])
    }
    const firstDay = lagosDay(school.core.clock.now())
    const open: { readonly ends: number; readonly paid: bigint }[] = []

    const payInto = async (account: Account, amount: bigint): Promise<void> => {
      const { status, reason } = await pay(school, account, toNairaText(kobo(amount)))
      assert.equal(status, 'ACCEPTED', reason ?? '')
    }

    for (let day = firstDay; day < firstDay + DAYS; day++) {
      if (day === firstDay + BUS_CORRECTED_ON)
        await school.call(contract.changeSubAccount, { body: { subAccountCode: bus, accountNumber: '0123456791' } })

      await inBatches(dice.times(PAYMENTS_A_DAY_MAX), async () => {
        // From a few naira, which is less than the bus company's part, to a term's fees, for which our fee is capped.
        const amount = BigInt(dice.oneOf([1, 99, 15_000, 16_000, 1_234_567, 20_000_000]) + dice.below(500_000))
        const student = dice.oneOf(students)
        await payInto(student, amount)
        settledOn(day, schoolFees(amount))
      })

      const amount = BigInt(200_000 + dice.below(3_000_000))
      const ends = day + INVOICE_DAYS
      const invoice = await school.call(contract.createInvoice, {
        body: anInvoice(school, school.core.clock.now(), {
          amount: toNairaText(kobo(amount)),
          description: 'Examination fees',
          expiryDate: spaced(lagosMoment(ends, 12 * 60)),
          incomeSplitConfig: [{ subAccountCode: parents, splitPercentage: 2.5 }],
        }),
      })
      const account = { bankCode: invoice.bankCode ?? '', accountNumber: invoice.accountNumber ?? '' }
      const part = amount / 3n
      const credits = dice.oneOf([[amount], [part, part, amount - 2n * part], [part, amount], [part], [part, 1n], []])
      for (const credit of credits) await payInto(account, credit)
      const paid = credits.reduce((sum, credit) => sum + credit, 0n)
      // A full payment is settled tonight, a partial one when the invoice has expired.
      if (paid >= amount) settledOn(day, examFees(paid))
      else if (paid > 0n) open.push({ ends, paid })
      await advanceToHour(school, 8)
    }
    for (const { ends, paid } of open) settledOn(ends, examFees(paid))
    await school.advance((INVOICE_DAYS + 1) * 86_400)

    const all = [...days.values()].flat()
    const total = (part: keyof Division): bigint => all.reduce((sum, division) => sum + division[part], 0n)
    assert.equal(total('paid'), total('fee') + total('school') + total('parents') + total('bus'))
    t.diagnostic(`${all.length} payments of ${toNairaText(kobo(total('paid')))} naira on ${days.size} days`)

    await t.test('each day has its settlement, of that day’s payments', async () => {
      const made = (await school.call(contract.listSettlements, { query: { size: 100 } })).content
      const expected = [...days]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([day, divisions]) => ({
          date: slashed(lagosMoment(lagosDay(new Date(`${day}T12:00:00Z`)), 22 * 60)).slice(0, 10),
          amount: divisions.reduce((sum, division) => sum + division.school, 0n),
          count: divisions.length,
          status: 'COMPLETED',
        }))
      // A payment that completes at the very moment of the settlement may be settled just after the rest of its day.
      const ofDay = Map.groupBy(made.reverse(), ({ settlementDate }) => settlementDate.slice(0, 10))
      const shown = [...ofDay].map(([date, parts]) => ({
        date,
        amount: parts.reduce(
          (sum, part) => sum + (part.settlementAmount === 0 ? 0n : naira(part.settlementAmount)),
          0n,
        ),
        count: parts.reduce((sum, part) => sum + part.transactionsCount, 0),
        status: parts.every(({ settlementStatus }) => settlementStatus === 'COMPLETED') ? 'COMPLETED' : 'PENDING',
      }))
      assert.deepEqual(shown, expected)
      assert.ok(made.every(({ settlementDate }) => / 10:00:0\d PM$/.test(settlementDate)))
      const delivered = await events.count(made.length)
      assert.deepEqual(
        delivered.map(({ event }) => event.eventData['settlementReference']).sort(),
        made.map(({ settlementReference }) => settlementReference).sort(),
      )
    })

    await t.test('the wallet has grown by the school’s part, and the ledger holds nothing back', async () => {
      const { availableBalance } = await school.call(contract.getWalletBalance, {
        query: { accountNumber: school.credentials.walletAccountNumber },
      })
      assert.equal(naira(availableBalance), OPENING_BALANCE + total('school'))
      const balances = await balancesOf(school)
      assert.equal(balances['fees/collection'], total('fee'))
      assert.equal(balances['clearing/bank-transfer/simulated'], -total('paid'))
      assert.equal(balances['clearing/transfers/simulated'], total('parents') + total('bus'))
      for (const [code, balance] of Object.entries(balances))
        if (/^(payable|in-flight)/.test(code)) assert.equal(balance, 0n, code)
      const verdict = await verifyLedger(school.db)
      assert.ok(isClean(verdict), JSON.stringify(verdict))
    })

    await t.test('the sub accounts’ banks have received their parts, each payout once', async () => {
      const received = await school.db<{ accountNumber: string; amount: bigint }[]>`
      select facts->>'accountNumber' as account_number, sum((facts->>'amount')::bigint)::bigint as amount
        from simulated_entry
       where rail = 'transfer' and facts->>'accountNumber' not like '%001'
       group by 1`
      assert.deepEqual(Object.fromEntries(received.map(({ accountNumber, amount }) => [accountNumber, amount])), {
        '0123456790': total('parents'),
        '0123456791': total('bus'),
      })
    })

    await t.test('each transaction lists its parts, and they add up to the amount paid', async () => {
      const { content } = await school.call(contract.searchTransactions, { query: { size: 100 } })
      const paid = content.filter(({ amountPaid }) => amountPaid !== undefined).slice(0, 40)
      await inBatches(paid.length, async (nth) => {
        const { transactionReference = '', amountPaid = 0 } = paid[nth] ?? {}
        const detail = await school.call(contract.getSettlementDetail, { query: { transactionReference } })
        const parts = detail.beneficiaries.flatMap(({ beneficiaryIncome, incurredFee }) => [
          beneficiaryIncome,
          incurredFee,
        ])
        const sum = parts.reduce((added, part) => added + Math.round(part * 100), 0)
        assert.equal(sum, Math.round(amountPaid * 100), transactionReference)
        assert.ok(detail.beneficiaries.every(({ settlementStatus }) => settlementStatus === 'COMPLETED'))
      })
    })
  },
)

/** The parents' association, and a bus company whose first account rejects money. */
async function subAccounts(school: Client): Promise<readonly [string, string]> {
  const body = ['0123456790', '0123456001'].map((accountNumber) => ({
    currencyCode: 'NGN',
    accountNumber,
    bankCode: '058',
    email: 'treasurer@example.com',
    defaultSplitPercentage: 10,
  }))
  const [parents, bus] = await school.call(contract.createSubAccounts, { body })
  return [parents?.subAccountCode ?? '', bus?.subAccountCode ?? '']
}

const balancesOf = async ({ db }: Shop): Promise<Record<string, bigint>> =>
  Object.fromEntries(
    (await db<{ code: string; balance: bigint }[]>`select code, balance from ${BALANCES} account`).map(
      ({ code, balance }) => [code, balance],
    ),
  )
