import { PAYMENT_METHODS, PERMISSIONS, type Permission } from '@kobo/contract'
import { invariant } from '../kernel/errors.ts'
import { randomCode, randomDigits } from '../kernel/ids.ts'
import type { Kobo } from '../kernel/money.ts'
import type { Environment } from '../platform/config/config.ts'
import { accountErrors, accountSources, openVirtualAccounts, selectSources } from './account-numbers/index.ts'
import { API_KEY_PREFIXES } from './environment.ts'
import { ANY_ORIGIN, addSecret, insertContract, insertMerchant } from './merchants/index.ts'
import { accounts, post } from './money/ledger/index.ts'
import { STANDARD_TIME } from './money/settlement-cycle/index.ts'
import { insertWallet } from './money/wallet-balances/index.ts'
import { type AuditRecord, audit } from './security/audit.ts'
import type { Keyring } from './security/keyring.ts'
import type { UnitOfWork } from './unit-of-work.ts'

export interface NewMerchant {
  readonly name: string
  readonly email: string
  readonly environment: Environment
  readonly ipWhitelist: readonly string[]
  readonly permissions: readonly Permission[]
  /** Sandbox only: test money in the wallet. */
  readonly openingBalance?: Kobo
  /** The actor for the audit log, if not the command line. */
  readonly by?: Pick<AuditRecord, 'actor' | 'name' | 'address'>
}

/** The terms of a new contract; fees are in the price list. */
export const CONTRACT_TERMS = {
  description: 'Collections',
  currencyCode: 'NGN',
  paymentMethods: PAYMENT_METHODS,
  accountDurationSeconds: 2_400,
  feeBearer: 'MERCHANT',
  underpayment: 'ACCEPT',
  settlement: 'DAILY',
  settlementTime: STANDARD_TIME,
  settlementDestination: 'WALLET',
  settlementBankCode: null,
  settlementAccountNumber: null,
  settlementAccountName: null,
  disabledAt: null,
} as const

/** A sandbox merchant has all permissions except bills, which it must request; in live mode all must be granted. */
export const permissionsAtStart = (environment: Environment): readonly Permission[] =>
  environment === 'sandbox' ? PERMISSIONS.filter((permission) => permission !== 'bills') : []

/** A sandbox merchant calls from its own machine; a live merchant cannot call until its addresses are registered. */
export const whitelistAtStart = (environment: Environment): readonly string[] =>
  environment === 'sandbox' ? ['127.0.0.0/8', '::1'] : []

/** In the sandbox any page may use the inline script; in live mode the merchant's sites are registered first. */
export const originsAtStart = (environment: Environment): readonly string[] =>
  environment === 'sandbox' ? [ANY_ORIGIN] : []

/** Creates a merchant with a contract, a wallet and keys; returns its id. */
export async function createMerchant(unit: UnitOfWork, keyring: Keyring, requested: NewMerchant): Promise<bigint> {
  const { tx, ids, at } = unit
  const { name, email, ipWhitelist, permissions } = requested
  const id = ids.id()
  const { accountNumber, bankCode } = await openWalletAccount(unit, id, name)
  insertMerchant(tx, {
    id,
    code: randomCode(12),
    name,
    email,
    apiKey: `${API_KEY_PREFIXES[requested.environment]}${randomCode(10)}`,
    walletAccountNumber: accountNumber,
    walletBankCode: bankCode,
    otpEnabled: true,
    ipWhitelist,
    permissions,
    inlineOrigins: originsAtStart(requested.environment),
    lowBalanceThreshold: null,
    mail: 'OK',
    standing: 'ACTIVE',
    lastRequestsEndAt: null,
    createdAt: at,
    approvalPolicy: null,
    brandColour: null,
    supportContact: null,
    logoHash: null,
    reserveBasisPoints: null,
    reserveDays: null,
    compat: [],
    mutedTopics: [],
  })
  await insertWallet(tx, {
    merchantId: id,
    id, // a merchant has one main wallet, so the merchant's id identifies it
    accountNumber,
    type: 'MAIN',
    name,
    reference: null,
    customerName: null,
    customerEmail: null,
    createdAt: at,
    bvnDetails: null,
  })
  insertContract(tx, { ...CONTRACT_TERMS, merchantId: id, code: randomDigits(12), name, createdAt: at })
  addSecret(unit, keyring, id)
  if (requested.openingBalance !== undefined) await fund(unit, id, accountNumber, requested.openingBalance)
  audit(unit, { actor: 'command line', ...requested.by, merchantId: id, act: 'merchant.create' })
  return id
}

/**
 * Opens the account number of a merchant's own wallet. If no bank provides numbers for wallets, the wallet gets
 * one of Kobo's own numbers, which cannot receive money.
 */
async function openWalletAccount(
  { tx, at, ids }: UnitOfWork,
  merchantId: bigint,
  accountName: string,
): Promise<{ readonly accountNumber: string; readonly bankCode: string | null }> {
  const sources = accountSources(await selectSources(tx))
  // Wallets get only numbers that Kobo creates under a bank's prefix, so none is requested from a partner.
  const issuing = { obtain: () => Promise.reject(accountErrors.noSource()) }
  const { openAll, ownNumber } = openVirtualAccounts(() => sources, issuing, ids.cell)
  const bankCode = sources.walletBankCode
  if (bankCode === null) return { accountNumber: await ownNumber(tx), bankCode }
  const requested = { bankCode, merchantId, purpose: 'wallet', ownerId: merchantId, accountName } as const
  const [account] = await openAll(tx, [{ ...requested, openedAt: at, closesAt: null }])
  invariant(account !== undefined, 'the requested account was opened')
  return account
}

async function fund(unit: UnitOfWork, merchantId: bigint, accountNumber: string, amount: Kobo): Promise<void> {
  const moves = [{ from: accounts.clearing('funding'), to: accounts.wallet(accountNumber), amount }]
  await post(unit, [{ merchantId, key: 'opening', memo: 'Opening balance', moves }])
}
