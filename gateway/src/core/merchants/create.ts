import { PAYMENT_METHODS, PERMISSIONS, type Permission } from '@kobo/contract'
import { invariant } from '../../kernel/errors.ts'
import { type IdSource, randomCode, randomDigits } from '../../kernel/ids.ts'
import { type Kobo, kobo } from '../../kernel/money.ts'
import type { Environment } from '../../platform/config.ts'
import type { Tx } from '../../platform/db.ts'
import { audit } from '../audit.ts'
import { WALLET_BANK } from '../banks/index.ts'
import type { Keyring } from '../keyring.ts'
import { accounts, post } from '../ledger/index.ts'
import { STANDARD_TIME } from '../settlement-cycle/index.ts'
import { virtualAccounts } from '../virtual-accounts/index.ts'
import { secretContext } from './directory.ts'
import { expireOtherSecrets, insertContract, insertMainWallet, insertMerchant, insertSecret } from './repository.ts'

export interface NewMerchant {
  readonly name: string
  readonly email: string
  readonly environment: Environment
  readonly ipWhitelist: readonly string[]
  readonly permissions: readonly Permission[]
  /** Sandbox only: play money in the wallet. */
  readonly openingBalance?: Kobo
}

interface Tools {
  readonly ids: IdSource
  readonly keyring: Keyring
}

const SECRET_LENGTH = 32

/** The terms of a new contract: 1.5 % capped at 2,000 naira, for cash 1 % capped at 1,000, borne by the merchant. */
const CONTRACT_TERMS = {
  description: 'Collections',
  currencyCode: 'NGN',
  paymentMethods: PAYMENT_METHODS,
  accountDurationSeconds: 2_400,
  feeBasisPoints: 150,
  feeCap: kobo(200_000n),
  feeFlat: kobo(0n),
  feeBearer: 'MERCHANT',
  cashFeeBasisPoints: 100,
  cashFeeCap: kobo(100_000n),
  cashFeeFlat: kobo(0n),
  underpayment: 'ACCEPT',
  settlement: 'DAILY',
  settlementTime: STANDARD_TIME,
  settlementDestination: 'WALLET',
  settlementBankCode: null,
  settlementAccountNumber: null,
  settlementAccountName: null,
} as const

/** In sandbox all is permitted from the start but bills, which a merchant must ask for; in live all must be granted. */
export const permissionsAtStart = (environment: Environment): readonly Permission[] =>
  environment === 'sandbox' ? PERMISSIONS.filter((permission) => permission !== 'bills') : []

/** Creates a merchant with a contract, a wallet and keys; answers its id and its contract's code. */
export async function createMerchant(tx: Tx, { ids, keyring }: Tools, at: Date, wanted: NewMerchant): Promise<bigint> {
  const id = ids.id()
  const [account] = await virtualAccounts().open(tx, [
    {
      bankCode: WALLET_BANK.code,
      merchantId: id,
      purpose: 'wallet',
      ownerId: id,
      accountName: wanted.name,
      openedAt: at,
      closesAt: null,
    },
  ])
  invariant(account !== undefined, 'as many accounts are opened as were wanted')
  const walletAccountNumber = account.accountNumber
  await insertMerchant(tx, {
    id,
    code: randomCode(12),
    name: wanted.name,
    email: wanted.email,
    apiKey: `MK_${wanted.environment === 'sandbox' ? 'TEST' : 'PROD'}_${randomCode(10)}`,
    walletAccountNumber,
    ipWhitelist: wanted.ipWhitelist,
    permissions: wanted.permissions,
    createdAt: at,
  })
  await insertMainWallet(tx, {
    merchantId: id,
    id,
    accountNumber: walletAccountNumber,
    name: wanted.name,
    createdAt: at,
  })
  await insertContract(tx, {
    ...CONTRACT_TERMS,
    merchantId: id,
    code: randomDigits(12),
    name: wanted.name,
    createdAt: at,
  })
  await insertSecret(tx, id, ids.id(), keyring.seal(randomCode(SECRET_LENGTH), secretContext(id)), at)
  if (wanted.openingBalance !== undefined) {
    const moves = [
      { from: accounts.clearing('funding'), to: accounts.wallet(walletAccountNumber), amount: wanted.openingBalance },
    ]
    await post({ tx, ids, at, wake: () => {} }, [{ merchantId: id, key: 'opening', memo: 'Opening balance', moves }])
  }
  await audit({ tx, ids, at, wake: () => {} }, { merchantId: id, act: 'merchant.create', actor: 'command line' })
  return id
}

/** Gives a merchant a new secret key; the old ones stay valid until the overlap ends. Answers the new one, this once. */
export async function rotateSecret(
  tx: Tx,
  { ids, keyring }: Tools,
  at: Date,
  merchantId: bigint,
  overlapEnds: Date,
): Promise<string> {
  const id = ids.id()
  const secret = randomCode(SECRET_LENGTH)
  await insertSecret(tx, merchantId, id, keyring.seal(secret, secretContext(merchantId)), at)
  await expireOtherSecrets(tx, merchantId, id, overlapEnds)
  await audit(
    { tx, ids, at, wake: () => {} },
    { merchantId, act: 'secret.rotate', actor: 'command line', details: { overlapEnds } },
  )
  return secret
}
