import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Input, Reply } from '@kobo/contract'
import * as contract from '@kobo/contract'
import { findMerchantId } from '../../src/core/merchants/index.ts'
import { unitOfWork } from '../../src/core/unit-of-work.ts'
import { draftTransaction, receive } from '../../src/features/transactions/index.ts'
import { secondsAfter } from '../../src/kernel/clock.ts'
import { lagosDay, lagosMoment, spaced } from '../../src/kernel/dates.ts'
import { naira } from '../../src/kernel/money.ts'
import type { Client, Shop, TestGateway } from './gateway.ts'

type NewTransaction = Input<typeof contract.initTransaction>['body']
/** The merchant that sends a request: nothing else is needed to build one. */
type Named = Pick<Client, 'credentials'>

/** A valid request to initialize a transaction, with a unique reference. */
export const aTransaction = (client: Named, changes: Partial<NewTransaction> = {}): NewTransaction => ({
  amount: 5_000,
  customerName: 'Ada Obi',
  customerEmail: 'ada@example.com',
  paymentReference: `order-${randomUUID()}`,
  paymentDescription: 'Two pairs of shoes',
  currencyCode: 'NGN',
  contractCode: client.credentials.contractCode,
  ...changes,
})

/** A transaction with its virtual account. */
export async function anAccount(
  client: Client,
  changes: Partial<NewTransaction> = {},
): Promise<Reply<typeof contract.initBankTransfer>> {
  const { transactionReference } = await client.call(contract.initTransaction, { body: aTransaction(client, changes) })
  return client.call(contract.initBankTransfer, { body: { transactionReference } })
}

/** Returns the reference of a checkout from its URL. */
export const checkoutReferenceOf = (checkoutUrl: string): string =>
  decodeURIComponent(new URL(checkoutUrl).pathname.split('/').at(-1) ?? '')

/** The customer pays into an account. */
export const pay = (
  client: Client,
  { bankCode, accountNumber }: { bankCode: string; accountNumber: string },
  amount: number | string,
  sender: Partial<Input<typeof contract.payIntoAccount>['body']> = {},
): Promise<Reply<typeof contract.payIntoAccount>> =>
  client.call(contract.payIntoAccount, { body: { bankCode, accountNumber, amount, ...sender } })

type NewTransfer = Input<typeof contract.initiateTransfer>['body']

/** The account's name at the sandbox's banks. */
export const holderOf = async (client: Client, accountNumber: string): Promise<string> =>
  (await client.call(contract.validateAccount, { query: { accountNumber, bankCode: '058' } })).accountName

/** A valid request to send money to an account, with a unique reference. */
export const aTransfer = async (client: Client, changes: Partial<NewTransfer> = {}): Promise<NewTransfer> => ({
  amount: 5_000,
  reference: `transfer-${randomUUID()}`,
  narration: 'Rent for March',
  destinationBankCode: '058',
  destinationAccountNumber: '0123456789',
  currency: 'NGN',
  sourceAccountNumber: client.credentials.walletAccountNumber,
  ...changes,
  destinationAccountName:
    changes.destinationAccountName ?? (await holderOf(client, changes.destinationAccountNumber ?? '0123456789')),
})

/** Sends money to an account that ends in three digits. */
export const transferTo = async (
  client: Client,
  ending: string,
  changes: Partial<NewTransfer> = {},
): Promise<Reply<typeof contract.initiateTransfer>> =>
  client.call(contract.initiateTransfer, {
    body: await aTransfer(client, { destinationAccountNumber: `0123456${ending}`, ...changes }),
  })

/** The balances of the merchant's own wallet. */
export const balancesOf = (client: Client): Promise<Reply<typeof contract.getWalletBalance>> =>
  client.call(contract.getWalletBalance, { query: { accountNumber: client.credentials.walletAccountNumber } })

type NewBatch = Input<typeof contract.initiateBatch>['body']
type NewItem = NewBatch['transactionList'][number]

/** An item of a batch, with a unique reference. */
export const anItem = (changes: Partial<NewItem> = {}): NewItem => ({
  amount: 1_000,
  reference: `item-${randomUUID()}`,
  narration: 'Salary for March',
  destinationBankCode: '058',
  destinationAccountNumber: '0123456789',
  currency: 'NGN',
  ...changes,
})

/** A valid request to send money to many, with a unique reference. */
export const aBatch = (
  client: Named,
  transactionList: readonly NewItem[],
  changes: Partial<NewBatch> = {},
): NewBatch => ({
  title: 'Salaries',
  batchReference: `batch-${randomUUID()}`,
  narration: 'Salary',
  sourceAccountNumber: client.credentials.walletAccountNumber,
  onValidationFailure: 'CONTINUE',
  transactionList: [...transactionList],
  ...changes,
})

/** The last code that was emailed about a reference. */
export async function codeFor(client: Client, reference: string): Promise<string> {
  const mails = await client.call(contract.readInbox, { query: { limit: 50 } })
  const mail = mails.find(({ subject }) => subject === `Authorization code for ${reference}`)
  return /^(\d{6}) is your code/m.exec(mail?.text ?? '')?.[1] ?? 'no code was mailed'
}

/** Lets time pass until an hour of a day in Lagos: tomorrow, or this many days ahead. */
export async function advanceToHour(shop: TestGateway, hour: number, daysAhead = 1): Promise<void> {
  const now = shop.core.clock.now()
  const today = lagosMoment(lagosDay(now) + daysAhead, hour * 60)
  const target = today > now ? today : lagosMoment(lagosDay(now) + daysAhead + 1, hour * 60)
  await shop.advance(Math.ceil((target.getTime() - now.getTime()) / 1_000))
}

/** Creates this many paid transactions at once. They are like those of a reserved account, which start as paid. */
export async function makePaidTransactions(shop: Shop, count: number, amount: number | string): Promise<void> {
  const { db, core } = shop
  const merchantId = await findMerchantId(db)
  const merchant = merchantId === undefined ? undefined : await core.directory.byId(merchantId)
  assert.ok(merchant !== undefined)
  const at = core.clock.now()
  const arrivals = Array.from({ length: count }, () => ({
    draft: draftTransaction({ ids: core.ids, at }, merchant, {
      amount: naira(amount),
      paymentReference: `paid-${randomUUID()}`,
      contractCode: shop.credentials.contractCode,
      currencyCode: 'NGN',
      customerName: 'Ada Obi',
      customerEmail: 'ada@example.com',
      paymentDescription: 'School fees',
      redirectUrl: null,
      paymentMethods: [],
      incomeSplitConfig: [],
      metaData: {},
    }),
    receipt: {
      railReference: randomUUID(),
      method: 'ACCOUNT_TRANSFER' as const,
      amount: naira(amount),
      payer: { name: 'ADA OBI', accountNumber: '0123456789', bankCode: '058', bvn: null },
      bankCode: '035',
      accountNumber: '0000014579',
      card: null,
    },
  }))
  await unitOfWork(core, (unit) => receive(unit, arrivals))
}

export const BVN = '22212345678'

type NewReservedAccount = Input<typeof contract.reserveAccount>['body']

/** A valid request to reserve an account, with a unique reference. */
export const aReservedAccount = (client: Named, changes: Partial<NewReservedAccount> = {}): NewReservedAccount => ({
  accountReference: `customer-${randomUUID()}`,
  accountName: 'Ada Obi Stores',
  currencyCode: 'NGN',
  contractCode: client.credentials.contractCode,
  customerEmail: 'ada@example.com',
  customerName: 'Ada Obi',
  bvn: BVN,
  getAllAvailableBanks: false,
  ...changes,
})

/** A reserved account and its first number. */
export async function reserveAccount(
  client: Client,
  changes: Partial<NewReservedAccount> = {},
): Promise<Reply<typeof contract.reserveAccount> & { bankCode: string; accountNumber: string }> {
  const account = await client.call(contract.reserveAccount, { body: aReservedAccount(client, changes) })
  const [first] = account.accounts
  return { ...account, bankCode: first?.bankCode ?? '', accountNumber: first?.accountNumber ?? '' }
}

type NewInvoice = Input<typeof contract.createInvoice>['body']

/** A valid request to create an invoice, with a unique reference; it runs for a week. */
export const anInvoice = (client: Named, now: Date, changes: Partial<NewInvoice> = {}): NewInvoice => ({
  amount: 5_000,
  currencyCode: 'NGN',
  invoiceReference: `invoice-${randomUUID()}`,
  customerName: 'Ada Obi',
  customerEmail: 'ada@example.com',
  contractCode: client.credentials.contractCode,
  description: 'Two pairs of shoes',
  expiryDate: spaced(secondsAfter(now, 7 * 86_400)),
  ...changes,
})
type WireCard = Input<typeof contract.chargeCard>['body']['card']

/** The sandbox's cards, by the outcome of a charge. */
export const CARDS = {
  success: '4111111111111111',
  otp: '5060995994247093',
  secure3d: '4000000000000002',
  invalid: '4111111111111110',
  insufficientFunds: '5399838383838381',
  silent: '4242424242424242',
} as const

/** A card as a merchant sends it. */
export const aCard = (number: string, changes: Partial<WireCard> = {}): WireCard => ({
  number,
  pin: '1234',
  expiryMonth: '12',
  expiryYear: '2099',
  cvv: '7391',
  ...changes,
})

/** A new transaction's reference. */
export const openTransaction = async (client: Client, changes: Partial<NewTransaction> = {}): Promise<string> =>
  (await client.call(contract.initTransaction, { body: aTransaction(client, changes) })).transactionReference

/** The merchant charges a card for a transaction. */
export const charge = (
  client: Client,
  transactionReference: string,
  number: string,
  changes: Partial<WireCard> = {},
): Promise<Reply<typeof contract.chargeCard>> =>
  client.call(contract.chargeCard, { body: { transactionReference, card: aCard(number, changes) } })

export const statusOf = (
  client: Client,
  transactionReference: string,
): Promise<Reply<typeof contract.getTransaction>> =>
  client.call(contract.getTransaction, { params: { transactionReference } })

/**
 * The seed of tests with random input. It is fixed, so that a test fails only because of a change. Every night CI runs
 * other seeds (KOBO_TEST_SEED=… npm test -- FILE, and npm run simulate).
 */
export const testSeed = Number(process.env['KOBO_TEST_SEED'] ?? 1)

/** Random numbers from a seed, so that a failure can be reproduced. */
export function seededRandom(seed: number) {
  let state = seed
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const below = (n: number): number => Math.floor(next() * n)
  return {
    below,
    oneOf: <T>(list: readonly T[]): T => list[below(list.length)] as T,
    times: (n: number) => 1 + below(n),
  }
}

const BATCH = 20

/** Runs something this many times, a few at once; returns the results in order. */
export async function inBatches<T>(count: number, act: (nth: number) => Promise<T>): Promise<T[]> {
  const done: T[] = []
  for (let start = 0; start < count; start += BATCH) {
    const length = Math.min(BATCH, count - start)
    done.push(...(await Promise.all(Array.from({ length }, (_, index) => act(start + index)))))
  }
  return done
}

/** A valid request for a payment link, with a unique reference. */
export const aPaymentLink = (
  client: Named,
  changes: Partial<Input<typeof contract.createPaymentLink>['body']> = {},
): Input<typeof contract.createPaymentLink>['body'] => ({
  linkReference: `link-${randomUUID()}`,
  title: 'Church harvest',
  amount: 5_000,
  usage: 'OFTEN',
  contractCode: client.credentials.contractCode,
  ...changes,
})
