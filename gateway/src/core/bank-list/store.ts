import { type Cached, openCached } from '../../platform/postgres/cached.ts'
import type { Channels } from '../../platform/postgres/channels.ts'
import { type Db, inTransaction, type Tx } from '../../platform/postgres/db.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { column, type Row, table } from '../../platform/postgres/table.ts'
import { audit, NO_MERCHANT } from '../security/audit.ts'
import type { UnitOfWork } from '../unit-of-work.ts'
import { BANKS_MAX, BankError, type BankLine, checkName } from './csv.ts'
import { type BankList, bankList, SHIPPED } from './list.ts'

/** The operator's banks. */
const banks = table('bank', ['code'], {
  code: column<string>(),
  name: column<string>(),
  baseUssdCode: column<string | null>(),
  ussdTemplate: column<string | null>(),
  nipBankCode: column<string>(),
  transfers: column<boolean>(),
  directDebit: column<boolean>(),
  /** The position in the list of banks; the lowest comes first. */
  place: column<number>(),
  createdAt: column<Date>(),
  disabledAt: column<Date | null>(),
})
export type BankRow = Row<typeof banks>

const CHANNEL = 'banks'

/** Reads all banks in order, including disabled ones. */
export const selectBanks = (db: Db | Tx): Promise<BankRow[]> =>
  // Not merchant data, so it has no merchant_id.
  db<BankRow[]>`select ${banks.columns} from bank order by place, code limit ${BANKS_MAX}`

/** Caches the banks on every node. Shipped banks that are missing from the database are added first. */
export async function cacheBanks(db: Db, channels: Channels, at: Date): Promise<Cached<BankList>> {
  const known = new Set((await selectBanks(db)).map(({ code }) => code))
  const missing = SHIPPED.filter(({ code }) => !known.has(code))
  if (missing.length > 0) await inTransaction(db, (tx) => seedBanks(tx, missing, at))
  return openCached(channels, CHANNEL, async () => bankList(await selectBanks(db)))
}

/** Inserts the shipped banks that are missing; never overwrites the operator's changes. */
async function seedBanks(tx: Tx, missing: readonly BankLine[], at: Date): Promise<void> {
  const present = await lockBanks(tx)
  const rows = missing.map((line, index) => added(line, placeAfter(present) + index, at))
  // The operator may have stored one of our names or numbers under another code.
  const unique = rows.filter((row) => duplicateIn([...present, row]) === undefined)
  await banks.insertNew(tx, unique.slice(0, BANKS_MAX - present.length), sql`(code)`)
  void tx`select pg_notify(${CHANNEL}, '')`
}

const added = ({ isOffered, ...line }: BankLine, place: number, at: Date): BankRow => ({
  ...line,
  place,
  createdAt: at,
  disabledAt: isOffered ? null : at,
})

const placeAfter = (present: readonly BankRow[]): number => Math.max(0, ...present.map(({ place }) => place)) + 1

/** Adds new banks and updates existing ones. Banks that are not in `lines` stay. Returns the counts. */
export async function importBanks(
  unit: UnitOfWork,
  lines: readonly BankLine[],
): Promise<{ readonly added: number; readonly changed: number; readonly unchanged: number }> {
  const { tx, at } = unit
  const present = await lockBanks(tx)
  const byCode = new Map(present.map((bank) => [bank.code, bank]))
  const fresh = lines.filter(({ code }) => !byCode.has(code))
  const news = fresh.map((line, index) => added(line, placeAfter(present) + index, at))
  const changes = lines.flatMap(({ isOffered, ...line }) => {
    const before = byCode.get(line.code)
    if (before === undefined) return []
    const after: BankRow = { ...before, ...line, disabledAt: isOffered ? null : (before.disabledAt ?? at) }
    return isSame(before, after) ? [] : [{ before, after }]
  })
  for (const { after } of changes) byCode.set(after.code, after)
  for (const bank of news) byCode.set(bank.code, bank)
  checkAll([...byCode.values()])
  banks.insert(tx, news)
  banks.update(
    tx,
    changes.map(({ after }) => after),
    banks.except('code', 'place', 'createdAt'),
  )
  for (const bank of news) auditBank(unit, 'add', undefined, bank)
  for (const { before, after } of changes) auditBank(unit, 'change', before, after)
  void tx`select pg_notify(${CHANNEL}, '')`
  return { added: news.length, changed: changes.length, unchanged: lines.length - news.length - changes.length }
}

/** Disables or enables a bank on every node. */
export const setBankOffered = (unit: UnitOfWork, code: string, isOffered: boolean): Promise<BankRow> =>
  change(unit, code, isOffered ? 'enable' : 'disable', (bank) => {
    if ((bank.disabledAt === null) === isOffered)
      throw new BankError(`${code} is already ${isOffered ? 'offered' : 'disabled'}.`)
    return { disabledAt: isOffered ? null : unit.at }
  })

/** Renames a bank on every node, also for earlier payments. */
export const renameBank = (unit: UnitOfWork, code: string, name: string): Promise<BankRow> =>
  change(unit, code, 'rename', (bank) => {
    checkName(name)
    if (bank.name === name) throw new BankError(`${code} already has this name.`)
    return { name }
  })

async function change(
  unit: UnitOfWork,
  code: string,
  word: string,
  decide: (bank: BankRow) => Partial<BankRow>,
): Promise<BankRow> {
  const present = await lockBanks(unit.tx)
  const before = present.find((bank) => bank.code === code)
  if (before === undefined) throw new BankError(`There is no bank ${code}.`)
  const changed = decide(before)
  const after = { ...before, ...changed }
  checkAll(present.map((bank) => (bank === before ? after : bank)))
  void banks.change(unit.tx, sql`code = ${code}`, changed)
  auditBank(unit, word, before, after)
  void unit.tx`select pg_notify(${CHANNEL}, ${code})`
  return after
}

/** Locks the whole table, because names and codes must be unique across all banks. */
async function lockBanks(tx: Tx): Promise<BankRow[]> {
  await tx`lock table bank in share row exclusive mode`
  return selectBanks(tx)
}

const COMPARED_COLUMNS = [
  'name',
  'baseUssdCode',
  'ussdTemplate',
  'nipBankCode',
  'transfers',
  'directDebit',
  'disabledAt',
] as const

const isSame = (one: BankRow, other: BankRow): boolean => COMPARED_COLUMNS.every((key) => one[key] === other[key])

function auditBank(unit: UnitOfWork, word: string, before: BankRow | undefined, after: BankRow): void {
  const keys = COMPARED_COLUMNS.filter((key) => before?.[key] !== after[key])
  const only = (bank: BankRow) => Object.fromEntries(keys.map((key) => [key, bank[key]]))
  audit(unit, {
    merchantId: NO_MERCHANT,
    act: `bank.${word}`,
    actor: 'command line',
    reference: after.code,
    details: { before: before === undefined ? null : only(before), after: only(after) },
  })
}

function checkAll(all: readonly BankRow[]): void {
  if (all.length > BANKS_MAX) throw new BankError(`There are at most ${BANKS_MAX} banks.`)
  const duplicate = duplicateIn(all)
  if (duplicate !== undefined)
    throw new BankError(`${duplicate[0].code} and ${duplicate[1].code} have the same ${duplicate[2]}.`)
}

/** Finds two banks with the same name, USSD code or institution code. */
function duplicateIn(all: readonly BankRow[]): readonly [BankRow, BankRow, string] | undefined {
  for (const key of ['name', 'baseUssdCode', 'nipBankCode'] as const) {
    const seen = new Map<string, BankRow>()
    for (const bank of all) {
      const value = bank[key]?.toLowerCase()
      if (value === undefined) continue
      const other = seen.get(value)
      if (other !== undefined) return [other, bank, key]
      seen.set(value, bank)
    }
  }
  return undefined
}
