import type { Core } from '../../core/core.ts'
import { findMerchantId, firstContract, hasMerchants, type Merchant, validSecrets } from '../../core/merchants/index.ts'
import { createMerchant, permissionsAtStart, whitelistAtStart } from '../../core/onboarding.ts'
import { findPersonByEmail, insertMembership, insertPerson } from '../../core/sessions/index.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import { invariant } from '../../kernel/errors.ts'
import { kobo } from '../../kernel/money.ts'
import { createLink, linkAddress } from '../sign-in/index.ts'

const OPENING_BALANCE = kobo(1_000_000_000n) // ten million naira

/** The credentials to call the API. They include a secret: print it, never log it. */
export interface Credentials {
  readonly baseUrl: string
  readonly apiKey: string
  readonly secretKey: string
  readonly contractCode: string
  readonly walletAccountNumber: string
}

/** Creates the demo merchant and its owner, if the sandbox has no merchant yet. */
export async function ensureDemoMerchant(core: Core): Promise<void> {
  await unitOfWork(core, async (unit) => {
    if (!(await hasMerchants(unit.tx))) await createMerchant(unit, core.keyring, DEMO_MERCHANT)
  })
  await ensureDemoOwner(core)
}

/** Creates the demo merchant's owner, if that is the first merchant. At startup Kobo prints a sign-in link. */
async function ensureDemoOwner(core: Core): Promise<void> {
  const merchantId = await findMerchantId(core.db)
  const merchant = merchantId === undefined ? undefined : await core.directory.byId(merchantId)
  if (merchant?.email !== DEMO_MERCHANT.email) return
  const at = core.wall.now()
  await unitOfWork(core, async ({ tx, ids }) => {
    const owner = { id: ids.id(), email: DEMO_MERCHANT.email, name: 'Demo Owner', operatorRole: null, createdAt: at }
    if (!(await insertPerson(tx, owner))) return
    const place = { role: 'owner', approves: true } as const
    await insertMembership(tx, { merchantId: merchant.id, personId: owner.id, ...place, createdAt: at })
  })
}

/** Creates a link that signs in the demo merchant's owner. It works once, within a day. */
export async function demoSignInLink(core: Core, baseUrl: string): Promise<string | undefined> {
  if ((await findPersonByEmail(core.db, DEMO_MERCHANT.email)) === undefined) return undefined
  const { email } = DEMO_MERCHANT
  const { token } = await unitOfWork(core, (unit) => createLink(unit, { kind: 'SIGN_IN', email, at: core.wall.now() }))
  return linkAddress(baseUrl, token)
}

/** Creates another merchant like the demo merchant; returns its id. */
export const createDemoMerchant = (core: Core): Promise<bigint> =>
  unitOfWork(core, (unit) => createMerchant(unit, core.keyring, DEMO_MERCHANT))

/** A merchant with every permission and an opening balance. */
const DEMO_MERCHANT = {
  name: 'Demo Shop',
  email: 'demo@example.com',
  environment: 'sandbox',
  ipWhitelist: whitelistAtStart('sandbox'),
  permissions: permissionsAtStart('sandbox'),
  openingBalance: OPENING_BALANCE,
} as const

/** Reads the credentials of the merchant with this code, or of the first merchant. */
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
  invariant(secret !== undefined, 'a merchant has a secret')
  const { code: contractCode } = firstContract(merchant)
  const { apiKey, walletAccountNumber } = merchant
  return { baseUrl, apiKey, secretKey: secret.key.reveal(), contractCode, walletAccountNumber }
}
