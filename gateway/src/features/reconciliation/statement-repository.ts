import type { Mapping } from '../../core/money/statements/index.ts'
import type { Kobo } from '../../kernel/money.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { setsOf } from '../../platform/sets.ts'
import { sql } from '../../platform/sql.ts'
import { column, type Row, table } from '../../platform/table.ts'

/** Accounts of ours at partners, whose statements are held against the books. */
const accounts = table('statement_account', ['partner'], {
  partner: column<string>(),
  accountNumber: column<string | null>(),
  mapping: column<Mapping>(),
  /** The first day that is reconciled, counted from 1970. */
  beganOn: column<number>(),
  /** What was there when it began: at the bank, and by the books. */
  openingBalance: column<Kobo>(),
  openingHeld: column<Kobo>(),
  gatheredUntil: column<Date>(),
  createdAt: column<Date>(),
})
export type StatementAccount = Row<typeof accounts>

const files = table('statement_file', ['partner', 'id'], {
  partner: column<string>(),
  id: column<bigint>(),
  hash: column<string>(),
  name: column<string>(),
  lines: column<number>(),
  newLines: column<number>(),
  firstDay: column<number | null>(),
  lastDay: column<number | null>(),
  importedAt: column<Date>(),
})
export type StatementFile = Row<typeof files>

const balances = table('statement_balance', ['partner', 'day'], {
  partner: column<string>(),
  day: column<number>(),
  amount: column<Kobo>(),
  fileId: column<bigint>(),
})
export type StatementBalance = Row<typeof balances>

const lines = table('statement_line', ['partner', 'id'], {
  partner: column<string>(),
  id: column<bigint>(),
  fileId: column<bigint>(),
  /** What tells it from every other line. */
  key: column<string>(),
  day: column<number>(),
  amount: column<Kobo>(),
  isFee: column<boolean>(),
  bankReference: column<string | null>(),
  /** What else it may be known by. */
  named: column<readonly string[]>(),
  accountNumber: column<string | null>(),
  name: column<string | null>(),
  narration: column<string | null>(),
  /** What it belongs to. */
  itemId: column<bigint | null>(),
})
export type LineRow = Row<typeof lines>

/** So many rows go into one statement. */
const SET_MAX = 2_000
const ACCOUNTS_MAX = 100
const FILES_SHOWN_MAX = 1_000

export const selectAccounts = (db: Db): Promise<StatementAccount[]> =>
  db<StatementAccount[]>`select ${accounts.columns} from statement_account order by partner limit ${ACCOUNTS_MAX}`

export const findAccount = (db: Db | Tx, partner: string): Promise<StatementAccount | undefined> =>
  accounts.find(db, { partner })

/** Who imports, matches or closes does it alone, for each partner. */
export async function lockAccount(tx: Tx, partner: string): Promise<StatementAccount | undefined> {
  const [row] = await accounts.lock(tx, [{ partner }])
  return row
}

export const insertAccount = (tx: Tx, row: StatementAccount): void => accounts.insert(tx, [row])

export const changeAccount = (
  tx: Tx,
  partner: string,
  change: Partial<Pick<StatementAccount, 'accountNumber' | 'mapping' | 'gatheredUntil'>>,
): void => void accounts.change(tx, sql`partner = ${partner}`, change)

/** A file that was taken before, by what is in it. */
export async function findFile(db: Db | Tx, partner: string, hash: string): Promise<StatementFile | undefined> {
  const [row] = await db<StatementFile[]>`
    select ${files.columns} from statement_file where partner = ${partner} and hash = ${hash}`
  return row
}

export const insertFile = (tx: Tx, row: StatementFile): void => files.insert(tx, [row])

/** The files that were taken, newest first. */
export const selectFiles = (db: Db, partner: string): Promise<StatementFile[]> =>
  db<StatementFile[]>`
    select ${files.columns} from statement_file where partner = ${partner} order by id desc limit ${FILES_SHOWN_MAX}`

/** Keeps what a bank says it held at the end of days; what an earlier file said of them no longer counts. */
export function putBalances(tx: Tx, rows: readonly StatementBalance[]): void {
  if (rows.length === 0) return
  void tx`
    insert into statement_balance (${balances.columns})
    select ${balances.columns} from ${balances.set(rows)}
        on conflict (partner, day) do update set amount = excluded.amount, file_id = excluded.file_id
     where statement_balance.amount <> excluded.amount`
}

export const selectBalances = (db: Db | Tx, partner: string): Promise<StatementBalance[]> =>
  db<StatementBalance[]>`
    select ${balances.columns} from statement_balance where partner = ${partner} order by day`

/** Keeps lines that no file before had; answers how many. */
export async function insertLines(
  tx: Tx,
  rows: readonly LineRow[],
  onProgress: (done: number) => void,
): Promise<number> {
  let fresh = 0
  let done = 0
  for (const set of setsOf(rows, SET_MAX)) {
    fresh += await lines.insertNew(tx, set, sql`(partner, key)`)
    done += set.length
    onProgress(done)
  }
  return fresh
}
/** The last day of which each partner's balance is known; where none is, the one before the first that is to be. */
export const selectLastDays = (db: Db): Promise<{ readonly partner: string; readonly day: number }[]> =>
  db<{ partner: string; day: number }[]>`
    select a.partner, coalesce(max(b.day), a.began_on - 1) as day
      from statement_account a
      left join statement_balance b on b.partner = a.partner
     group by a.partner
     limit ${ACCOUNTS_MAX}`

/** Lines that belong to nothing yet, or to something that does not add up, oldest first. */
export const selectLooseLines = (tx: Tx, partner: string): Promise<LineRow[]> =>
  tx<LineRow[]>`
    select ${lines.columns} from statement_line where partner = ${partner} and item_id is null
    union all
    select ${lines.of('l')} from reconciliation_item i
      join statement_line l on l.partner = i.partner and l.item_id = i.id
     where i.partner = ${partner} and i.settled_on is null
     order by day, id`

/** What lines of some items say. */
export const selectLinesOf = (db: Db | Tx, partner: string, items: readonly bigint[]): Promise<LineRow[]> =>
  db<LineRow[]>`
    select ${lines.columns} from statement_line
     where partner = ${partner} and item_id = any(${items.map(String)}::bigint[]) order by day, id`

/** References that lines of some days have which belong to something already. */
export const selectTakenLines = (
  tx: Tx,
  partner: string,
  fromDay: number,
): Promise<Pick<LineRow, 'bankReference' | 'named' | 'amount' | 'isFee'>[]> =>
  tx<Pick<LineRow, 'bankReference' | 'named' | 'amount' | 'isFee'>[]>`
    select l.bank_reference, l.named, l.amount, l.is_fee from statement_line l
      join reconciliation_item i on i.partner = l.partner and i.id = l.item_id
     where l.partner = ${partner} and l.day >= ${fromDay} and i.settled_on is not null`

/** Writes down what lines belong to. */
export function assignLines(tx: Tx, rows: readonly LineRow[]): void {
  for (const set of setsOf(rows, SET_MAX)) lines.update(tx, set, ['itemId'])
}

/** What came and went by the statements from the first day on up to the end of a day, and how many lines that are of the day itself. */
export async function sumLines(
  db: Db | Tx,
  partner: string,
  upTo: number,
): Promise<{ readonly sum: bigint; readonly ofDay: number }> {
  const [row] = await db<{ sum: bigint; ofDay: number }[]>`
    select coalesce(sum(amount), 0)::bigint as sum, (count(*) filter (where day = ${upTo}))::integer as of_day
      from statement_line where partner = ${partner} and day <= ${upTo}`
  return row ?? { sum: 0n, ofDay: 0 }
}

/** Which of some lines are kept already, by their keys. */
export async function selectKept(tx: Tx, partner: string, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const kept = new Set<string>()
  for (const set of setsOf(keys, SET_MAX)) {
    const rows = await tx<{ key: string }[]>`
      select key from statement_line where partner = ${partner} and key = any(${set}::text[])`
    for (const { key } of rows) kept.add(key)
  }
  return kept
}
