import type { Merchant } from '../../core/merchants/index.ts'
import { Refusal } from '../../kernel/errors.ts'
import { inTransaction, type Tx } from '../../platform/db.ts'
import type { WantedSplit } from '../transactions/index.ts'
import { reservedAccountErrors } from './errors.ts'
import { openSources, sealNumber, sealSources } from './identity.ts'
import { lockReservedAccount, type ReservedAccountRow, updateReservedAccount } from './repository.ts'
import {
  checkSources,
  chosenBanks,
  type Deps,
  numbersOf,
  openNumbers,
  type ReservedAccountRecord,
  recordOf,
  type WantedBanks,
  wantedProfile,
} from './service.ts'
import type { PaymentSources } from './sources.ts'
import { splitting } from './splits.ts'

const { notFound, unknown } = reservedAccountErrors

/** The one way in which an account changes: locked, changed, written, and shown as it is then. */
const change = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  merchantId: bigint,
  accountReference: string,
  missing: () => Refusal,
  work: (account: ReservedAccountRow, tx: Tx, at: Date) => Promise<ReservedAccountRow> | ReservedAccountRow,
): Promise<ReservedAccountRecord> =>
  inTransaction(db, async (tx) => {
    const account = await lockReservedAccount(tx, merchantId, accountReference)
    if (account === undefined) throw missing()
    const at = clock.now()
    const changed = await work(account, tx, at)
    if (changed !== account) await updateReservedAccount(tx, changed)
    return recordOf(tx, changed, at)
  })

/** Opens numbers at further banks; those that the account has already stay. */
export const addLinkedAccounts = (
  deps: Deps,
  merchantId: bigint,
  accountReference: string,
  wanted: WantedBanks,
): Promise<ReservedAccountRecord> =>
  change(deps, merchantId, accountReference, notFound, async (account, tx, at) => {
    const present = new Set((await numbersOf(tx, account)).map(({ bankCode }) => bankCode))
    const missing = chosenBanks(wanted, 400).filter(({ code }) => !present.has(code))
    await openNumbers(tx, deps.virtualAccounts, account, missing, at)
    return account
  })

const BVN = /^\d{11}$/

export async function updateBvn(
  deps: Deps,
  merchantId: bigint,
  accountReference: string,
  bvn: string,
): Promise<ReservedAccountRecord> {
  if (!BVN.test(bvn)) throw reservedAccountErrors.invalidBvn()
  return updateIdentity(deps, merchantId, accountReference, { bvn, nin: null })
}

/** Changes the numbers that are given. */
export async function updateIdentity(
  deps: Deps,
  merchantId: bigint,
  accountReference: string,
  { bvn, nin }: { readonly bvn: string | null; readonly nin: string | null },
): Promise<ReservedAccountRecord> {
  if (bvn === null && nin === null) throw reservedAccountErrors.identityMissing()
  return change(deps, merchantId, accountReference, unknown, (account) => ({
    ...account,
    bvn: sealNumber(deps.keyring, account, 'bvn', bvn) ?? account.bvn,
    nin: sealNumber(deps.keyring, account, 'nin', nin) ?? account.nin,
  }))
}

/** Changes who may pay; what is undefined stays as it is. */
export const updatePaymentSources = (
  deps: Deps,
  merchantId: bigint,
  accountReference: string,
  wanted: { readonly restricted: boolean | undefined; readonly sources: PaymentSources | undefined },
): Promise<ReservedAccountRecord> =>
  change(deps, merchantId, accountReference, unknown, (account) => {
    const restricted = wanted.restricted ?? account.restrictPaymentSource
    const sources = wanted.sources ?? openSources(deps.keyring, account, account.allowedPaymentSources)
    checkSources(restricted, sources)
    return {
      ...account,
      restrictPaymentSource: restricted,
      allowedPaymentSources: sealSources(deps.keyring, account, sources),
    }
  })

/** Changes how payments are split, from the next one on. */
export const updateSplits = (
  deps: Deps,
  merchant: Merchant,
  accountReference: string,
  items: readonly WantedSplit[],
): Promise<ReservedAccountRecord> =>
  change(deps, merchant.id, accountReference, unknown, (account) => {
    try {
      return { ...account, ...splitting(merchant, items) }
    } catch (error) {
      throw error instanceof Refusal ? reservedAccountErrors.splitRefused(error.message) : error
    }
  })

export const setLimitProfile = (
  deps: Deps,
  merchantId: bigint,
  accountReference: string,
  limitProfileCode: string,
): Promise<ReservedAccountRecord> =>
  change(deps, merchantId, accountReference, unknown, async (account, tx) => {
    await wantedProfile(tx, merchantId, limitProfileCode)
    return { ...account, limitProfileCode }
  })

/** Ends an account: nothing finds it any more, and its numbers refuse money. */
export const deallocate = (deps: Deps, merchantId: bigint, accountReference: string): Promise<ReservedAccountRecord> =>
  change(deps, merchantId, accountReference, unknown, (account, _, at) => ({ ...account, deallocatedAt: at }))
