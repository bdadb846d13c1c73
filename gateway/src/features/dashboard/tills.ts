import type { Input, Reply } from '@kobo/contract'
import * as contract from '@kobo/contract'
import { accountsOf } from '../../core/account-numbers/index.ts'
import { bankName, findBank } from '../../core/bank-list/index.ts'
import type { By } from '../../core/edge/http/index.ts'
import { firstContract, type Merchant } from '../../core/merchants/index.ts'
import { audit } from '../../core/security/audit.ts'
import { endSessions, type Member, type SignedIn, selectTeam, updateMembership } from '../../core/sessions/index.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import { dayText, lagosDay, lagosMoment } from '../../kernel/dates.ts'
import { refusals } from '../../kernel/errors.ts'
import { randomCode } from '../../kernel/ids.ts'
import { toNaira } from '../../kernel/money.ts'
import type { receiptProver } from '../receipts/index.ts'
import { type ReserveDeps, type ReservedAccountRow, reserveAccount, selectTills } from '../reserved-accounts/index.ts'
import { transactionReads } from '../transactions/index.ts'

const tillErrors = refusals(contract.tillRefusals)
const REFERENCE_LENGTH = 10
const PAYMENTS_SHOWN_MAX = 100
const DAY_MILLISECONDS = 86_400_000

type Till = Reply<typeof contract.createTill>

/** Creates a till: a reserved account in the merchant's own name, which needs the owner's BVN or NIN like any other. */
export async function createTill(
  deps: ReserveDeps,
  merchant: Merchant,
  { email }: SignedIn,
  { name, bvn, nin }: Input<typeof contract.createTill>['body'],
  by: By,
): Promise<Till> {
  const { code, currencyCode } = firstContract(merchant)
  const { account } = await reserveAccount(deps, merchant, {
    accountReference: `till-${randomCode(REFERENCE_LENGTH)}`,
    type: 'GENERAL',
    accountName: name,
    currencyCode,
    contractCode: code,
    customerName: merchant.name,
    customerEmail: email,
    bvn: bvn ?? null,
    nin: nin ?? null,
    banks: { all: false, preferred: [] },
    restrictPaymentSource: false,
    allowedPaymentSources: null,
    incomeSplitConfig: [],
    limitProfileCode: null,
    metaData: {},
    needsIdentity: true,
    isTill: true,
  })
  const { accountReference: reference } = account
  await unitOfWork(deps.core, async (unit) =>
    audit(unit, { ...by, merchantId: merchant.id, act: 'till.create', reference, details: { name } }),
  )
  const [till] = await showTills(deps, merchant, [account], [])
  return till as Till
}

/** Reads the tills that a user may see. A cashier sees only their own. */
async function visibleTills(
  { core: { db } }: ReserveDeps,
  merchant: Merchant,
  { role, tillId }: SignedIn,
): Promise<ReservedAccountRow[]> {
  const tills = await selectTills(db, merchant.id)
  return role === 'cashier' ? tills.filter(({ id }) => id === tillId) : tills
}

async function findTill(
  deps: ReserveDeps,
  merchant: Merchant,
  person: SignedIn,
  reference: string,
): Promise<ReservedAccountRow> {
  const tills = await visibleTills(deps, merchant, person)
  const till = tills.find(({ accountReference }) => accountReference === reference)
  if (till === undefined) throw tillErrors.notFound()
  return till
}

export async function listTills(deps: ReserveDeps, merchant: Merchant, person: SignedIn): Promise<Till[]> {
  const tills = await visibleTills(deps, merchant, person)
  return showTills(deps, merchant, tills, await cashiersFor(deps, merchant, person))
}

/** Reads the team's cashiers. A user who is a cashier does not see them. */
const cashiersFor = async ({ core: { db } }: ReserveDeps, { id }: Merchant, { role }: SignedIn): Promise<Member[]> =>
  role === 'cashier' ? [] : (await selectTeam(db, id)).filter((member) => member.role === 'cashier')

async function showTills(
  { core: { db } }: ReserveDeps,
  merchant: Merchant,
  tills: readonly ReservedAccountRow[],
  cashiers: readonly Member[],
): Promise<Till[]> {
  const keys = tills.map(({ id }) => ({ merchantId: merchant.id, ownerId: id }))
  const numbers = Map.groupBy(await accountsOf(db, 'reserved-account', keys), ({ ownerId }) => ownerId)
  return tills.map(({ id, accountReference, accountName: name }) => ({
    tillReference: accountReference,
    name,
    accounts: (numbers.get(id) ?? []).map(({ bankCode, accountNumber, accountName }) => ({
      bankName: bankName(bankCode),
      accountNumber,
      accountName,
    })),
    cashiers: cashiers
      .filter(({ tillId }) => tillId === id)
      .map((one) => ({ id: String(one.personId), name: one.name })),
  }))
}

/** Reads a till with the payments and totals of a day in Lagos. */
export async function readTill(
  deps: ReserveDeps & { readonly prove: ReturnType<typeof receiptProver> },
  merchant: Merchant,
  person: SignedIn,
  reference: string,
  date: string | undefined,
): Promise<Reply<typeof contract.getTill>> {
  const { db, clock } = deps.core
  const { id } = await findTill(deps, merchant, person, reference)
  const day = date === undefined ? lagosDay(clock.now()) : Math.floor(Date.parse(date) / DAY_MILLISECONDS)
  if (Number.isNaN(day)) throw tillErrors.notFound()
  const span = { merchantId: merchant.id, id, from: lagosMoment(day, 0), before: lagosMoment(day + 1, 0) }
  const [total, paid, tills] = await Promise.all([
    transactionReads.paidIntoTotal(db, span),
    transactionReads.paidInto(db, span, PAYMENTS_SHOWN_MAX),
    listTills(deps, merchant, person),
  ])
  const payments = new Map((await transactionReads.payments(db, paid)).map((one) => [one.transactionId, one]))
  const till = tills.find((one) => one.tillReference === reference)
  if (till === undefined) throw tillErrors.notFound()
  return {
    ...till,
    date: dayText(day),
    now: clock.now().toISOString(),
    count: total.count,
    total: toNaira(total.amount),
    payments: paid.map((transaction) => {
      const { payerName = null, payerBankCode = null } = payments.get(transaction.id) ?? {}
      const paidAt = transaction.paidAt ?? transaction.createdAt
      return {
        transactionReference: transaction.transactionReference,
        at: paidAt.toISOString(),
        amount: toNaira(transaction.amountPaid),
        payerName,
        payerBankName: payerBankCode === null ? null : (findBank(payerBankCode)?.name ?? null),
        receiptProof: deps.prove({
          ...transaction,
          merchantName: merchant.name,
          paidAt,
          paymentMethod: transaction.paymentMethod ?? 'ACCOUNT_TRANSFER',
        }),
      }
    }),
  }
}

/** Returns a till's id, and a function that reads a text that changes with every payment. */
export async function watchedTill(
  deps: ReserveDeps,
  merchant: Merchant,
  person: SignedIn,
  reference: string,
): Promise<{ readonly id: bigint; readonly read: () => Promise<string> }> {
  const { db, clock } = deps.core
  const { id } = await findTill(deps, merchant, person, reference)
  const read = async (): Promise<string> => {
    const day = lagosDay(clock.now())
    const span = { merchantId: merchant.id, id, from: lagosMoment(day, 0), before: lagosMoment(day + 1, 0) }
    const [newest] = await transactionReads.paidInto(db, span, 1)
    return `${day} ${newest?.id}`
  }
  return { id, read }
}

/** Sets the cashiers of a till. Users who get or lose the till must sign in again. */
export async function setCashiers(
  deps: ReserveDeps,
  merchant: Merchant,
  person: SignedIn,
  reference: string,
  requested: readonly string[],
  by: By,
): Promise<void> {
  const { id: tillId } = await findTill(deps, merchant, person, reference)
  const { core } = deps
  await unitOfWork(core, async (unit) => {
    const { tx } = unit
    const cashiers = (await selectTeam(tx, merchant.id, true)).filter(({ role }) => role === 'cashier')
    const ids = new Set(cashiers.map(({ personId }) => String(personId)))
    if (!requested.every((id) => ids.has(id))) throw tillErrors.notCashier()
    for (const member of cashiers) {
      const hasTill = requested.includes(String(member.personId))
      if (hasTill === (member.tillId === tillId)) continue
      await updateMembership(tx, member, { tillId: hasTill ? tillId : null })
      await endSessions(tx, { personId: member.personId, merchantId: merchant.id }, core.wall.now())
    }
    audit(unit, { ...by, merchantId: merchant.id, act: 'till.cashiers', reference, details: { cashiers: requested } })
  })
}
