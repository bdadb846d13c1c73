import { type CompatSetting, MONEY_OUT_SCOPES, type NotificationTopic, type Permission } from '@kobo/contract'
import type { Kobo } from '../../kernel/money.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { column, type Row, table } from '../../platform/postgres/table.ts'
import type { FeeBearer } from '../pricing/index.ts'

/**
 * SUSPENDED and CLOSED merchants cannot call the API and their money does not leave; incoming money is still posted.
 */
export type MerchantStatus = 'ACTIVE' | 'SUSPENDED' | 'CLOSED'

/** A stored approval policy; amounts are kobo as digits. */
export interface StoredPolicy {
  readonly freeBelow: string
  readonly twoFrom: string | null
  readonly soleUpTo: string
  readonly coversApi: boolean
}

/** Merchants, and the directory from API key to merchant. */
const merchants = table('merchant', ['id'], {
  id: column<bigint>(),
  code: column<string>(),
  name: column<string>(),
  email: column<string>(),
  apiKey: column<string>(),
  walletAccountNumber: column<string>(),
  /** The bank of its wallet number; null if no bank has assigned the number and only Kobo uses it. */
  walletBankCode: column<string | null>(),
  /** Whether transfers wait for a mailed code. */
  otpEnabled: column<boolean>(),
  /** IP addresses and CIDR ranges it may call from. */
  ipWhitelist: column<readonly string[]>(),
  permissions: column<readonly Permission[]>(),
  /** Origins that may open payments with the inline script; empty for none. */
  inlineOrigins: column<readonly string[]>(),
  /** The merchant is notified when its wallet falls below this balance. */
  lowBalanceThreshold: column<Kobo | null>(),
  /** Sandbox only: FAIL makes every mail to the merchant fail. */
  mail: column<'OK' | 'FAIL'>(),
  /** The merchant's status. The column and the API call it standing. */
  standing: column<MerchantStatus>(),
  /** When the last requests of a closed merchant have ended; null once the items that they opened are ended too. */
  lastRequestsEndAt: column<Date | null>(),
  createdAt: column<Date>(),
  /** The colour of its payment pages, such as #0c3b2a. */
  brandColour: column<string | null>(),
  supportContact: column<string | null>(),
  logoHash: column<string | null>(),
  /** How many people must approve which payouts, if the merchant has chosen a policy. */
  approvalPolicy: column<StoredPolicy | null>(),
  /** The share of collections withheld against disputes, in hundredths of a percent, and for how many days. */
  reserveBasisPoints: column<number | null>(),
  reserveDays: column<number | null>(),
  /** The rules relaxed for its older clients. */
  compat: column<readonly CompatSetting[]>(),
  /** The topics about which its own address gets no mails. */
  mutedTopics: column<readonly NotificationTopic[]>(),
})

/** The merchant table, to join in queries that know a reference but no merchant: from ${EVERY_MERCHANT} m. */
export const EVERY_MERCHANT = merchants.name
export type MerchantRow = Row<typeof merchants>

export const insertMerchant = (tx: Tx, row: MerchantRow): void => merchants.insert(tx, [row])

export async function selectMerchant(db: Db, id: bigint): Promise<MerchantRow | undefined> {
  const [row] = await db<MerchantRow[]>`select ${merchants.columns} from merchant where id = ${id}`
  return row
}

/** Locks a merchant until the transaction ends. */
export async function lockMerchant(tx: Tx, id: bigint): Promise<MerchantRow | undefined> {
  const [row] = await tx<MerchantRow[]>`select ${merchants.columns} from merchant where id = ${id} for no key update`
  return row
}

/** Finds the merchants of API keys; undefined for unknown keys. */
export async function findByApiKeys(db: Db, apiKeys: readonly string[]): Promise<readonly (bigint | undefined)[]> {
  const rows = await db<{ apiKey: string; id: bigint }[]>`
    select m.api_key, m.id
      from unnest(${apiKeys}::text[]) k (api_key)
     cross join lateral (select api_key, id from merchant where api_key = k.api_key limit 1) m`
  const found = new Map(rows.map(({ apiKey, id }) => [apiKey, id]))
  return apiKeys.map((apiKey) => found.get(apiKey))
}

/** Finds the merchant with this code; without a code, the first merchant of this database. */
export async function findMerchantId(db: Db | Tx, code?: string): Promise<bigint | undefined> {
  const [row] = await db<{ id: bigint }[]>`
    select id from merchant ${code === undefined ? sql`` : sql`where code = ${code}`} order by id limit 1`
  return row?.id
}

const LISTED_MAX = 1_000

/** Reads the merchants, oldest first, for an operator. */
export const listMerchants = (
  db: Db,
): Promise<Pick<MerchantRow, 'id' | 'code' | 'name' | 'email' | 'apiKey' | 'permissions' | 'standing'>[]> =>
  db<Pick<MerchantRow, 'id' | 'code' | 'name' | 'email' | 'apiKey' | 'permissions' | 'standing'>[]>`
    select id, code, name, email, api_key, permissions, standing from merchant order by id limit ${LISTED_MAX}`

/**
 * Reads a page of merchants, newest first, with ids in a range; filtered by status and by a text in name, email address
 * or code.
 */
export const selectMerchantPage = (
  db: Db,
  requested: {
    readonly text: string | null
    readonly standing: MerchantStatus | null
    readonly from: bigint
    readonly before: bigint
  },
  limit: number,
): Promise<MerchantRow[]> =>
  // Over all merchants: for the operator.
  db<MerchantRow[]>`
    select ${merchants.columns} from merchant
     where id >= ${requested.from} and id < ${requested.before}
       and (${requested.standing}::text is null or standing = ${requested.standing}::text)
       and (${requested.text}::text is null or position(lower(${requested.text}::text) in lower(name || ' ' || email || ' ' || code)) > 0)
     order by id desc
     limit ${limit}`

/** Whether any merchant exists; blocks the creation of others until the transaction ends. */
export async function hasMerchants(tx: Tx): Promise<boolean> {
  await tx`lock table merchant in share row exclusive mode`
  const [row] = await tx`select from merchant limit 1`
  return row !== undefined
}

export type MerchantChange = Partial<
  Pick<
    MerchantRow,
    | 'otpEnabled'
    | 'ipWhitelist'
    | 'permissions'
    | 'inlineOrigins'
    | 'lowBalanceThreshold'
    | 'mail'
    | 'standing'
    | 'lastRequestsEndAt'
    | 'approvalPolicy'
    | 'brandColour'
    | 'supportContact'
    | 'logoHash'
    | 'reserveBasisPoints'
    | 'reserveDays'
    | 'compat'
    | 'mutedTopics'
  >
>

export function updateMerchant(tx: Tx, id: bigint, change: MerchantChange): void {
  void merchants.change(tx, sql`id = ${id}`, change)
}

/** Takes a closed merchant whose last requests have ended. Each merchant is returned only once. */
export async function takeClosed(tx: Tx, at: Date): Promise<bigint | undefined> {
  const [row] = await tx<{ id: bigint }[]>`
    select id from merchant where last_requests_end_at <= ${at} order by last_requests_end_at limit 1 for update`
  if (row !== undefined) updateMerchant(tx, row.id, { lastRequestsEndAt: null })
  return row?.id
}

/** Returns when the last requests of the next closed merchant end. */
export async function nextClosed(db: Db): Promise<Date | undefined> {
  const [row] = await db<{ due: Date | null }[]>`
    select min(last_requests_end_at) as due from merchant`
  return row?.due ?? undefined
}

/** Merchants' collection terms. */
const contracts = table('contract', ['merchantId', 'code'], {
  merchantId: column<bigint>(),
  code: column<string>(),
  name: column<string>(),
  description: column<string>(),
  currencyCode: column<string>(),
  paymentMethods: column<readonly string[]>(),
  accountDurationSeconds: column<number>(),
  feeBearer: column<FeeBearer>(),
  underpayment: column<'ACCEPT' | 'REJECT'>(),
  settlement: column<'INSTANT' | 'DAILY'>(),
  /** Time of day in Lagos, such as 22:00. */
  settlementTime: column<string>(),
  settlementDestination: column<'WALLET' | 'BANK'>(),
  /** The bank account for settlements, if the destination is BANK. */
  settlementBankCode: column<string | null>(),
  settlementAccountNumber: column<string | null>(),
  settlementAccountName: column<string | null>(),
  createdAt: column<Date>(),
  /** Since when it accepts no new collections, if so. */
  disabledAt: column<Date | null>(),
})
export type ContractRow = Row<typeof contracts>

export const insertContract = (tx: Tx, row: ContractRow): void => contracts.insert(tx, [row])

/** Reads a merchant's contracts, oldest first. */
export const selectContracts = (db: Db | Tx, merchantId: bigint): Promise<ContractRow[]> =>
  db<ContractRow[]>`
    select ${contracts.columns} from contract where merchant_id = ${merchantId} order by created_at, code`

export type ContractChange = Partial<
  Pick<
    ContractRow,
    | 'feeBearer'
    | 'underpayment'
    | 'settlement'
    | 'settlementTime'
    | 'settlementDestination'
    | 'settlementBankCode'
    | 'settlementAccountNumber'
    | 'settlementAccountName'
    | 'paymentMethods'
    | 'accountDurationSeconds'
    | 'disabledAt'
  >
>

export function updateContract(tx: Tx, merchantId: bigint, code: string, change: ContractChange): void {
  void contracts.change(tx, sql`merchant_id = ${merchantId} and code = ${code}`, change)
}

/** Secret keys, encrypted. Two are valid during a rotation. */
export const secrets = table('merchant_secret', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  sealed: column<Buffer>(),
  createdAt: column<Date>(),
  /** The first login with it: from then on it signs webhooks. */
  firstUsedAt: column<Date | null>(),
  expiresAt: column<Date | null>(),
  /** The team member who created it and so knows it; null for the operator and the gateway. */
  madeBy: column<bigint | null>(),
})
export type SecretRow = Row<typeof secrets>

export const insertSecret = (tx: Tx, row: SecretRow): void => secrets.insert(tx, [row])

/** Reads a merchant's secret keys, newest first. */
export const selectSecrets = (db: Db, merchantId: bigint): Promise<SecretRow[]> =>
  db<SecretRow[]>`
    select ${secrets.columns} from merchant_secret where merchant_id = ${merchantId} order by id desc`

/** A team member who created a key that can move money out, and until when that key is valid. */
export interface KeyHolder {
  readonly personId: bigint
  readonly expiresAt: Date | null
}

/** Reads which team members know a merchant's keys that can move money out. */
export const selectKeyHolders = (db: Db | Tx, merchantId: bigint): Promise<KeyHolder[]> =>
  db<KeyHolder[]>`
    select made_by as person_id, expires_at
      from merchant_secret where merchant_id = ${merchantId} and made_by is not null
    union all
    select made_by, least(expires_at, revoked_at)
      from restricted_key where merchant_id = ${merchantId} and scopes && ${MONEY_OUT_SCOPES}::text[]`

/** Makes all secrets but one expire at the given time, unless they expire earlier. */
export function expireOtherSecrets(tx: Tx, merchantId: bigint, keep: bigint, at: Date): void {
  void tx`
    update merchant_secret
       set expires_at = least(coalesce(expires_at, 'infinity'), ${at})
     where merchant_id = ${merchantId} and id <> ${keep}`
}

export function markSecretUsed(tx: Tx, merchantId: bigint, id: bigint, at: Date): void {
  void tx`update merchant_secret set first_used_at = ${at} where merchant_id = ${merchantId} and id = ${id} and first_used_at is null`
}

/** Announces to every node, on commit, that a merchant, or every merchant, has changed. */
export function notifyMerchantChanged(tx: Tx, channel: string, which: bigint | 'all'): void {
  void tx`select pg_notify(${channel}, ${String(which)})`
}

/** Reads the merchant ids after a given id, in order, up to a limit. */
export async function selectMerchantIds(db: Db, after: bigint, limit: number): Promise<readonly bigint[]> {
  const rows = await db<{ id: bigint }[]>`select id from merchant where id > ${after} order by id limit ${limit}`
  return rows.map(({ id }) => id)
}
