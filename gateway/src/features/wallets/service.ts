import type { Core } from '../../core/core.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import {
  accountName,
  accountsOf,
  type IssuedNumber,
  type VirtualAccount,
  type VirtualAccounts,
} from '../../core/money/virtual-accounts/index.ts'
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
import type { Db } from '../../platform/db.ts'
import type { CountedPage, PageWanted } from '../../platform/pages.ts'
import { walletErrors } from './errors.ts'
import { fundingJournal } from './top-up.ts'

/** What a customer proves itself with. */
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

/** What a customer proved itself with, as it is stored. */
export const sealBvnDetails = (
  keyring: Keyring,
  key: { readonly merchantId: bigint; readonly id: bigint },
  details: BvnDetails,
): Buffer => keyring.seal(JSON.stringify(details), bvnContext(key))

interface Deps {
  readonly core: Core
  readonly virtualAccounts: VirtualAccounts
}

/** Opens a wallet for a customer, with a number of its own and an account at a partner bank to pay into. */
export async function createWallet(
  { core, virtualAccounts }: Deps,
  merchant: Merchant,
  wanted: NewWallet,
): Promise<CustomerWallet> {
  const firstBank = virtualAccounts.firstBank()
  const issued = await issuedNumbers({ core, virtualAccounts }, merchant.id, wanted, firstBank)
  return unitOfWork(core, async ({ tx, ids, at }) => {
    const key = { merchantId: merchant.id, id: ids.id() }
    const account = {
      merchantId: merchant.id,
      purpose: 'wallet',
      ownerId: key.id,
      accountName: accountName(wanted.customerName),
      openedAt: at,
      closesAt: null,
    } as const
    // At one bank one number is both: what it is called by, and where it is paid into.
    const bankCodes = new Set([firstBank, merchant.walletBankCode ?? firstBank])
    const opened = await virtualAccounts.openAll(
      tx,
      [...bankCodes].map((bankCode) => ({ ...account, bankCode, issued: issued.get(bankCode) })),
    )
    const [topUpAccount] = opened
    const own = opened.find(({ bankCode }) => bankCode === merchant.walletBankCode)
    invariant(topUpAccount !== undefined, 'as many accounts are opened as were wanted')
    const wallet: CustomerWalletRow = {
      ...key,
      accountNumber: own?.accountNumber ?? (await virtualAccounts.ownNumber(tx)),
      type: 'CUSTOMER',
      name: wanted.walletName,
      reference: wanted.walletReference,
      customerName: wanted.customerName,
      customerEmail: wanted.customerEmail,
      createdAt: at,
      bvnDetails: sealBvnDetails(core.keyring, key, wanted.bvnDetails),
    }
    if (!(await insertWallet(tx, wallet))) throw walletErrors.duplicateReference()
    return { wallet, bvnDetails: wanted.bvnDetails, topUpAccount }
  })
}

/** The number to pay into, where the bank makes its numbers itself. None is asked for where the reference is taken. */
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

/** A page of customers' wallets, newest first, and how many there are in all. */
export async function listWallets(
  { db, keyring }: Core,
  merchantId: bigint,
  filter: WalletFilter,
  wanted: PageWanted,
): Promise<CountedPage<CustomerWallet>> {
  const found = await selectCustomerWallets(db, merchantId, filter, wanted)
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

/** Which wallet is meant: the number counts where both are given. */
export interface WalletChoice {
  readonly accountNumber?: string | undefined
  readonly walletReference?: string | undefined
}

/** The number of the wallet that is meant; refuses one that is not the merchant's. */
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

/** What is in a wallet: what can be spent, and what has not left it yet. */
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

/** A page of a wallet's statement, newest first, and how many lines there are in all. */
export async function readStatement(
  db: Db,
  merchantId: bigint,
  choice: WalletChoice,
  wanted: PageWanted,
): Promise<CountedPage<WalletEntryRow>> {
  return selectStatement(db, { merchantId, accountNumber: await chosenWallet(db, merchantId, choice) }, wanted)
}

/** Puts play money into a wallet. */
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
      message: 'Play money of the sandbox',
    })
    wallets.write(unit)
    const balances = await walletBalances(tx, { merchantId, accountNumber })
    invariant(balances !== undefined, 'a wallet stays')
    return balances
  })
