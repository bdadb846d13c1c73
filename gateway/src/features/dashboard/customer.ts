import { customerRefusals, type getCustomer, type Reply } from '@kobo/contract'
import { type SavedCard, selectSavedCards } from '../../core/security/stored-cards.ts'
import { refusals } from '../../kernel/errors.ts'
import { sum, toNaira } from '../../kernel/money.ts'
import { mandateList } from '../direct-debit/index.ts'
import { selectDisputesOfMany, withDebts } from '../disputes/index.ts'
import { selectInvoicesOf } from '../invoices/index.ts'
import { selectRefundedSums, selectRefundsOfMany } from '../refunds/index.ts'
import { reservedAccountList } from '../reserved-accounts/index.ts'
import { transactionReads } from '../transactions/index.ts'
import { type Reader, withRefunds } from './lists.ts'
import * as show from './show.ts'

const customerErrors = refusals(customerRefusals)

/** How many of a customer's transactions the totals and lists include at most. */
const TRANSACTIONS_MAX = 1_000
/** The most rows of each list. */
const SHOWN_MAX = 20

/** Reads a customer: the merchant's records with the email address. */
export async function readCustomer(
  { db, merchant, at }: Reader,
  customerEmail: string,
): Promise<Reply<typeof getCustomer>> {
  const { id: merchantId } = merchant
  const place = { size: SHOWN_MAX }
  const [ids, newest, accounts, mandates, cards] = await Promise.all([
    transactionReads.idsOfPayer(db, merchantId, customerEmail, TRANSACTIONS_MAX + 1),
    transactionReads.list(db, merchantId, { customer: customerEmail }, place),
    reservedAccountList(db, merchantId, { customer: customerEmail }, place),
    mandateList(db, merchantId, { customer: customerEmail }, place),
    selectSavedCards(db, merchantId, customerEmail, SHOWN_MAX),
  ])
  const named = [...newest.rows, ...accounts.rows, ...mandates.rows]
  const [latest] = named
  if (latest === undefined) throw customerErrors.notFound()
  const read = ids.slice(0, TRANSACTIONS_MAX)
  const [paid, refunded, transactions, refunds, disputes, invoices, oldest, savedCards] = await Promise.all([
    transactionReads.paidTotal(db, merchantId, read),
    selectRefundedSums(db, merchantId, read),
    withRefunds(db, merchant, newest),
    selectRefundsOfMany(db, merchantId, read, SHOWN_MAX),
    selectDisputesOfMany(db, merchantId, read, SHOWN_MAX),
    selectInvoicesOf(db, merchantId, read, SHOWN_MAX),
    transactionReads.byKeys(
      db,
      read.slice(-1).map((id) => ({ merchantId, id })),
    ),
    describeCards({ db, merchant, at }, read, cards),
  ])
  const billed = await transactionReads.byKeys(
    db,
    invoices.map(({ transactionId: id }) => ({ merchantId, id })),
  )
  const times = [...named, ...oldest].map(({ createdAt }) => createdAt.getTime())
  return {
    customerEmail: 'customerEmail' in latest ? latest.customerEmail : latest.customerEmailAddress,
    customerName: named.find(({ customerName }) => customerName !== null)?.customerName ?? null,
    phoneNumber: mandates.rows[0]?.customerPhoneNumber ?? null,
    firstActivityOn: new Date(Math.min(...times)).toISOString(),
    payments: paid.count,
    amountPaid: toNaira(paid.amount),
    amountRefunded: toNaira(sum(refunded.map(({ amount }) => amount))),
    isPartial: ids.length > TRANSACTIONS_MAX,
    transactions: [...transactions.rows],
    refunds: refunds.map(show.refund),
    disputes: (await withDebts(db, disputes)).map(show.dispute),
    savedCards,
    mandates: mandates.rows.map(show.mandate),
    invoices: invoices.map((row) =>
      show.invoice(
        row,
        billed.find(({ id }) => id === row.transactionId),
        at,
      ),
    ),
    reservedAccounts: accounts.rows.map(show.reservedAccount),
  }
}

/** Adds scheme and last digits to saved cards. They are read from payments, because saved cards do not have them. */
async function describeCards(
  { db, merchant }: Reader,
  transactionIds: readonly bigint[],
  cards: readonly SavedCard[],
): Promise<Reply<typeof getCustomer>['savedCards']> {
  const payments =
    cards.length === 0
      ? []
      : await transactionReads.payments(
          db,
          transactionIds.map((id) => ({ merchantId: merchant.id, id })),
        )
  return cards.map(({ token, expiryMonth, expiryYear, createdAt }) => {
    const used = payments.find(({ card }) => card?.cardToken === token)?.card
    return {
      cardType: used?.cardType ?? null,
      last4: used?.last4 ?? null,
      expiryMonth,
      expiryYear,
      savedOn: createdAt.toISOString(),
    }
  })
}
