import type { Mapping } from '../../core/bank-statements/index.ts'
import type { Kobo } from '../../kernel/money.ts'
import { columnsOf, type Db, type Tx } from '../../platform/postgres/db.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { column, type Row, table } from '../../platform/postgres/table.ts'

/** Our accounts at partners whose statements are reconciled. */
const accounts = table('statement_account', ['partner'], {
  partner: column<string>(),
  accountNumber: column<string | null>(),
  mapping: column<Mapping>(),
  /** The first reconciled day, in days since 1970. */
  beganOn: column<number>(),
  /** The opening balances: at the bank, and in the ledger. */
  openingBalance: column<Kobo>(),
  openingHeld: column<Kobo>(),
  /** When ledger entries were last collected. */
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
  /** A hash of the line's content. A line that is imported again has the same key. */
  key: column<string>(),
  day: column<number>(),
  amount: column<Kobo>(),
  isFee: column<boolean>(),
  bankReference: column<string | null>(),
  /** References other than the bank's that the line mentions, or that operators added. */
  named: column<readonly string[]>(),
  accountNumber: column<string | null>(),
  name: column<string | null>(),
  narration: column<string | null>(),
  /** The item it is assigned to. */
  itemId: column<bigint | null>(),
})
export type LineRow = Row<typeof lines>

const ACCOUNTS_MAX = 100
const FILES_SHOWN_MAX = 1_000

export const selectAccounts = (db: Db): Promise<StatementAccount[]> =>
  db<StatementAccount[]>`select ${accounts.columns} from statement_account order by partner limit ${ACCOUNTS_MAX}`

export const findAccount = (db: Db | Tx, partner: string): Promise<StatementAccount | undefined> =>
  accounts.find(db, { partner })

/** Locks a partner's account, so that imports, matching and closing run one at a time. */
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

/** Finds a file that was imported before, by the hash of its content. */
export async function findFile(db: Db | Tx, partner: string, hash: string): Promise<StatementFile | undefined> {
  const [row] = await db<StatementFile[]>`
    select ${files.columns} from statement_file where partner = ${partner} and hash = ${hash}`
  return row
}

export const insertFile = (tx: Tx, row: StatementFile): void => files.insert(tx, [row])

/** Returns imported files, newest first. */
export const selectFiles = (db: Db, partner: string, limit = FILES_SHOWN_MAX): Promise<StatementFile[]> =>
  db<StatementFile[]>`
    select ${files.columns} from statement_file where partner = ${partner} order by id desc limit ${limit}`

/** Stores a bank's closing balances; they replace those of earlier files. */
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

/** Inserts the lines that are not stored yet; returns their number. */
export const insertLines = (tx: Tx, rows: readonly LineRow[]): Promise<number> =>
  lines.insertNew(tx, rows, sql`(partner, key)`)

/** Returns each partner's last day with a known balance, or the day before its first reconciled day. */
export const selectLastDays = (db: Db | Tx): Promise<{ readonly partner: string; readonly day: number }[]> =>
  db<{ partner: string; day: number }[]>`
    select a.partner, coalesce(max(b.day), a.began_on - 1) as day
      from statement_account a
      left join statement_balance b on b.partner = a.partner
     group by a.partner
     limit ${ACCOUNTS_MAX}`

/** The columns used for matching. Only these are read, since there may be many rows. */
const MATCHING_COLUMNS = ['id', 'day', 'amount', 'isFee', 'bankReference', 'named', 'narration', 'itemId'] as const
export type Line = Pick<LineRow, (typeof MATCHING_COLUMNS)[number]>
const matchingColumns = lines.only(...MATCHING_COLUMNS)

/** Reads the next unmatched lines, in the order of import. */
export const selectNextLines = (tx: Tx, partner: string, after: bigint, limit: number): Promise<Line[]> =>
  tx<Line[]>`
    select ${matchingColumns} from statement_line
     where partner = ${partner} and item_id is null and id > ${after} order by id limit ${limit}`

/** Reads the lines that are not matched yet, or whose match has a difference between bank and ledger, oldest first. */
export const selectUnmatchedLines = (tx: Tx, partner: string): Promise<Line[]> =>
  tx<Line[]>`
    select ${matchingColumns} from statement_line where partner = ${partner} and item_id is null
    union all
    select ${matchingColumns} from statement_line
     where partner = ${partner}
       and item_id in (select id from reconciliation_item where partner = ${partner} and settled_on is null)
     order by day, id`

export const selectLinesOf = (db: Db | Tx, partner: string, items: readonly bigint[]): Promise<LineRow[]> =>
  db<LineRow[]>`
    select ${lines.columns} from statement_line
     where partner = ${partner} and item_id = any(${items.map(String)}::bigint[]) order by day, id`

export async function assignLines(
  tx: Tx,
  partner: string,
  rows: readonly Pick<LineRow, 'id' | 'itemId'>[],
): Promise<void> {
  if (rows.length === 0) return
  const { id, itemId } = columnsOf(rows, 'id', 'itemId')
  await tx`
    update statement_line l set item_id = c.item_id
      from unnest(${id}::bigint[], ${itemId}::bigint[]) c (id, item_id)
     where l.partner = ${partner} and l.id = c.id`
}

/** Adds to statement lines a reference that an operator gave. */
export function nameLines(tx: Tx, partner: string, ids: readonly bigint[], reference: string): void {
  void tx`
    update statement_line set named = array_append(named, ${reference}::text)
     where partner = ${partner} and id = any(${ids.map(String)}::bigint[])`
}

/**
 * Returns a bank's balance at the end of a day: that of the last closed day before it, plus the lines since then.
 * `ofDay` is the number of the day's lines.
 */
export async function balanceByLines(
  db: Db | Tx,
  { partner, openingBalance, beganOn }: StatementAccount,
  day: number,
): Promise<{ readonly balance: Kobo; readonly ofDay: number }> {
  const [row] = await db<{ balance: Kobo; ofDay: number }[]>`
    with closed as (
      select day, bank from reconciliation_day where partner = ${partner} and day < ${day}
      union all
      select ${beganOn - 1}::integer, ${openingBalance}::bigint
      order by day desc limit 1)
    select (c.bank + coalesce(sum(l.amount), 0))::bigint as balance,
           (count(l.id) filter (where l.day = ${day}))::integer as of_day
      from closed c
      left join statement_line l on l.partner = ${partner} and l.day > c.day and l.day <= ${day}
     group by c.bank`
  return row ?? { balance: openingBalance, ofDay: 0 }
}

/** Finds which of the given keys are already stored. */
export async function selectKnownKeys(tx: Tx, partner: string, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tx<{ key: string }[]>`
    select key from statement_line where partner = ${partner} and key = any(${keys}::text[])`
  return new Set(rows.map(({ key }) => key))
}
