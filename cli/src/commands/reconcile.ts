import { parseArgs } from 'node:util'
import { REASON_LENGTH_MAX } from '@kobo/contract'
import { unitOfWork } from '@kobo/gateway/core/unit-of-work.ts'
import {
  AGES,
  ageOf,
  closeDays,
  countItems,
  type DayRow,
  decide,
  type Exception,
  explain,
  findExceptions,
  type ItemRow,
  join,
  knownAccount,
  lastClosed,
  matchPartner,
  proveDay,
  selectAccounts,
  selectDays,
  selectExceptions,
  selectLastDays,
  type Wanted,
} from '@kobo/gateway/features/reconciliation/index.ts'
import { dayText, lagosDay } from '@kobo/gateway/kernel/dates.ts'
import { kobo, toNairaText } from '@kobo/gateway/kernel/money.ts'
import { BYTE_ORDER_MARK, line as csvLine } from '@kobo/gateway/platform/csv.ts'
import { inTransaction, SNAPSHOT, type Tx } from '@kobo/gateway/platform/db.ts'
import { type Command, print, required, UsageError, type Workplace, withCore } from '../command.ts'
import { dayIn, partnerIn, told } from './statement.ts'

const AT_THE_MACHINE = { actor: 'command line' } as const
const NAME_LENGTH_MAX = 100

export const reconcileMatch: Command = {
  usage: '[PARTNER]',
  summary: 'Holds the lines of statements against the books, as far as they are not settled; of one partner, or of all',
  details: '\nPrints JSON. kobo statement import does it too, and so does kobo reconcile close.\n',
  run: async (args, around) => {
    const { positionals } = parseArgs({ args, allowPositionals: true })
    return told(() =>
      withCore(around, async ({ core }) => {
        const partners = await partnersIn(core, positionals)
        const all = []
        for (const partner of partners) all.push(await unitOfWork(core, (unit) => matchPartner(unit, partner)))
        print(around, all)
        return 0
      }),
    )
  },
}

export const reconcileStatus: Command = {
  usage: '[PARTNER]',
  summary:
    'Shows how far each partner is reconciled, and whether the bank’s last balance is the books’; exit code 1 if not',
  details: `
Prints JSON. exceptions are those that nobody has explained, by their age in days. proof is of the last day of which the bank's
balance is known: bank = books + before (what differed when the first day began) + listed; unexplained must be 0.00.
`,
  run: async (args, around) => {
    const { positionals } = parseArgs({ args, allowPositionals: true })
    return told(() =>
      withCore(around, async ({ core }) => {
        const shown = []
        const today = lagosDay(core.clock.now())
        for (const partner of await partnersIn(core, positionals))
          shown.push(await inTransaction(core.db, (tx) => statusOf(tx, partner, today), SNAPSHOT))
        print(around, shown)
        return shown.every(({ proof }) => proof === null || proof.unexplained === '0.00') ? 0 : 1
      }),
    )
  },
}

type Core = Workplace['core']

async function partnersIn({ db }: Core, positionals: readonly string[]): Promise<readonly string[]> {
  if (positionals.length > 0) return [(await knownAccount(db, partnerIn(positionals))).partner]
  return (await selectAccounts(db)).map(({ partner }) => partner)
}

async function statusOf(tx: Tx, partner: string, today: number) {
  const account = await knownAccount(tx, partner)
  const toldUpTo = (await selectLastDays(tx)).find((one) => one.partner === partner)?.day ?? account.beganOn - 1
  const closed = await lastClosed(tx, partner)
  const open = (await selectExceptions(tx, partner)).filter(({ state }) => state !== 'EXPLAINED')
  const ages = open.map(({ day }) => ageOf(today - day))
  const proof = toldUpTo < account.beganOn ? null : await proveDay(tx, account, toldUpTo)
  const listed = proof?.remainders.reduce((sum, { amount }) => sum + amount, 0n) ?? 0n
  return {
    partner,
    from: dayText(account.beganOn),
    toldUpTo: toldUpTo < account.beganOn ? null : dayText(toldUpTo),
    closedThrough: closed === undefined ? null : dayText(closed),
    items: (await countItems(tx, partner)).map(({ count, ...one }) => ({ ...one, count: Number(count) })),
    exceptions: Object.fromEntries(AGES.map((age) => [age, ages.filter((one) => one === age).length])),
    proof:
      proof === null
        ? null
        : {
            day: dayText(proof.day),
            bank: proof.bank === null ? null : toNairaText(proof.bank),
            books: toNairaText(proof.books),
            before: toNairaText(proof.before),
            listed: toNairaText(kobo(listed)),
            unexplained: proof.unexplained === null ? null : toNairaText(proof.unexplained),
            wanting: proof.wanting,
          },
  }
}

export const reconcileExceptions: Command = {
  usage: '[PARTNER] [--csv]',
  summary: 'Lists what does not agree between statements and books, with its reason and age; oldest first',
  details: `
amount is how much more the bank has than the books. Reasons:
  MISSING_NOTICE   the bank has it, and nobody told us          UNKNOWN_DEBIT  it left, and we asked for nothing
  MISSING_LINE     we have it, and the bank does not            WRONG_AMOUNT   both have it, with other amounts
  DOUBLED_NOTICE   the same, and it is like one that it has     WRONG_FEE      the bank took another fee than it told
  DOUBLED_LINE     the bank has it twice                        UNBOOKED_FEE   the bank took a fee, and told none
Prints JSON with the lines and entries of each, what is proposed, and what may be its counterpart (perhaps); or CSV.
`,
  run: async (args, around) => {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { csv: { type: 'boolean' } } })
    const partner = positionals.length === 0 ? null : partnerIn(positionals)
    return told(() =>
      withCore(around, async ({ core }) => {
        const all = await findExceptions(core.db, partner)
        const shown = all.map((one) => showException(core, one, all))
        if (values.csv === true) around.out(exceptionsCsv(shown))
        else print(around, shown)
        return 0
      }),
    )
  },
}

function showException({ clock }: Core, { item, lines, entries, proposed }: Exception, all: readonly Exception[]) {
  const { partner, id, reason, state, day, difference, note } = item
  const days = lagosDay(clock.now()) - day
  return {
    id: String(id),
    partner,
    reason,
    state,
    day: dayText(day),
    age: ageOf(days),
    amount: toNairaText(difference),
    note,
    lines: lines.map((line) => ({
      day: dayText(line.day),
      amount: toNairaText(line.amount),
      isFee: line.isFee,
      bankReference: line.bankReference,
      references: line.named,
      accountNumber: line.accountNumber,
      name: line.name,
      narration: line.narration,
    })),
    entries: entries.map((entry) => ({
      day: dayText(entry.day),
      amount: toNairaText(entry.amount),
      merchantId: entry.merchantId,
      journal: entry.key,
    })),
    proposed:
      proposed === undefined
        ? null
        : { ...proposed.wanted, by: proposed.proposedBy, because: proposed.proposedBecause },
    perhaps: all
      .map((one) => one.item)
      .filter((one) => one.partner === partner && one.difference === -difference && Math.abs(one.day - day) <= 1)
      .map((one) => String(one.id)),
  }
}

const exceptionsCsv = (shown: readonly ReturnType<typeof showException>[]): string =>
  BYTE_ORDER_MARK +
  csvLine(['id', 'partner', 'reason', 'state', 'day', 'age', 'amount', 'bank reference', 'journals', 'note']) +
  shown
    .map(({ id, partner, reason, state, day, age, amount, lines, entries, note }) =>
      csvLine([
        id,
        partner,
        reason,
        state,
        day,
        age,
        amount,
        lines.map(({ bankReference, references }) => bankReference ?? references[0] ?? '').join(' '),
        entries.map(({ journal }) => journal).join(' '),
        note,
      ]),
    )
    .join('')

export const reconcileDecide: Command = {
  usage:
    'ID --as cost|own|suspense|moved|credit --by NAME --because TEXT [--other PARTNER] [--bank CODE --account NUMBER]',
  summary: 'Says what is to be booked for an exception; counts once a second person says the same',
  details: `
One person proposes, another confirms by the same call under a name of their own; then it is booked, or, for credit, the
gateway receives it within seconds. What is booked is the exception's amount:
  cost      the partner kept it or gave it back: costs/PARTNER
  own       the operator put it in or took it out: clearing/own
  moved     it went to, or came from, our account at --other
  suspense  it arrived, and nobody knows whose it is: kobo returns list has it from then on
  credit    it arrived on --account at --bank and nobody told us: received as if its notice came now
`,
  run: async (args, around) => {
    const text = { type: 'string' } as const
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { as: text, by: text, because: text, other: text, bank: text, account: text },
    })
    const [id = 0n] = idsIn(positionals, 1)
    const word = { wanted: wantedIn(values), by: nameIn(values.by), because: becauseIn(values.because) }
    return told(() =>
      withCore(around, async ({ core }) => {
        const decision = await unitOfWork(core, (unit) => decide(unit, id, word, AT_THE_MACHINE))
        const { partner, state, wanted, difference, proposedBy, confirmedBy } = decision
        print(around, { id, partner, state, ...wanted, amount: toNairaText(difference), proposedBy, confirmedBy })
        return 0
      }),
    )
  },
}

export const reconcileExplain: Command = {
  usage: 'ID --because TEXT',
  summary: 'Writes down why an exception is as it is; nothing is booked, and days can be closed with it',
  details: '\nIt stays in the proof of each day as explained until its counterpart comes or something is decided.\n',
  run: async (args, around) => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { because: { type: 'string' } },
    })
    const [id = 0n] = idsIn(positionals, 1)
    const because = becauseIn(values.because)
    return told(() =>
      withCore(around, async ({ core }) => {
        print(around, showItem(await unitOfWork(core, (unit) => explain(unit, id, because, AT_THE_MACHINE))))
        return 0
      }),
    )
  },
}

export const reconcileJoin: Command = {
  usage: 'ID ID … --because TEXT',
  summary: 'Puts exceptions together that belong together, where with that nothing is left over',
  details:
    '\nA line and its entry that no key tells, or two lines of which one takes the other back. Nothing is booked.\n',
  run: async (args, around) => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { because: { type: 'string' } },
    })
    const ids = idsIn(positionals, IDS_MAX)
    const because = becauseIn(values.because)
    return told(() =>
      withCore(around, async ({ core }) => {
        print(around, showItem(await unitOfWork(core, (unit) => join(unit, ids, because, AT_THE_MACHINE))))
        return 0
      }),
    )
  },
}

export const reconcileClose: Command = {
  usage: 'PARTNER [--through DAY]',
  summary:
    'Closes the next day of a partner, or all up to one: the bank’s balance is the books’, and all else is explained',
  details: `
A day can be closed an hour after its end, once the bank's balance is known and follows from its lines, no exception up to it is
open, and bank = books + what is explained, to the kobo. A closed day does not change any more. Prints JSON.
`,
  run: async (args, around) => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { through: { type: 'string' } },
    })
    const partner = partnerIn(positionals)
    const through = values.through === undefined ? undefined : dayIn(values.through, '--through')
    return told(() =>
      withCore(around, async ({ core }) => {
        const days = await unitOfWork(core, (unit) => closeDays(unit, partner, through, AT_THE_MACHINE))
        print(around, days.map(showDay))
        return 0
      }),
    )
  },
}

export const reconcileReport: Command = {
  usage: 'PARTNER [--from DAY] [--to DAY] [--explained]',
  summary: 'Prints the closed days of a partner as CSV; with --explained what made up their differences',
  run: async (args, around) => {
    const text = { type: 'string' } as const
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { from: text, to: text, explained: { type: 'boolean' } },
    })
    const partner = partnerIn(positionals)
    const from = values.from === undefined ? 0 : dayIn(values.from, '--from')
    const to = values.to === undefined ? DAY_MAX : dayIn(values.to, '--to')
    return told(() =>
      withCore(around, async ({ core: { db } }) => {
        await knownAccount(db, partner)
        const days = await selectDays(db, partner, from, to)
        around.out(BYTE_ORDER_MARK + (values.explained === true ? explainedCsv(days) : daysCsv(days)))
        return 0
      }),
    )
  },
}

const DAY_MAX = 2_932_896 // the last one with a year of four digits
const IDS_MAX = 100

function idsIn(positionals: readonly string[], most: number): readonly bigint[] {
  if (positionals.length === 0 || positionals.length > most || positionals.some((id) => !/^\d{1,18}$/.test(id)))
    throw new UsageError(most === 1 ? 'Name one exception by its id.' : 'Name exceptions by their ids.')
  return positionals.map(BigInt)
}

function short(text: string | undefined, option: string, lengthMax: number): string {
  const trimmed = required(text, option).trim().replace(/\s+/g, ' ')
  if (trimmed.length > lengthMax) throw new UsageError(`${option} has ${lengthMax} characters at the most.`)
  return trimmed
}
const nameIn = (text: string | undefined): string => short(text, '--by', NAME_LENGTH_MAX)
const becauseIn = (text: string | undefined): string => short(text, '--because', REASON_LENGTH_MAX)

interface Said {
  readonly as?: string | undefined
  readonly other?: string | undefined
  readonly bank?: string | undefined
  readonly account?: string | undefined
}

function wantedIn({ as, other, bank, account }: Said): Wanted {
  switch (as) {
    case 'cost':
    case 'own':
    case 'suspense':
      return { as }
    case 'moved':
      return { as, other: required(other, '--other') }
    case 'credit':
      if (bank === undefined || !/^\d{3,6}$/.test(bank)) throw new UsageError('--bank is a bank code of 3 to 6 digits.')
      if (account === undefined || !/^\d{10}$/.test(account))
        throw new UsageError('--account is an account number of 10 digits.')
      return { as, bankCode: bank, accountNumber: account }
    default:
      throw new UsageError('Say what it is: --as cost, own, suspense, moved or credit.')
  }
}

const showItem = ({ id, partner, state, reason, day, note }: ItemRow) => ({
  id,
  partner,
  state,
  reason,
  day: dayText(day),
  note,
})

const showDay = ({ partner, day, bank, books, explained, lines, entries, closedBy }: DayRow) => ({
  partner,
  day: dayText(day),
  bank: toNairaText(bank),
  books: toNairaText(books),
  explained,
  lines,
  entries,
  closedBy,
})

const daysCsv = (days: readonly DayRow[]): string =>
  csvLine([
    'partner',
    'day',
    'bank',
    'books',
    'difference',
    'explained',
    'lines',
    'entries',
    'closed at',
    'closed by',
  ]) +
  days
    .map(({ partner, day, bank, books, explained, lines, entries, closedAt, closedBy }) =>
      csvLine([
        partner,
        dayText(day),
        toNairaText(bank),
        toNairaText(books),
        toNairaText(kobo(bank - books)),
        explained.length,
        lines,
        entries,
        closedAt.toISOString(),
        closedBy,
      ]),
    )
    .join('')

const explainedCsv = (days: readonly DayRow[]): string =>
  csvLine(['partner', 'day', 'id', 'reason', 'since', 'amount', 'note']) +
  days
    .flatMap(({ partner, day, explained }) =>
      explained.map((one) => csvLine([partner, dayText(day), one.id, one.reason, one.day, one.amount, one.note])),
    )
    .join('')
