import type { Channels } from '../../../platform/channels.ts'
import type { Db, Tx } from '../../../platform/db.ts'
import { type Kept, keep } from '../../../platform/kept.ts'
import { sql } from '../../../platform/sql.ts'
import { column, type Row, table } from '../../../platform/table.ts'
import { audit, NO_MERCHANT } from '../../security/audit.ts'
import type { UnitOfWork } from '../../unit-of-work.ts'

/** How the last digit of a number follows from the others: by the CBN's rule, or not at all. */
export const CHECK_DIGIT_RULES = ['nuban', 'none'] as const
export type CheckDigitRule = (typeof CHECK_DIGIT_RULES)[number]

/** What banks have agreed with the operator: where account numbers come from. */
const sources = table('account_source', ['code'], {
  /** What the operator calls it. */
  code: column<string>(),
  /** Whom we have it from, by the code in the partner's manifest. */
  partner: column<string>(),
  bankCode: column<string>(),
  /** `prefix`: we make the numbers, under digits that the bank has assigned. `issued`: the bank makes each. */
  kind: column<'prefix' | 'issued'>(),
  prefix: column<string | null>(),
  checkDigit: column<CheckDigitRule | null>(),
  /** How long a closed number rests, so that nobody's saved payee pays a stranger. */
  restDays: column<number | null>(),
  /** The operator's own account, on which the money lands. */
  settlementAccount: column<string | null>(),
  /** Whether wallets have their numbers here. */
  forWallets: column<boolean>(),
  /** The lowest one comes first. */
  place: column<number>(),
  createdAt: column<Date>(),
  /** From then on no account is opened here. */
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

/** All of them are in memory, so there is an end to how many there are. */
const SOURCES_MAX = 1_000
const CHANNEL = 'account_sources'

/** Every source, also those that are no longer used, the first one first. */
export const selectSources = (db: Db | Tx): Promise<AccountSource[]> =>
  // Of no merchant: the operator's own.
  db<AccountSource[]>`select ${sources.columns} from account_source order by place, code limit ${SOURCES_MAX}`

/** The sources at which accounts are opened. */
export interface AccountSources {
  /** The codes of their banks, the first one first. */
  readonly bankCodes: readonly string[]
  /** Those at a bank. */
  readonly at: (bankCode: string) => readonly AccountSource[]
  /** The bank at which wallets have their numbers, if any. */
  readonly walletBankCode: string | null
}

export function accountSources(all: readonly AccountSource[]): AccountSources {
  const used = all.filter(({ disabledAt }) => disabledAt === null)
  const byBank = Map.groupBy(used, ({ bankCode }) => bankCode)
  return {
    bankCodes: [...byBank.keys()],
    at: (bankCode) => byBank.get(bankCode) ?? [],
    walletBankCode: used.find(({ forWallets }) => forWallets)?.bankCode ?? null,
  }
}

/** The sources as every node has them in memory. */
export const keepSources = (db: Db, channels: Channels): Promise<Kept<AccountSources>> =>
  keep(channels, CHANNEL, async () => accountSources(await selectSources(db)))

/** Why a source cannot be as it is wanted. */
export class SourceError extends Error {}

/** Adds a source, for every node at once; it comes last, or first where that is wanted. */
export async function addSource(
  unit: UnitOfWork,
  wanted: Omit<AccountSource, 'place' | 'createdAt' | 'disabledAt'>,
  isFirst: boolean,
): Promise<AccountSource> {
  const { tx, at } = unit
  const present = await lockSources(tx)
  checkNew(present, wanted)
  const places = present.map(({ place }) => place)
  const place = isFirst ? Math.min(0, ...places) - 1 : Math.max(0, ...places) + 1
  const source: AccountSource = { ...wanted, place, createdAt: at, disabledAt: null }
  sources.insert(tx, [source])
  tell(unit, 'add', source, { ...wanted, isFirst })
  return source
}

/** Has no further accounts opened at a source, or has them opened again, for every node at once. */
export async function setSourceUsed(unit: UnitOfWork, code: string, isUsed: boolean): Promise<AccountSource> {
  const present = await lockSources(unit.tx)
  const source = present.find((one) => one.code === code)
  if (source === undefined) throw new SourceError(`There is no source ${code}.`)
  if ((source.disabledAt === null) === isUsed) throw new SourceError(`${code} is ${isUsed ? 'in use' : 'disabled'}.`)
  if (isUsed) checkOneForWallets(present, source)
  const after = { ...source, disabledAt: isUsed ? null : unit.at }
  void sources.change(unit.tx, sql`code = ${code}`, { disabledAt: after.disabledAt })
  tell(unit, isUsed ? 'enable' : 'disable', source)
  return after
}

/** Who changes the sources does it alone: what they may be depends on all of them. */
async function lockSources(tx: Tx): Promise<AccountSource[]> {
  await tx`lock table account_source in share row exclusive mode`
  return selectSources(tx)
}

function tell(unit: UnitOfWork, word: string, { code }: AccountSource, details: object = {}): void {
  audit(unit, {
    merchantId: NO_MERCHANT,
    act: `account-source.${word}`,
    actor: 'command line',
    reference: code,
    details,
  })
  void unit.tx`select pg_notify(${CHANNEL}, ${code})`
}

function checkNew(
  present: readonly AccountSource[],
  wanted: Omit<AccountSource, 'place' | 'createdAt' | 'disabledAt'>,
): void {
  if (present.length >= SOURCES_MAX) throw new SourceError(`There are at most ${SOURCES_MAX} sources.`)
  if (present.some(({ code }) => code === wanted.code))
    throw new SourceError(`There is a source ${wanted.code} already.`)
  const { bankCode, prefix } = wanted
  // A number must not come from two sources: each would give it to somebody.
  const twin = present.find(
    (one) =>
      one.bankCode === bankCode &&
      prefix !== null &&
      one.prefix !== null &&
      (one.prefix.startsWith(prefix) || prefix.startsWith(one.prefix)),
  )
  if (twin !== undefined) throw new SourceError(`Numbers of ${twin.code} begin with the same digits.`)
  checkOneForWallets(present, wanted)
}

function checkOneForWallets(
  present: readonly AccountSource[],
  { code, bankCode, forWallets }: Pick<AccountSource, 'code' | 'bankCode' | 'forWallets'>,
): void {
  const other = present.find((one) => one.forWallets && one.disabledAt === null && one.code !== code)
  if (forWallets && other !== undefined && other.bankCode !== bankCode)
    throw new SourceError(`Wallets have their numbers at ${other.code}.`)
}

/** The sources that a sandbox starts with: those that it has stay as they are. */
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

/** Both kinds. Two banks have assigned all their numbers: in a sandbox they are nobody else's. */
const SANDBOX_SOURCES = [
  { ...WHOLE_BANK, code: 'wema', bankCode: '035', forWallets: false },
  { ...ISSUED, code: 'sterling', bankCode: '232' },
  { ...WHOLE_BANK, code: 'moniepoint', bankCode: '50515', forWallets: true },
] as const
