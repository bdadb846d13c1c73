import type { Permission } from '@kobo/contract'
import type { Kobo } from '../../kernel/money.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { sql } from '../../platform/sql.ts'
import { column, type Row, table } from '../../platform/table.ts'
import type { FeeBearer } from '../money/pricing/index.ts'

/** SUSPENDED and CLOSED may not call, and none of their money leaves; what arrives is still booked. */
export type Standing = 'ACTIVE' | 'SUSPENDED' | 'CLOSED'

/** A policy of approvals as it is kept; amounts are kobo in digits. */
export interface StoredPolicy {
  readonly freeBelow: string
  readonly twoFrom: string | null
  readonly soleUpTo: string
  readonly coversApi: boolean
}

/** Whose money it is. Also the directory from an API key to its merchant. */
const merchants = table('merchant', ['id'], {
  id: column<bigint>(),
  code: column<string>(),
  name: column<string>(),
  email: column<string>(),
  apiKey: column<string>(),
  walletAccountNumber: column<string>(),
  /** The bank at which its wallets have their numbers; null where they are numbers of ours alone. */
  walletBankCode: column<string | null>(),
  /** Whether transfers wait for a code that is mailed. */
  otpEnabled: column<boolean>(),
  /** Addresses and CIDR ranges from which it may call. */
  ipWhitelist: column<readonly string[]>(),
  permissions: column<readonly Permission[]>(),
  /** The sites whose pages may open payments with the inline script; empty where none may. */
  inlineOrigins: column<readonly string[]>(),
  /** It is told when its wallet falls below this. */
  lowBalanceThreshold: column<Kobo | null>(),
  /** Sandbox only: FAIL makes every mail to it fail. */
  mail: column<'OK' | 'FAIL'>(),
  /** Whether it may act. */
  standing: column<Standing>(),
  createdAt: column<Date>(),
  /** The colour of the head of its payers' pages, as #0c3b2a. */
  brandColour: column<string | null>(),
  /** Whom payers ask. */
  supportContact: column<string | null>(),
  /** Which of its logos is shown. */
  logoHash: column<string | null>(),
  /** How many people must approve which payouts, where it has chosen that. */
  approvalPolicy: column<StoredPolicy | null>(),
  /** What percentage of its collections is kept back against disputes, in hundredths, and for how many days. */
  reserveBasisPoints: column<number | null>(),
  reserveDays: column<number | null>(),
})

/** All merchants, as something to join to: from ${EVERY_MERCHANT} m. What is known by a reference alone is asked of each. */
export const EVERY_MERCHANT = merchants.name
export type MerchantRow = Row<typeof merchants>

export const insertMerchant = (tx: Tx, row: MerchantRow): void => merchants.insert(tx, [row])

export async function selectMerchant(db: Db, id: bigint): Promise<MerchantRow | undefined> {
  const [row] = await db<MerchantRow[]>`select ${merchants.columns} from merchant where id = ${id}`
  return row
}

/** A merchant as it is now: until the transaction ends nobody else changes it. */
export async function lockMerchant(tx: Tx, id: bigint): Promise<MerchantRow | undefined> {
  const [row] = await tx<MerchantRow[]>`select ${merchants.columns} from merchant where id = ${id} for no key update`
  return row
}

/** Whose API keys these are; undefined where nobody's. */
export async function findByApiKeys(db: Db, apiKeys: readonly string[]): Promise<readonly (bigint | undefined)[]> {
  const rows = await db<{ apiKey: string; id: bigint }[]>`
    select m.api_key, m.id
      from unnest(${apiKeys}::text[]) k (api_key)
     cross join lateral (select api_key, id from merchant where api_key = k.api_key limit 1) m`
  const found = new Map(rows.map(({ apiKey, id }) => [apiKey, id]))
  return apiKeys.map((apiKey) => found.get(apiKey))
}

/** The first merchant of this database, or the one with this code. */
export async function findMerchantId(db: Db, code?: string): Promise<bigint | undefined> {
  const [row] = await db<{ id: bigint }[]>`
    select id from merchant ${code === undefined ? sql`` : sql`where code = ${code}`} order by id limit 1`
  return row?.id
}

const LISTED_MAX = 1_000

/** The merchants, oldest first, as an operator sees them. */
export const listMerchants = (
  db: Db,
): Promise<Pick<MerchantRow, 'id' | 'code' | 'name' | 'email' | 'apiKey' | 'permissions' | 'standing'>[]> =>
  db<Pick<MerchantRow, 'id' | 'code' | 'name' | 'email' | 'apiKey' | 'permissions' | 'standing'>[]>`
    select id, code, name, email, api_key, permissions, standing from merchant order by id limit ${LISTED_MAX}`

/** Merchants as a page of a list, newest first: of a standing, with a text in their name, address or code, below an id. */
export const selectMerchantPage = (
  db: Db,
  wanted: {
    readonly text: string | null
    readonly standing: Standing | null
    readonly from: bigint
    readonly before: bigint
  },
  limit: number,
): Promise<MerchantRow[]> =>
  // Over all merchants: for the operator.
  db<MerchantRow[]>`
    select ${merchants.columns} from merchant
     where id >= ${wanted.from} and id < ${wanted.before}
       and (${wanted.standing}::text is null or standing = ${wanted.standing}::text)
       and (${wanted.text}::text is null or position(lower(${wanted.text}::text) in lower(name || ' ' || email || ' ' || code)) > 0)
     order by id desc
     limit ${limit}`

/** Whether there is a merchant yet. Nobody else can make one until the transaction ends. */
export async function hasMerchants(tx: Tx): Promise<boolean> {
  await tx`lock table merchant in share row exclusive mode`
  const [row] = await tx`select from merchant limit 1`
  return row !== undefined
}

/** What a merchant may change of itself. */
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
    | 'approvalPolicy'
    | 'brandColour'
    | 'supportContact'
    | 'logoHash'
    | 'reserveBasisPoints'
    | 'reserveDays'
  >
>

/** Changes a merchant, in what is named. */
export function updateMerchant(tx: Tx, id: bigint, change: MerchantChange): void {
  void merchants.change(tx, sql`id = ${id}`, change)
}

/** On what terms merchants collect. */
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
  /** Time of the day in Lagos, as 22:00. */
  settlementTime: column<string>(),
  settlementDestination: column<'WALLET' | 'BANK'>(),
  /** The bank account for settlements, set where the destination is BANK. */
  settlementBankCode: column<string | null>(),
  settlementAccountNumber: column<string | null>(),
  settlementAccountName: column<string | null>(),
  createdAt: column<Date>(),
  /** From then on nothing new is collected under it. */
  disabledAt: column<Date | null>(),
})
export type ContractRow = Row<typeof contracts>

export const insertContract = (tx: Tx, row: ContractRow): void => contracts.insert(tx, [row])

/** Oldest first. */
export const selectContracts = (db: Db | Tx, merchantId: bigint): Promise<ContractRow[]> =>
  db<ContractRow[]>`
    select ${contracts.columns} from contract where merchant_id = ${merchantId} order by created_at, code`

/** What may change of contracts. */
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

/** Changes a contract, in what is named. */
export function updateContract(tx: Tx, merchantId: bigint, code: string, change: ContractChange): void {
  void contracts.change(tx, sql`merchant_id = ${merchantId} and code = ${code}`, change)
}

/** Secret keys, encrypted. Two are valid at once while one replaces the other. */
export const secrets = table('merchant_secret', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  sealed: column<Buffer>(),
  createdAt: column<Date>(),
  /** The first login with it: from then on events are signed with it. */
  firstUsedAt: column<Date | null>(),
  expiresAt: column<Date | null>(),
})
export type SecretRow = Row<typeof secrets>

export const insertSecret = (tx: Tx, row: SecretRow): void => secrets.insert(tx, [row])

/** Newest first. */
export const selectSecrets = (db: Db, merchantId: bigint): Promise<SecretRow[]> =>
  db<SecretRow[]>`
    select ${secrets.columns} from merchant_secret where merchant_id = ${merchantId} order by id desc`

/** Lets all secrets but one end at a time, unless they end sooner. */
export function expireOtherSecrets(tx: Tx, merchantId: bigint, keep: bigint, at: Date): void {
  void tx`
    update merchant_secret
       set expires_at = least(coalesce(expires_at, 'infinity'), ${at})
     where merchant_id = ${merchantId} and id <> ${keep}`
}

export function markSecretUsed(tx: Tx, merchantId: bigint, id: bigint, at: Date): void {
  void tx`update merchant_secret set first_used_at = ${at} where merchant_id = ${merchantId} and id = ${id} and first_used_at is null`
}

/** Tells every node, on commit, to forget what it knows of a merchant, or of all. */
export function notifyMerchantChanged(tx: Tx, channel: string, which: bigint | 'all'): void {
  void tx`select pg_notify(${channel}, ${String(which)})`
}

/** The ids of merchants above one, in their order: at most so many. */
export async function selectMerchantIds(db: Db, after: bigint, limit: number): Promise<readonly bigint[]> {
  const rows = await db<{ id: bigint }[]>`select id from merchant where id > ${after} order by id limit ${limit}`
  return rows.map(({ id }) => id)
}
