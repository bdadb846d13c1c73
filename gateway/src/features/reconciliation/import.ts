import { createHash } from 'node:crypto'
import {
  type Mapping,
  PLAIN,
  type Statement,
  StatementError,
  type StatementLine,
} from '../../core/money/statements/index.ts'
import { audit, NO_MERCHANT } from '../../core/security/audit.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { dayText, lagosMoment } from '../../kernel/dates.ts'
import { type Kobo, toNairaText } from '../../kernel/money.ts'
import { setsOf } from '../../platform/sets.ts'
import { heldByPartner } from './books.ts'
import { lastClosed } from './day-repository.ts'
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
  selectKept,
} from './statement-repository.ts'

/** What an operator says of an account of ours at a partner. */
export interface AccountWanted {
  readonly partner: string
  readonly accountNumber?: string | undefined
  readonly mapping?: Mapping | undefined
  /** The first day that is reconciled, and what the bank had when it began; only at the first time. */
  readonly from?: number | undefined
  readonly opening?: Kobo | undefined
}

/** Makes an account known whose statements are to come, or changes how they are read. */
export async function putStatementAccount(unit: UnitOfWork, wanted: AccountWanted): Promise<StatementAccount> {
  const { partner, accountNumber, mapping, from, opening } = wanted
  const before = await lockAccount(unit.tx, partner)
  if (before !== undefined) {
    if (from !== undefined || opening !== undefined)
      throw new StatementError(`${partner} is reconciled since ${dayText(before.beganOn)}; that stays.`)
    const change = {
      ...(accountNumber === undefined ? {} : { accountNumber }),
      ...(mapping === undefined ? {} : { mapping }),
    }
    changeAccount(unit.tx, partner, change)
    auditAccount(unit, 'statement-account.change', { ...before, ...change })
    return { ...before, ...change }
  }
  if (from === undefined || opening === undefined)
    throw new StatementError('Say from which day on, and what the bank had when it began.')
  const begin = lagosMoment(from, 0)
  if (begin > unit.at) throw new StatementError(`${dayText(from)} has not begun.`)
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

/** A file to be taken. */
export interface StatementFileWanted {
  readonly partner: string
  readonly name: string
  readonly bytes: Buffer
  readonly statements: readonly Statement[]
}

/** What came of a file. */
export interface Imported {
  /** Whether it was taken before: then nothing has changed. */
  readonly isKnown: boolean
  readonly lines: number
  readonly newLines: number
  /** Lines from before the first day that is reconciled. */
  readonly tooEarly: number
  readonly firstDay: number | null
  readonly lastDay: number | null
}

/** Takes a file, whole. One that was taken before changes nothing, and neither does a line that stands in another one. */
export async function importStatements(
  unit: UnitOfWork,
  { partner, name, bytes, statements }: StatementFileWanted,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<Imported> {
  const account = await lockAccount(unit.tx, partner)
  if (account === undefined) throw new StatementError(`No account at ${partner} is known; see kobo statement account.`)
  const hash = createHash('sha256').update(bytes).digest('hex')
  const known = await findFile(unit.tx, partner, hash)
  if (known !== undefined) return { isKnown: true, tooEarly: 0, ...known, newLines: 0 }
  for (const statement of statements) checkAccount(account, statement)
  const fileId = unit.ids.id()
  const closed = (await lastClosed(unit.tx, partner)) ?? account.beganOn - 1
  const taken = await takeLines(unit, account, { fileId, closed, statements, onProgress })
  const { tooEarly, ...counts } = taken
  putBalances(
    unit.tx,
    closingsOf(statements, closed).map((one) => ({ partner, fileId, ...one })),
  )
  insertFile(unit.tx, { partner, id: fileId, hash, name, ...counts, importedAt: unit.at })
  const { lines, newLines } = counts
  audit(unit, {
    merchantId: NO_MERCHANT,
    act: 'statement.import',
    actor: 'command line',
    reference: partner,
    details: { name, sha256: hash, lines, newLines },
  })
  return { isKnown: false, ...taken }
}

interface Taking {
  readonly fileId: bigint
  readonly closed: number
  readonly statements: readonly Statement[]
  readonly onProgress: (done: number, total: number) => void
}

/** So many lines of a file are in memory at once. */
const LINES_AT_ONCE = 2_000

/** Keeps the lines of a file, a set at a time. */
async function takeLines(
  unit: UnitOfWork,
  { partner, beganOn }: StatementAccount,
  { fileId, closed, statements, onProgress }: Taking,
): Promise<Omit<Imported, 'isKnown'>> {
  const total = statements.reduce((sum, { lineCount }) => sum + lineCount, 0)
  let [lines, newLines, tooEarly] = [0, 0, 0]
  let [firstDay, lastDay]: [number | null, number | null] = [null, null]
  const toRow = rowMaker(unit, partner, fileId)
  for (const set of setsOf(linesOf(statements), LINES_AT_ONCE)) {
    const read = set.filter(({ day }) => day >= beganOn)
    tooEarly += set.length - read.length
    for (const { day } of read) {
      if (lagosMoment(day, 0) > unit.at) throw new StatementError(`A line is of ${dayText(day)}, which has not begun.`)
      firstDay = firstDay === null ? day : Math.min(firstDay, day)
      lastDay = lastDay === null ? day : Math.max(lastDay, day)
    }
    const rows = read.map(toRow)
    await refuseNewIn(
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

/** A closed day does not change: what a file says of it must be known. */
async function refuseNewIn({ tx }: UnitOfWork, partner: string, rows: readonly LineRow[]): Promise<void> {
  if (rows.length === 0) return
  const kept = await selectKept(
    tx,
    partner,
    rows.map(({ key }) => key),
  )
  const late = rows.find(({ key }) => !kept.has(key))
  if (late !== undefined)
    throw new StatementError(
      `A line of ${toNairaText(late.amount)} of ${dayText(late.day)} is new, but that day is closed: ask ${partner}.`,
    )
}

/** The digits and letters that count. */
const bare = (text: string): string => text.replace(/[^A-Z0-9]/gi, '').toUpperCase()

/** Refuses a statement of another account: a bank's own code may stand before the number. */
function checkAccount({ partner, accountNumber }: StatementAccount, { account }: Statement): void {
  if (accountNumber === null || account === null) return
  if (!bare(account).endsWith(bare(accountNumber)))
    throw new StatementError(`The file is of account ${account}, and not of ${accountNumber} at ${partner}.`)
}

/** What the bank had at the end of each day, as far as the file says that. */
function closingsOf(statements: readonly Statement[], closed: number) {
  const closings = new Map<number, Kobo>()
  for (const { closing } of statements)
    if (closing !== null && !closing.isInterim && closing.day > closed) closings.set(closing.day, closing.amount)
  return [...closings].map(([day, amount]) => ({ day, amount }))
}

/** Gives the lines of a file their keys: of several that nothing tells apart each is the how many-eth of its kind in the file. */
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

/** Of a hash: 144 bits. */
const KEY_LENGTH = 24

/** The account at a partner that must be known. */
export async function knownAccount(db: Parameters<typeof findAccount>[0], partner: string): Promise<StatementAccount> {
  const account = await findAccount(db, partner)
  if (account === undefined) throw new StatementError(`No account at ${partner} is known; see kobo statement account.`)
  return account
}
