import type { Core } from '../core/core.ts'
import { findMerchantId, hasMerchants, type Merchant, validSecrets } from '../core/merchants/index.ts'
import { createMerchant, permissionsAtStart } from '../core/onboarding.ts'
import { unitOfWork } from '../core/unit-of-work.ts'
import { LOOPBACK } from '../features/sandbox/index.ts'
import { invariant } from '../kernel/errors.ts'
import { kobo } from '../kernel/money.ts'

const OPENING_BALANCE = kobo(1_000_000_000n) // ten million naira

/** What a developer needs to call the API. Holds a secret: print it for a person, never log it. */
export interface Credentials {
  readonly baseUrl: string
  readonly apiKey: string
  readonly secretKey: string
  readonly contractCode: string
  readonly walletAccountNumber: string
}

/** Makes the demo merchant in a sandbox that has no merchant yet. */
export async function ensureDemoMerchant(core: Core): Promise<void> {
  await unitOfWork(core, async (unit) => {
    if (!(await hasMerchants(unit.tx))) await createMerchant(unit, core.keyring, DEMO_MERCHANT)
  })
}

/** Makes a further merchant like it; answers its id. */
export const createDemoMerchant = (core: Core): Promise<bigint> =>
  unitOfWork(core, (unit) => createMerchant(unit, core.keyring, DEMO_MERCHANT))

/** A merchant who may do everything, with money to do it. */
const DEMO_MERCHANT = {
  name: 'Demo Shop',
  email: 'demo@example.com',
  environment: 'sandbox',
  ipWhitelist: LOOPBACK,
  permissions: permissionsAtStart('sandbox'),
  openingBalance: OPENING_BALANCE,
} as const

/** The credentials of a merchant: the one with this code, or the first. */
export async function readCredentials(
  { db, directory, clock }: Core,
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
