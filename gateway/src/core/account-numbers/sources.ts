import { type Cached, openCached } from '../../platform/postgres/cached.ts'
import type { Channels } from '../../platform/postgres/channels.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { column, type Row, table } from '../../platform/postgres/table.ts'
import { type AuditRecord, audit, NO_MERCHANT } from '../security/audit.ts'
import type { UnitOfWork } from '../unit-of-work.ts'

/** How the last digit is computed: by the central bank's (CBN) NUBAN rule, or not at all. */
export const CHECK_DIGIT_RULES = ['nuban', 'none'] as const
export type CheckDigitRule = (typeof CHECK_DIGIT_RULES)[number]

/** Where account numbers come from, as agreed between banks and the operator. */
const sources = table('account_source', ['code'], {
  /** The operator's name for the source. */
  code: column<string>(),
  /** The partner's code in its manifest. */
  partner: column<string>(),
  bankCode: column<string>(),
  /** `prefix`: we create numbers under digits that the bank assigned to us. `issued`: the bank issues each number. */
  kind: column<'prefix' | 'issued'>(),
  prefix: column<string | null>(),
  checkDigit: column<CheckDigitRule | null>(),
  /** How long a closed number is not reused, so that a payer who saved it does not pay a stranger. */
  restDays: column<number | null>(),
  /** The operator's own account that receives the money. */
  settlementAccount: column<string | null>(),
  /** Whether wallets get their numbers from this source. */
  forWallets: column<boolean>(),
  /** The position in the list of sources; the lowest comes first. */
  place: column<number>(),
  createdAt: column<Date>(),
  /** Since when no account is opened at this source, if so. */
  disabledAt: column<Date | null>(),
})
export type AccountSource = Row<typeof sources>
export type PrefixSource = AccountSource & {
  readonly kind: 'prefix'
  readonly prefix: string
  readonly checkDigit: CheckDigitRule
  readonly restDays: number
}

export const isPrefixSource = (source: AccountSource): source is PrefixSource => source.kind === 'prefix'

/** All sources are kept in memory, so their number is limited. */
const SOURCES_MAX = 1_000
const CHANNEL = 'account_sources'

/** Reads all sources in order, including disabled ones. */
export const selectSources = (db: Db | Tx): Promise<AccountSource[]> =>
  // The sources belong to the operator, not to a merchant.
  db<AccountSource[]>`select ${sources.columns} from account_source order by place, code limit ${SOURCES_MAX}`

/** The sources in use. */
export interface AccountSources {
  /** The bank codes of the sources, in order. */
  readonly bankCodes: readonly string[]
  readonly at: (bankCode: string) => readonly AccountSource[]
  /**
   * The partners that may have assigned a number: partners with its prefix or, if there are none, partners at its bank.
   * Disabled sources count, too.
   */
  readonly partnersOf: (number: { readonly bankCode: string; readonly accountNumber: string }) => readonly string[]
  /** The bank that provides wallet numbers, if any. */
  readonly walletBankCode: string | null
}

export function accountSources(all: readonly AccountSource[]): AccountSources {
  const used = all.filter(({ disabledAt }) => disabledAt === null)
  const byBank = Map.groupBy(used, ({ bankCode }) => bankCode)
  return {
    bankCodes: [...byBank.keys()],
    at: (bankCode) => byBank.get(bankCode) ?? [],
    partnersOf: ({ bankCode, accountNumber }) => {
      const here = all.filter((one) => one.bankCode === bankCode)
      const exact = here.filter(({ prefix }) => accountNumber.startsWith(prefix ?? ''))
      return (exact.length > 0 ? exact : here).map(({ partner }) => partner)
    },
    walletBankCode: used.find(({ forWallets }) => forWallets)?.bankCode ?? null,
  }
}

/** Caches the sources on every node. */
export const cacheSources = (db: Db, channels: Channels): Promise<Cached<AccountSources>> =>
  openCached(channels, CHANNEL, async () => accountSources(await selectSources(db)))

/** Why a change to the sources is rejected. */
export class SourceError extends Error {}

type By = Pick<AuditRecord, 'actor' | 'name'>
const COMMAND_LINE: By = { actor: 'command line' }

/** Adds a source on every node: at the end of the list, or at its beginning if requested. */
export async function addSource(
  unit: UnitOfWork,
  requested: Omit<AccountSource, 'place' | 'createdAt' | 'disabledAt'>,
  isFirst: boolean,
  by: By = COMMAND_LINE,
): Promise<AccountSource> {
  const { tx, at } = unit
  const present = await lockSources(tx)
  checkNew(present, requested)
  const places = present.map(({ place }) => place)
  const place = isFirst ? Math.min(0, ...places) - 1 : Math.max(0, ...places) + 1
  const source: AccountSource = { ...requested, place, createdAt: at, disabledAt: null }
  sources.insert(tx, [source])
  recordChange(unit, 'add', source, by, { ...requested, isFirst })
  return source
}

/** Disables or enables a source on every node. */
export async function setSourceUsed(
  unit: UnitOfWork,
  code: string,
  isUsed: boolean,
  by: By = COMMAND_LINE,
): Promise<AccountSource> {
  const present = await lockSources(unit.tx)
  const source = present.find((one) => one.code === code)
  if (source === undefined) throw new SourceError(`There is no source ${code}.`)
  if ((source.disabledAt === null) === isUsed) throw new SourceError(`${code} is ${isUsed ? 'in use' : 'disabled'}.`)
  if (isUsed) checkOneForWallets(present, source)
  const after = { ...source, disabledAt: isUsed ? null : unit.at }
  void sources.change(unit.tx, sql`code = ${code}`, { disabledAt: after.disabledAt })
  recordChange(unit, isUsed ? 'enable' : 'disable', source, by)
  return after
}

/** Locks all sources, because a changed source must not conflict with the others. */
async function lockSources(tx: Tx): Promise<AccountSource[]> {
  await tx`lock table account_source in share row exclusive mode`
  return selectSources(tx)
}

function recordChange(unit: UnitOfWork, word: string, { code }: AccountSource, by: By, details: object = {}): void {
  audit(unit, {
    merchantId: NO_MERCHANT,
    act: `account-source.${word}`,
    ...by,
    reference: code,
    details,
  })
  void unit.tx`select pg_notify(${CHANNEL}, ${code})`
}

function checkNew(
  present: readonly AccountSource[],
  requested: Omit<AccountSource, 'place' | 'createdAt' | 'disabledAt'>,
): void {
  if (present.length >= SOURCES_MAX) throw new SourceError(`There are at most ${SOURCES_MAX} sources.`)
  if (present.some(({ code }) => code === requested.code))
    throw new SourceError(`A source ${requested.code} already exists.`)
  const { bankCode, prefix } = requested
  // Two sources must not produce the same number.
  const conflicting = present.find(
    (one) =>
      one.bankCode === bankCode &&
      prefix !== null &&
      one.prefix !== null &&
      (one.prefix.startsWith(prefix) || prefix.startsWith(one.prefix)),
  )
  if (conflicting !== undefined) throw new SourceError(`Numbers of ${conflicting.code} begin with the same digits.`)
  checkOneForWallets(present, requested)
}

function checkOneForWallets(
  present: readonly AccountSource[],
  { code, bankCode, forWallets }: Pick<AccountSource, 'code' | 'bankCode' | 'forWallets'>,
): void {
  const other = present.find((one) => one.forWallets && one.disabledAt === null && one.code !== code)
  if (forWallets && other !== undefined && other.bankCode !== bankCode)
    throw new SourceError(`Wallets have their numbers at ${other.code}.`)
}

/** Inserts the initial sources of a sandbox. Existing sources are not changed. */
export const seedSandboxSources = (tx: Tx, partner: string, at: Date): Promise<number> =>
  sources.insertNew(
    tx,
    SANDBOX_SOURCES.map((source, place) => ({ ...source, partner, place, createdAt: at, disabledAt: null })),
    sql`(code)`,
  )

const WHOLE_BANK = { kind: 'prefix', prefix: '', checkDigit: 'nuban', restDays: 90, settlementAccount: null } as const

const ISSUED = {
  kind: 'issued',
  prefix: null,
  checkDigit: null,
  restDays: null,
  settlementAccount: null,
  forWallets: false,
} as const

/**
 * Sources of both kinds. At two banks the prefix is empty, so Kobo creates all numbers; only a sandbox can do that.
 */
const SANDBOX_SOURCES = [
  { ...WHOLE_BANK, code: 'wema', bankCode: '035', forWallets: false },
  { ...ISSUED, code: 'sterling', bankCode: '232' },
  { ...WHOLE_BANK, code: 'moniepoint', bankCode: '50515', forWallets: true },
] as const
