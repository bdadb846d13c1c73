import type { ReservedAccountType } from '@kobo/contract'
import {
  accountErrors,
  accountsOf,
  type IssuedNumber,
  type VirtualAccount,
  type VirtualAccounts,
} from '../../core/account-numbers/index.ts'
import type { Core } from '../../core/core.ts'
import { findContract, type Merchant } from '../../core/merchants/index.ts'
import type { Keyring } from '../../core/security/keyring.ts'
import { type UnitOfWork, unitOfWork } from '../../core/unit-of-work.ts'
import { startOfDay } from '../../kernel/dates.ts'
import { randomCode } from '../../kernel/ids.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { findLimitProfile, type LimitProfileRow, limitProfileErrors } from '../limit-profiles/index.ts'
import { type RequestedSplit, transactionErrors, transactionReads } from '../transactions/index.ts'
import { reservedAccountErrors } from './errors.ts'
import { sealNumber, sealSources } from './identity.ts'
import {
  findReservedAccount,
  insertReservedAccount,
  isReserved,
  type ReservedAccountRow,
  selectAccountStates,
} from './repository.ts'
import { isUnrestricted, type PaymentSources } from './sources.ts'
import { splitting } from './splits.ts'

export const PURPOSE = 'reserved-account'
const RESERVATION_REFERENCE_LENGTH = 20

export interface Deps {
  readonly core: Core
  readonly virtualAccounts: VirtualAccounts
}

/** The banks at which a merchant requests account numbers. */
export interface RequestedBanks {
  readonly all: boolean
  readonly preferred: readonly string[]
}

/** A merchant's request for a reserved account. */
export interface NewReservedAccount {
  readonly accountReference: string
  readonly type: ReservedAccountType
  readonly accountName: string
  readonly currencyCode: string
  readonly contractCode: string
  readonly customerName: string | null
  readonly customerEmail: string
  readonly bvn: string | null
  readonly nin: string | null
  readonly banks: RequestedBanks
  readonly restrictPaymentSource: boolean
  readonly allowedPaymentSources: PaymentSources | null
  readonly incomeSplitConfig: readonly RequestedSplit[]
  readonly limitProfileCode: string | null
  readonly metaData: Record<string, unknown>
  /** Whether the customer must have a BVN, a NIN or a limit profile. */
  readonly needsIdentity: boolean
  /** Whether it is a till at a shop's counter. */
  readonly isTill?: boolean
}

/** A reserved account with all the data that is shown. */
export interface ReservedAccountRecord {
  readonly account: ReservedAccountRow
  /** Its account numbers, in the order in which they were opened. */
  readonly numbers: readonly VirtualAccount[]
  readonly limitProfile: LimitProfileRow | undefined
  readonly isActive: boolean
}

/** Reserves an account with a number at each requested bank. */
export async function reserveAccount(
  { core, virtualAccounts }: Deps,
  merchant: Merchant,
  requested: NewReservedAccount,
): Promise<ReservedAccountRecord> {
  const banks = checkRequested(virtualAccounts, merchant, requested)
  const issued = await issuedNumbers({ core, virtualAccounts }, merchant.id, requested, banks)
  return unitOfWork(core, async (unit) => {
    const limitProfile = await requestedProfile(unit.tx, merchant.id, requested.limitProfileCode)
    const account = draft(unit, core.keyring, merchant, requested)
    if (!(await insertReservedAccount(unit.tx, account))) throw reservedAccountErrors.referenceTaken()
    const numbers = await openNumbers(unit, virtualAccounts, account, banks, issued)
    return { account, numbers: numbers.toSorted(inOrder), limitProfile, isActive: account.type === 'GENERAL' }
  })
}

/** Creates the row of a new account without storing it. */
function draft(
  { ids, at }: UnitOfWork,
  keyring: Keyring,
  merchant: Merchant,
  requested: NewReservedAccount,
): ReservedAccountRow {
  const owner = { merchantId: merchant.id, id: ids.id() }
  return {
    ...owner,
    accountReference: requested.accountReference,
    reservationReference: randomCode(RESERVATION_REFERENCE_LENGTH),
    type: requested.type,
    contractCode: requested.contractCode,
    accountName: requested.accountName,
    currencyCode: requested.currencyCode,
    customerName: requested.customerName,
    customerEmail: requested.customerEmail,
    bvn: sealNumber(keyring, owner, 'bvn', requested.bvn),
    nin: sealNumber(keyring, owner, 'nin', requested.nin),
    withoutIdentity: !hasIdentity(requested),
    restrictPaymentSource: requested.restrictPaymentSource,
    allowedPaymentSources: sealSources(keyring, owner, requested.allowedPaymentSources),
    ...splitting(merchant, requested.incomeSplitConfig),
    limitProfileCode: requested.limitProfileCode,
    metaData: requested.metaData,
    invoiceTransactionId: null,
    isTill: requested.isTill ?? false,
    createdAt: at,
    deallocatedAt: null,
  }
}

/** Whether the customer is identified, or a limit profile limits what an unknown customer can receive. */
const hasIdentity = ({ bvn, nin, limitProfileCode }: NewReservedAccount): boolean =>
  bvn !== null || nin !== null || limitProfileCode !== null

/** Makes the checks that need no database; returns the banks. */
function checkRequested(
  virtualAccounts: VirtualAccounts,
  merchant: Merchant,
  requested: NewReservedAccount,
): readonly string[] {
  if (requested.needsIdentity && !hasIdentity(requested)) throw reservedAccountErrors.identityRequired()
  checkSources(requested.restrictPaymentSource, requested.allowedPaymentSources)
  const contract = findContract(merchant, requested.contractCode)
  if (contract === undefined) throw transactionErrors.unknownContract()
  if (requested.currencyCode !== contract.currencyCode) throw transactionErrors.unknownCurrency()
  const banks = chosenBanks(virtualAccounts, requested.banks, 422)
  return banks.length === 0 ? [virtualAccounts.firstBank()] : banks
}

/** Rejects an empty list of allowed payers, because the account would reject every payment. */
export function checkSources(restricted: boolean, sources: PaymentSources | null): void {
  if (restricted && (sources === null || isUnrestricted(sources))) throw reservedAccountErrors.sourcesRequired()
}

/** Returns the codes of the requested banks, in our order of banks. Rejects a bank that is not our partner. */
export function chosenBanks(
  { sources }: VirtualAccounts,
  { all, preferred }: RequestedBanks,
  refusalStatus: number,
): readonly string[] {
  const { bankCodes } = sources()
  if (bankCodes.length === 0) throw accountErrors.noSource()
  if (all) return bankCodes
  const unknown = preferred.find((code) => !bankCodes.includes(code))
  if (unknown !== undefined) throw reservedAccountErrors.unknownBank(refusalStatus, unknown)
  return bankCodes.filter((code) => preferred.includes(code))
}

/** Finds the limit profile with a code, if one is given. Rejects an unknown code. */
export async function requestedProfile(
  tx: Tx,
  merchantId: bigint,
  code: string | null,
): Promise<LimitProfileRow | undefined> {
  if (code === null) return undefined
  const profile = await findLimitProfile(tx, merchantId, code)
  if (profile === undefined) throw limitProfileErrors.notFound()
  return profile
}

/** The customer of an account, for the bank. */
type Holder = Pick<
  NewReservedAccount,
  'accountReference' | 'accountName' | 'customerName' | 'customerEmail' | 'bvn' | 'nin'
>

/** Gets numbers from the banks that issue their own. No bank is called if the reference is taken. */
async function issuedNumbers(
  { core, virtualAccounts }: Deps,
  merchantId: bigint,
  holder: Holder,
  bankCodes: readonly string[],
): Promise<ReadonlyMap<string, IssuedNumber>> {
  if (!bankCodes.some(virtualAccounts.isIssued)) return new Map()
  if (await isReserved(core.db, merchantId, holder.accountReference)) throw reservedAccountErrors.referenceTaken()
  return numbersFor(virtualAccounts, merchantId, holder, bankCodes)
}

/** Gets numbers for an account from the banks that issue their own. */
export const numbersFor = (
  virtualAccounts: VirtualAccounts,
  merchantId: bigint,
  { accountReference, accountName, customerName: name, customerEmail: email, bvn, nin }: Holder,
  bankCodes: readonly string[],
): Promise<ReadonlyMap<string, IssuedNumber>> =>
  virtualAccounts.numbersFor(
    {
      ...{ merchantId, purpose: PURPOSE, ownerKey: accountReference, accountName, expiresAt: null },
      customer: { name, email, bvn, nin },
    },
    bankCodes,
  )

/** Opens a number at each bank. Numbers never expire and are never reassigned: a payer may have saved them. */
export const openNumbers = (
  { tx, at }: UnitOfWork,
  virtualAccounts: VirtualAccounts,
  account: ReservedAccountRow,
  bankCodes: readonly string[],
  issued: ReadonlyMap<string, IssuedNumber>,
): Promise<readonly VirtualAccount[]> =>
  virtualAccounts.openAll(
    tx,
    bankCodes.map((bankCode) => ({
      bankCode,
      merchantId: account.merchantId,
      purpose: PURPOSE,
      ownerId: account.id,
      accountName: account.accountName,
      openedAt: at,
      closesAt: null,
      issued: issued.get(bankCode),
    })),
  )

/** Returns the numbers of an account, in the order in which they were opened. */
export async function numbersOf(db: Db | Tx, account: ReservedAccountRow): Promise<readonly VirtualAccount[]> {
  const numbers = await accountsOf(db, PURPOSE, [{ merchantId: account.merchantId, ownerId: account.id }])
  return numbers.toSorted(inOrder)
}

/** Sorts numbers by opening time; numbers opened together are in the order of their bank codes. */
const inOrder = (one: VirtualAccount, other: VirtualAccount): number =>
  one.openedAt.getTime() - other.openedAt.getTime() || (one.bankCode < other.bankCode ? -1 : 1)

/** Reads all the data of an account that is shown. */
export async function recordOf(db: Db | Tx, account: ReservedAccountRow, at: Date): Promise<ReservedAccountRecord> {
  const [numbers, limitProfile, [state]] = await Promise.all([
    numbersOf(db, account),
    account.limitProfileCode === null ? undefined : findLimitProfile(db, account.merchantId, account.limitProfileCode),
    account.invoiceTransactionId === null ? [] : selectAccountStates(db, [account], startOfDay(at), at),
  ])
  const takesMoney = account.type === 'GENERAL' || state?.hasOpenInvoice === true
  return { account, numbers, limitProfile, isActive: takesMoney && account.deallocatedAt === null }
}

/** Finds an account that was not deallocated, with its number of transactions. */
export async function getReservedAccount(
  { db, clock }: Core,
  merchantId: bigint,
  accountReference: string,
): Promise<{ record: ReservedAccountRecord; transactionCount: number }> {
  const account = await findReservedAccount(db, merchantId, accountReference)
  if (account === undefined) throw reservedAccountErrors.notFound()
  const [record, transactionCount] = await Promise.all([
    recordOf(db, account, clock.now()),
    transactionReads.count(db, merchantId, { reservedAccountId: account.id }),
  ])
  return { record, transactionCount }
}
