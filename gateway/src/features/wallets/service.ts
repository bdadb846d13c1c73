import {
  accountName,
  accountsOf,
  type IssuedNumber,
  type VirtualAccount,
  type VirtualAccounts,
} from '../../core/account-numbers/index.ts'
import type { Core } from '../../core/core.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import {
  type Balances,
  bvnContext,
  type CustomerWalletRow,
  findWalletNumber,
  insertWallet,
  openWallets,
  selectCustomerWallets,
  selectStatement,
  type WalletEntryRow,
  type WalletFilter,
  type WalletName,
  walletBalances,
} from '../../core/money/wallet-balances/index.ts'
import type { Keyring } from '../../core/security/keyring.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import { invariant } from '../../kernel/errors.ts'
import { ulid } from '../../kernel/ids.ts'
import type { Kobo } from '../../kernel/money.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { CountedPage, RequestedPage } from '../../platform/postgres/pagination.ts'
import { walletErrors } from './errors.ts'
import { fundingJournal } from './top-up.ts'

/** A customer's proof of identity. */
export interface BvnDetails {
  readonly bvn: string
  readonly bvnDateOfBirth: string
}

export interface NewWallet {
  readonly walletReference: string
  readonly walletName: string
  readonly customerName: string
  readonly customerEmail: string
  readonly bvnDetails: BvnDetails
}

/** A customer's wallet with the account to pay into. */
export interface CustomerWallet {
  readonly wallet: CustomerWalletRow
  readonly bvnDetails: BvnDetails
  readonly topUpAccount: VirtualAccount
}

/** Encrypts BVN details for storage. */
export const sealBvnDetails = (
  keyring: Keyring,
  key: { readonly merchantId: bigint; readonly id: bigint },
  details: BvnDetails,
): Buffer => keyring.seal(JSON.stringify(details), bvnContext(key))

interface Deps {
  readonly core: Core
  readonly virtualAccounts: VirtualAccounts
}

/** Opens a wallet for a customer, with its own number and an account at a partner bank to pay into. */
export async function createWallet(
  { core, virtualAccounts }: Deps,
  merchant: Merchant,
  requested: NewWallet,
): Promise<CustomerWallet> {
  const firstBank = virtualAccounts.firstBank()
  const issued = await issuedNumbers({ core, virtualAccounts }, merchant.id, requested, firstBank)
  return unitOfWork(core, async ({ tx, ids, at }) => {
    const key = { merchantId: merchant.id, id: ids.id() }
    const account = {
      merchantId: merchant.id,
      purpose: 'wallet',
      ownerId: key.id,
      accountName: accountName(requested.customerName),
      openedAt: at,
      closesAt: null,
    } as const
    // If both are at the same bank, one number is both the wallet's own and the one to pay into.
    const bankCodes = new Set([firstBank, merchant.walletBankCode ?? firstBank])
    const opened = await virtualAccounts.openAll(
      tx,
      [...bankCodes].map((bankCode) => ({ ...account, bankCode, issued: issued.get(bankCode) })),
    )
    const [topUpAccount] = opened
    const own = opened.find(({ bankCode }) => bankCode === merchant.walletBankCode)
    invariant(topUpAccount !== undefined, 'one account is opened per bank')
    const wallet: CustomerWalletRow = {
      ...key,
      accountNumber: own?.accountNumber ?? (await virtualAccounts.ownNumber(tx)),
      type: 'CUSTOMER',
      name: requested.walletName,
      reference: requested.walletReference,
      customerName: requested.customerName,
      customerEmail: requested.customerEmail,
      createdAt: at,
      bvnDetails: sealBvnDetails(core.keyring, key, requested.bvnDetails),
    }
    if (!(await insertWallet(tx, wallet))) throw walletErrors.duplicateReference()
    return { wallet, bvnDetails: requested.bvnDetails, topUpAccount }
  })
}

/** Gets the number to pay into, if the bank issues its own numbers. None is requested if the reference is in use. */
async function issuedNumbers(
  { core, virtualAccounts }: Deps,
  merchantId: bigint,
  { walletReference, customerName: name, customerEmail: email, bvnDetails: { bvn } }: NewWallet,
  bankCode: string,
): Promise<ReadonlyMap<string, IssuedNumber>> {
  if (!virtualAccounts.isIssued(bankCode)) return new Map()
  if ((await findWalletNumber(core.db, merchantId, { walletReference })) !== undefined)
    throw walletErrors.duplicateReference()
  return virtualAccounts.numbersFor(
    {
      ...{ merchantId, purpose: 'wallet', ownerKey: walletReference, expiresAt: null },
      accountName: accountName(name),
      customer: { name, email, bvn, nin: null },
    },
    [bankCode],
  )
}

/** Returns a page of customers' wallets, newest first, and their total count. */
export async function listWallets(
  { db, keyring }: Core,
  merchantId: bigint,
  filter: WalletFilter,
  page: RequestedPage,
): Promise<CountedPage<CustomerWallet>> {
  const found = await selectCustomerWallets(db, merchantId, filter, page)
  const owners = found.rows.map(({ id }) => ({ merchantId, ownerId: id }))
  const accounts = Map.groupBy(await accountsOf(db, 'wallet', owners), ({ ownerId }) => ownerId)
  const rows = found.rows.map((wallet) => {
    const own = accounts.get(wallet.id) ?? []
    const topUpAccount = own.find(({ accountNumber }) => accountNumber !== wallet.accountNumber) ?? own[0]
    invariant(topUpAccount !== undefined, 'a customer’s wallet has an account to pay into')
    const bvnDetails: BvnDetails = JSON.parse(keyring.open(wallet.bvnDetails, bvnContext(wallet)))
    return { wallet, bvnDetails, topUpAccount }
  })
  return { ...found, rows }
}

/** The wallet that a request selects. If both fields are given, the account number counts. */
export interface WalletChoice {
  readonly accountNumber?: string | undefined
  readonly walletReference?: string | undefined
}

/** Returns the account number of the selected wallet. Rejects a wallet that is not the merchant's. */
async function chosenWallet(
  db: Db,
  merchantId: bigint,
  { accountNumber, walletReference }: WalletChoice,
): Promise<string> {
  if (accountNumber === undefined && walletReference === undefined) throw walletErrors.walletRequired()
  const by = accountNumber === undefined ? { walletReference: walletReference ?? '' } : { accountNumber }
  const found = await findWalletNumber(db, merchantId, by)
  if (found === undefined) throw walletErrors.notFound()
  return found
}

/** Returns a wallet's available and ledger balances. */
export async function readBalances(
  read: (wallet: WalletName) => Promise<Balances | undefined>,
  merchantId: bigint,
  { accountNumber, walletReference }: WalletChoice,
): Promise<Balances> {
  if (accountNumber === undefined && walletReference === undefined) throw walletErrors.walletRequired()
  const reference = walletReference ?? ''
  const balances = await read(accountNumber === undefined ? { merchantId, reference } : { merchantId, accountNumber })
  if (balances === undefined) throw walletErrors.notFound()
  return balances
}

/** Returns a page of a wallet's statement, newest first, and the total number of lines. */
export async function readStatement(
  db: Db,
  merchantId: bigint,
  choice: WalletChoice,
  page: RequestedPage,
): Promise<CountedPage<WalletEntryRow>> {
  return selectStatement(db, { merchantId, accountNumber: await chosenWallet(db, merchantId, choice) }, page)
}

/** Adds the sandbox's test money to a wallet. */
export const fundWallet = (core: Core, merchantId: bigint, accountNumber: string, amount: Kobo): Promise<Balances> =>
  unitOfWork(core, async (unit) => {
    const { tx, at } = unit
    const reference = `FUND|${ulid(at)}`
    const wallets = await openWallets(tx, [{ merchantId, accountNumber }])
    if (wallets.available({ merchantId, accountNumber }) === undefined) throw walletErrors.notFound()
    wallets.take({
      journal: fundingJournal({ merchantId, reference, accountNumber, amount }),
      reference,
      transactionReference: reference,
      narration: null,
      message: 'Sandbox test money',
    })
    wallets.write(unit)
    const balances = await walletBalances(tx, { merchantId, accountNumber })
    invariant(balances !== undefined, 'a wallet is never deleted')
    return balances
  })
