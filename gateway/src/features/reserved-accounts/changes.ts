import { closeIssued, findAccounts } from '../../core/account-numbers/index.ts'
import type { Core } from '../../core/core.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import { type UnitOfWork, unitOfWork } from '../../core/unit-of-work.ts'
import { Refusal } from '../../kernel/errors.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import type { RequestedSplit } from '../transactions/index.ts'
import { reservedAccountErrors } from './errors.ts'
import { openNumber, openSources, sealNumber, sealSources } from './identity.ts'
import {
  findReservedAccount,
  findReservedAccountById,
  lockReservedAccount,
  type ReservedAccountRow,
  updateReservedAccount,
} from './repository.ts'
import {
  checkSources,
  chosenBanks,
  type Deps,
  numbersFor,
  numbersOf,
  openNumbers,
  PURPOSE,
  type RequestedBanks,
  type ReservedAccountRecord,
  recordOf,
  requestedProfile,
} from './service.ts'
import type { PaymentSources } from './sources.ts'
import { splitting } from './splits.ts'

const { notFound, unknown } = reservedAccountErrors

/**
 * Locks, changes and writes an account, and returns the result. Every change of an account goes through this function.
 */
const change = (
  core: Core,
  merchantId: bigint,
  accountReference: string,
  missing: () => Refusal,
  work: (account: ReservedAccountRow, unit: UnitOfWork) => Promise<ReservedAccountRow> | ReservedAccountRow,
): Promise<ReservedAccountRecord> =>
  unitOfWork(core, async (unit) => {
    const account = await lockReservedAccount(unit.tx, merchantId, accountReference)
    if (account === undefined) throw missing()
    const changed = await work(account, unit)
    if (changed !== account) updateReservedAccount(unit.tx, changed)
    return recordOf(unit.tx, changed, unit.at)
  })

/** Opens numbers at further banks; existing numbers stay. */
export async function addLinkedAccounts(
  { core, virtualAccounts }: Deps,
  merchantId: bigint,
  accountReference: string,
  requested: RequestedBanks,
): Promise<ReservedAccountRecord> {
  const found = await findReservedAccount(core.db, merchantId, accountReference)
  if (found === undefined) throw notFound()
  const missingIn = async (db: Db | Tx): Promise<readonly string[]> => {
    const present = new Set((await numbersOf(db, found)).map(({ bankCode }) => bankCode))
    return chosenBanks(virtualAccounts, requested, 400).filter((bankCode) => !present.has(bankCode))
  }
  const holder = { ...found, bvn: numberOf(core, found, 'bvn'), nin: numberOf(core, found, 'nin') }
  const issued = await numbersFor(virtualAccounts, merchantId, holder, await missingIn(core.db))
  return change(core, merchantId, accountReference, notFound, async (account, unit) => {
    await openNumbers(unit, virtualAccounts, account, await missingIn(unit.tx), issued)
    return account
  })
}

const numberOf = ({ keyring }: Core, account: ReservedAccountRow, which: 'bvn' | 'nin'): string | null =>
  openNumber(keyring, account, which, account[which])

const BVN = /^\d{11}$/

export async function updateBvn(
  core: Core,
  merchantId: bigint,
  accountReference: string,
  bvn: string,
): Promise<ReservedAccountRecord> {
  if (!BVN.test(bvn)) throw reservedAccountErrors.invalidBvn()
  return updateIdentity(core, merchantId, accountReference, { bvn, nin: null })
}

/** Changes the BVN and the NIN; null leaves the stored number as it is. */
export async function updateIdentity(
  core: Core,
  merchantId: bigint,
  accountReference: string,
  { bvn, nin }: { readonly bvn: string | null; readonly nin: string | null },
): Promise<ReservedAccountRecord> {
  if (bvn === null && nin === null) throw reservedAccountErrors.identityMissing()
  return change(core, merchantId, accountReference, unknown, (account) => ({
    ...account,
    bvn: sealNumber(core.keyring, account, 'bvn', bvn) ?? account.bvn,
    nin: sealNumber(core.keyring, account, 'nin', nin) ?? account.nin,
  }))
}

/** Changes who may pay; undefined fields stay as they are. */
export const updatePaymentSources = (
  core: Core,
  merchantId: bigint,
  accountReference: string,
  requested: { readonly restricted: boolean | undefined; readonly sources: PaymentSources | undefined },
): Promise<ReservedAccountRecord> =>
  change(core, merchantId, accountReference, unknown, (account) => {
    const restricted = requested.restricted ?? account.restrictPaymentSource
    const sources = requested.sources ?? openSources(core.keyring, account, account.allowedPaymentSources)
    checkSources(restricted, sources)
    return {
      ...account,
      restrictPaymentSource: restricted,
      allowedPaymentSources: sealSources(core.keyring, account, sources),
    }
  })

/** Changes how payments are split, from the next one on. */
export const updateSplits = (
  core: Core,
  merchant: Merchant,
  accountReference: string,
  items: readonly RequestedSplit[],
): Promise<ReservedAccountRecord> =>
  change(core, merchant.id, accountReference, unknown, (account) => {
    try {
      return { ...account, ...splitting(merchant, items) }
    } catch (error) {
      throw error instanceof Refusal ? reservedAccountErrors.splitRejected(error) : error
    }
  })

export const setLimitProfile = (
  core: Core,
  merchantId: bigint,
  accountReference: string,
  limitProfileCode: string,
): Promise<ReservedAccountRecord> =>
  change(core, merchantId, accountReference, unknown, async (account, { tx }) => {
    await requestedProfile(tx, merchantId, limitProfileCode)
    return { ...account, limitProfileCode }
  })

/** Ends an account: it can no longer be found, and its numbers reject money. */
export const deallocate = async (deps: Deps, merchantId: bigint, given: string): Promise<ReservedAccountRecord> =>
  change(deps.core, merchantId, await referenceOf(deps, merchantId, given), unknown, (account, { tx, at }) => {
    // A number that we made stays bound to the account forever. A number that a bank issued goes back to that bank.
    closeIssued(tx, PURPOSE, [{ merchantId, ownerId: account.id }], at)
    return { ...account, deallocatedAt: at }
  })

const ACCOUNT_NUMBER = /^\d{10}$/

/** Returns the reference of an account. `given` is that reference, or one of the account's numbers at our banks. */
async function referenceOf(
  { core: { db }, virtualAccounts }: Deps,
  merchantId: bigint,
  given: string,
): Promise<string> {
  if (!ACCOUNT_NUMBER.test(given) || (await findReservedAccount(db, merchantId, given)) !== undefined) return given
  const { bankCodes } = virtualAccounts.sources()
  const found = await findAccounts(
    db,
    bankCodes.map((bankCode) => ({ bankCode, accountNumber: given })),
  )
  const owners = [...found.values()].filter((one) => one.merchantId === merchantId && one.purpose === PURPOSE)
  const [owner] = owners
  if (owner === undefined || owners.length > 1) return given
  return (await findReservedAccountById(db, { merchantId, id: owner.ownerId }))?.accountReference ?? given
}
