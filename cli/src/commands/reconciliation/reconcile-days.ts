import { parseArgs } from 'node:util'
import { unitOfWork } from '@kobo/gateway/core/unit-of-work.ts'
import {
  AGES,
  ageOf,
  checkDay,
  closeDays,
  countItems,
  type DayRow,
  lastClosed,
  matchPartner,
  requireAccount,
  selectAccounts,
  selectDays,
  selectExceptions,
  selectLastDays,
} from '@kobo/gateway/features/reconciliation/index.ts'
import { dayText, lagosDay } from '@kobo/gateway/kernel/dates.ts'
import { kobo, toNairaText } from '@kobo/gateway/kernel/money.ts'
import { BYTE_ORDER_MARK, line as csvLine } from '@kobo/gateway/platform/formats/csv.ts'
import { inTransaction, SNAPSHOT, type Tx } from '@kobo/gateway/platform/postgres/db.ts'
import { type Command, type OpenGateway, print, withCore } from '../../command.ts'
import { asUsageError, BY_COMMAND_LINE, dayIn, partnerIn } from './statement.ts'

export const reconcileMatch: Command = {
  usage: '[PARTNER]',
  summary: 'Matches open statement lines with the ledger, for one partner or all',
  details: '\nPrints JSON. "./kobo statement import" and "./kobo reconcile close" also do this.\n',
  run: async (args, context) => {
    const { positionals } = parseArgs({ args, allowPositionals: true })
    return asUsageError(() =>
      withCore(context, async ({ core }) => {
        const partners = await partnersIn(core, positionals)
        const all = []
        for (const partner of partners) all.push(await unitOfWork(core, (unit) => matchPartner(unit, partner)))
        print(context, all)
        return 0
      }),
    )
  },
}

export const reconcileStatus: Command = {
  usage: '[PARTNER]',
  summary:
    'Shows how far each partner is reconciled; exit code 1 if the bank’s last balance and the ledger differ by more than the listed differences',
  details: `
Prints JSON. exceptions counts unexplained exceptions by age in days. proof covers the last day with a known bank balance:
bank = books + before (the difference at the start of the first day) + listed; unexplained must be 0.00.
`,
  run: async (args, context) => {
    const { positionals } = parseArgs({ args, allowPositionals: true })
    return asUsageError(() =>
      withCore(context, async ({ core }) => {
        const shown = []
        const today = lagosDay(core.clock.now())
        for (const partner of await partnersIn(core, positionals))
          shown.push(await inTransaction(core.db, (tx) => statusOf(tx, partner, today), SNAPSHOT))
        print(context, shown)
        return shown.every(({ proof }) => proof === null || proof.unexplained === '0.00') ? 0 : 1
      }),
    )
  },
}

type Core = OpenGateway['core']

async function partnersIn({ db }: Core, positionals: readonly string[]): Promise<readonly string[]> {
  if (positionals.length > 0) return [(await requireAccount(db, partnerIn(positionals))).partner]
  return (await selectAccounts(db)).map(({ partner }) => partner)
}

async function statusOf(tx: Tx, partner: string, today: number) {
  const account = await requireAccount(tx, partner)
  const statementUpTo = (await selectLastDays(tx)).find((one) => one.partner === partner)?.day ?? account.beganOn - 1
  const closed = await lastClosed(tx, partner)
  const open = (await selectExceptions(tx, partner)).filter(({ state }) => state !== 'EXPLAINED')
  const ages = open.map(({ day }) => ageOf(today - day))
  const proof = statementUpTo < account.beganOn ? null : await checkDay(tx, account, statementUpTo)
  const listed = proof?.remainders.reduce((sum, { amount }) => sum + amount, 0n) ?? 0n
  return {
    partner,
    from: dayText(account.beganOn),
    statementUpTo: statementUpTo < account.beganOn ? null : dayText(statementUpTo),
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
            unknownReason: proof.unknownReason,
          },
  }
}

export const reconcileClose: Command = {
  usage: 'PARTNER [--through DAY]',
  summary: 'Closes the next day of a partner, or all days up to one, once bank and ledger match',
  details: `
A day can be closed an hour after its end if the bank's balance is known and follows from its lines, no exception is open, and
bank = books + explained differences, to the kobo. A closed day is final. Prints JSON.
`,
  run: async (args, context) => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { through: { type: 'string' } },
    })
    const partner = partnerIn(positionals)
    const through = values.through === undefined ? undefined : dayIn(values.through, '--through')
    return asUsageError(() =>
      withCore(context, async ({ core }) => {
        const days = await unitOfWork(core, (unit) => closeDays(unit, partner, through, BY_COMMAND_LINE))
        print(context, days.map(showDay))
        return 0
      }),
    )
  },
}

export const reconcileReport: Command = {
  usage: 'PARTNER [--from DAY] [--to DAY] [--explained]',
  summary: 'Exports a partner’s closed days as CSV; with --explained, the explained differences',
  run: async (args, context) => {
    const text = { type: 'string' } as const
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { from: text, to: text, explained: { type: 'boolean' } },
    })
    const partner = partnerIn(positionals)
    const from = values.from === undefined ? 0 : dayIn(values.from, '--from')
    const to = values.to === undefined ? DAY_MAX : dayIn(values.to, '--to')
    return asUsageError(() =>
      withCore(context, async ({ core: { db } }) => {
        await requireAccount(db, partner)
        const days = await selectDays(db, partner, from, to)
        context.out(BYTE_ORDER_MARK + (values.explained === true ? explainedCsv(days) : daysCsv(days)))
        return 0
      }),
    )
  },
}

const DAY_MAX = 2_932_896 // 9999-12-31

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
