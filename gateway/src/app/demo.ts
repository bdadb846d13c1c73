import type { Keyring } from '../core/keyring.ts'
import {
  createMerchant,
  findMerchantId,
  hasMerchants,
  type Merchant,
  type MerchantDirectory,
  permissionsAtStart,
  validSecrets,
} from '../core/merchants/index.ts'
import { LOOPBACK } from '../features/sandbox/index.ts'
import type { Clock } from '../kernel/clock.ts'
import { invariant } from '../kernel/errors.ts'
import type { IdSource } from '../kernel/ids.ts'
import { kobo } from '../kernel/money.ts'
import { type Db, inTransaction, type Tx } from '../platform/db.ts'

const OPENING_BALANCE = kobo(1_000_000_000n) // ten million naira

/** What a developer needs to call the API. Holds a secret: print it for a person, never log it. */
export interface Credentials {
  readonly baseUrl: string
  readonly apiKey: string
  readonly secretKey: string
  readonly contractCode: string
  readonly walletAccountNumber: string
}

interface Tools {
  readonly ids: IdSource
  readonly keyring: Keyring
}

/** Makes the demo merchant in a sandbox that has no merchant yet. */
export async function ensureDemoMerchant(db: Db, tools: Tools, clock: Clock): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (!(await hasMerchants(tx))) await createDemoMerchant(tx, tools, clock)
  })
}

/** A merchant who may do everything, with money to do it. */
export const createDemoMerchant = (tx: Tx, tools: Tools, clock: Clock): Promise<bigint> =>
  createMerchant(tx, tools, clock.now(), {
    name: 'Demo Shop',
    email: 'demo@example.com',
    environment: 'sandbox',
    ipWhitelist: LOOPBACK,
    permissions: permissionsAtStart('sandbox'),
    openingBalance: OPENING_BALANCE,
  })

/** The credentials of a merchant: the one with this code, or the first. */
export async function readCredentials(
  db: Db,
  directory: MerchantDirectory,
  clock: Clock,
  baseUrl: string,
  merchantCode?: string,
): Promise<Credentials | undefined> {
  const id = await findMerchantId(db, merchantCode)
  const merchant = id === undefined ? undefined : await directory.byId(id)
  return merchant === undefined ? undefined : credentialsOf(merchant, clock.now(), baseUrl)
}

function credentialsOf(merchant: Merchant, at: Date, baseUrl: string): Credentials {
  const [secret] = validSecrets(merchant, at)
  const [contractCode] = merchant.contracts.keys()
  invariant(secret !== undefined && contractCode !== undefined, 'a merchant has a secret and a contract')
  const { apiKey, walletAccountNumber } = merchant
  return { baseUrl, apiKey, secretKey: secret.key.reveal(), contractCode, walletAccountNumber }
}
