import { createHash } from 'node:crypto'
import {
  type Mapping,
  PLAIN,
  readStatements,
  type Statement,
  StatementError,
  type StatementLine,
} from '../../core/bank-statements/index.ts'
import type { Core } from '../../core/core.ts'
import { audit, NO_MERCHANT } from '../../core/security/audit.ts'
import { type UnitOfWork, unitOfWork } from '../../core/unit-of-work.ts'
import { dayText, lagosMoment } from '../../kernel/dates.ts'
import { type Kobo, toNairaText } from '../../kernel/money.ts'
import { chunksOf } from '../../platform/lanes/chunks.ts'
import { heldByPartner } from './clearing-entries.ts'
import { lastClosed } from './day-repository.ts'
import type { By } from './decide.ts'
import { matchPartner } from './match.ts'
import {
  changeAccount,
  findAccount,
  findFile,
  insertAccount,
  insertFile,
  insertLines,
  type LineRow,
  lockAccount,
  putBalances,
  type StatementAccount,
  selectKnownKeys,
} from './statement-repository.ts'

/** An operator's settings for our account at a partner. */
export interface NewStatementAccount {
  readonly partner: string
  readonly accountNumber?: string | undefined
  readonly mapping?: Mapping | undefined
  /** The first reconciled day and the bank's opening balance. Both can be set only once. */
  readonly from?: number | undefined
  readonly opening?: Kobo | undefined
}

/** Registers an account for statements, or changes how they are parsed. */
export async function putStatementAccount(unit: UnitOfWork, settings: NewStatementAccount): Promise<StatementAccount> {
  const { partner, accountNumber, mapping, from, opening } = settings
  const before = await lockAccount(unit.tx, partner)
  if (before !== undefined) {
    if (from !== undefined || opening !== undefined)
      throw new StatementError(`${partner} is reconciled since ${dayText(before.beganOn)}; the start cannot change.`)
    const change = {
      ...(accountNumber === undefined ? {} : { accountNumber }),
      ...(mapping === undefined ? {} : { mapping }),
    }
    changeAccount(unit.tx, partner, change)
    auditAccount(unit, 'statement-account.change', { ...before, ...change })
    return { ...before, ...change }
  }
  if (from === undefined || opening === undefined)
    throw new StatementError('Give the first day and the bank’s opening balance.')
  const begin = lagosMoment(from, 0)
  if (begin > unit.at) throw new StatementError(`${dayText(from)} is in the future.`)
  const account: StatementAccount = {
    partner,
    accountNumber: accountNumber ?? null,
    mapping: mapping ?? PLAIN,
    beganOn: from,
    openingBalance: opening,
    openingHeld: await heldByPartner(unit.tx, partner, begin),
    gatheredUntil: begin,
    createdAt: unit.at,
  }
  insertAccount(unit.tx, account)
  auditAccount(unit, 'statement-account.add', account)
  return account
}

const auditAccount = (unit: UnitOfWork, act: string, { partner, accountNumber, beganOn }: StatementAccount): void =>
  audit(unit, {
    merchantId: NO_MERCHANT,
    act,
    actor: 'command line',
    reference: partner,
    details: { accountNumber, from: dayText(beganOn) },
  })

export interface NewStatementFile {
  readonly partner: string
  readonly name: string
  readonly bytes: Buffer
  readonly statements: readonly Statement[]
}

export interface ImportResult {
  /** Whether the file was imported before. If so, nothing has changed. */
  readonly isKnown: boolean
  readonly lines: number
  readonly newLines: number
  /** Lines before the first reconciled day. */
  readonly tooEarly: number
  readonly firstDay: number | null
  readonly lastDay: number | null
}

/**
 * Imports a whole file. A file that was imported before changes nothing; neither does a line that is already stored
 * from another file.
 */
export async function importStatements(
  unit: UnitOfWork,
  { partner, name, bytes, statements }: NewStatementFile,
  by: By,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<ImportResult> {
  const account = await lockAccount(unit.tx, partner)
  if (account === undefined)
    throw new StatementError(`No account at ${partner} is registered. Register it with kobo statement account.`)
  const hash = createHash('sha256').update(bytes).digest('hex')
  const known = await findFile(unit.tx, partner, hash)
  if (known !== undefined) {
    const { lines, firstDay, lastDay } = known
    return { isKnown: true, lines, newLines: 0, tooEarly: 0, firstDay, lastDay }
  }
  for (const statement of statements) checkAccount(account, statement)
  const fileId = unit.ids.id()
  const closed = (await lastClosed(unit.tx, partner)) ?? account.beganOn - 1
  const stored = await storeLines(unit, account, { fileId, closed, statements, onProgress })
  const { tooEarly, ...counts } = stored
  putBalances(
    unit.tx,
    closingsOf(statements, closed).map((one) => ({ partner, fileId, ...one })),
  )
  insertFile(unit.tx, { partner, id: fileId, hash, name, ...counts, importedAt: unit.at })
  const { lines, newLines } = counts
  audit(unit, {
    ...by,
    merchantId: NO_MERCHANT,
    act: 'statement.import',
    reference: partner,
    details: { name, sha256: hash, lines, newLines },
  })
  return { isKnown: false, ...stored }
}

/** The result of an import, and of the matching after it. */
export interface ImportedFile extends ImportResult {
  readonly matched: number
  readonly exceptions: number
}

/** Reads and imports a partner's statement file, and matches it with the ledger. */
export async function importFile(
  core: Core,
  { partner, name, bytes }: Omit<NewStatementFile, 'statements'>,
  by: By,
  onProgress?: (done: number, total: number) => void,
): Promise<ImportedFile> {
  const { mapping } = await requireAccount(core.db, partner)
  const statements = readStatements(bytes, mapping)
  const imported = await unitOfWork(core, (unit) =>
    importStatements(unit, { partner, name, bytes, statements }, by, onProgress),
  )
  const { matched, exceptions } = await unitOfWork(core, (unit) => matchPartner(unit, partner))
  return { ...imported, matched, exceptions }
}

interface LinesToStore {
  readonly fileId: bigint
  readonly closed: number
  readonly statements: readonly Statement[]
  readonly onProgress: (done: number, total: number) => void
}

/** The maximum number of lines in memory. */
const LINES_AT_ONCE = 2_000

/** Stores the lines of a file in chunks. */
async function storeLines(
  unit: UnitOfWork,
  { partner, beganOn }: StatementAccount,
  { fileId, closed, statements, onProgress }: LinesToStore,
): Promise<Omit<ImportResult, 'isKnown'>> {
  const total = statements.reduce((sum, { lineCount }) => sum + lineCount, 0)
  let [lines, newLines, tooEarly] = [0, 0, 0]
  let [firstDay, lastDay]: [number | null, number | null] = [null, null]
  const toRow = rowMaker(unit, partner, fileId)
  for (const set of chunksOf(linesOf(statements), LINES_AT_ONCE)) {
    const read = set.filter(({ day }) => day >= beganOn)
    tooEarly += set.length - read.length
    for (const { day } of read) {
      if (lagosMoment(day, 0) > unit.at)
        throw new StatementError(`A line is dated ${dayText(day)}, which is in the future.`)
      firstDay = firstDay === null ? day : Math.min(firstDay, day)
      lastDay = lastDay === null ? day : Math.max(lastDay, day)
    }
    const rows = read.map(toRow)
    await rejectNewLines(
      unit,
      partner,
      rows.filter(({ day }) => day <= closed),
    )
    newLines += await insertLines(
      unit.tx,
      rows.filter(({ day }) => day > closed),
    )
    lines += read.length
    onProgress(lines + tooEarly, total)
  }
  return { lines, newLines, tooEarly, firstDay, lastDay }
}

function* linesOf(statements: readonly Statement[]): Generator<StatementLine> {
  for (const { lines } of statements) yield* lines
}

/** Rejects new lines of closed days, which must not change. */
async function rejectNewLines({ tx }: UnitOfWork, partner: string, rows: readonly LineRow[]): Promise<void> {
  if (rows.length === 0) return
  const known = await selectKnownKeys(
    tx,
    partner,
    rows.map(({ key }) => key),
  )
  const late = rows.find(({ key }) => !known.has(key))
  if (late !== undefined)
    throw new StatementError(
      `A new line of ${toNairaText(late.amount)} is dated ${dayText(late.day)}, but that day is closed: ask ${partner}.`,
    )
}

/** Returns the letters and digits of an account number. */
const bare = (text: string): string => text.replace(/[^A-Z0-9]/gi, '').toUpperCase()

/** Rejects a statement of another account. In the statement, a bank code may precede the account number. */
function checkAccount({ partner, accountNumber }: StatementAccount, { account }: Statement): void {
  if (accountNumber === null || account === null) return
  if (!bare(account).endsWith(bare(accountNumber)))
    throw new StatementError(`The file is for account ${account}, not for ${accountNumber} at ${partner}.`)
}

/** Returns the bank's closing balances of open days that the file has. */
function closingsOf(statements: readonly Statement[], closed: number) {
  const closings = new Map<number, Kobo>()
  for (const { closing } of statements)
    if (closing !== null && !closing.isInterim && closing.day > closed) closings.set(closing.day, closing.amount)
  return [...closings].map(([day, amount]) => ({ day, amount }))
}

/** Returns a function that creates a row with a unique key for a line. Identical lines are numbered within the file. */
function rowMaker({ ids }: UnitOfWork, partner: string, fileId: bigint): (line: StatementLine) => LineRow {
  const counts = new Map<string, number>()
  return ({ references, ...line }) => {
    const kind = JSON.stringify([
      line.day,
      String(line.amount),
      line.bankReference ?? [references, line.accountNumber, line.narration],
    ])
    const number = (counts.get(kind) ?? 0) + 1
    counts.set(kind, number)
    const key = createHash('sha256').update(`${kind} ${number}`).digest('base64url').slice(0, KEY_LENGTH)
    return { ...line, partner, id: ids.id(), fileId, key, named: references, itemId: null }
  }
}

/** The number of characters of a hash that form a key: 144 bits. */
const KEY_LENGTH = 24

/** Finds the account at a partner; throws if there is none. */
export async function requireAccount(
  db: Parameters<typeof findAccount>[0],
  partner: string,
): Promise<StatementAccount> {
  const account = await findAccount(db, partner)
  if (account === undefined)
    throw new StatementError(`No account at ${partner} is registered. Register it with kobo statement account.`)
  return account
}
