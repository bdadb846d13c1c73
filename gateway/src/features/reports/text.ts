import type { Notice } from '../../core/messages/notices.ts'
import { findBank } from '../../core/money/bank-list/index.ts'
import { dayText } from '../../kernel/dates.ts'
import { type Kobo, kobo, sum, toNairaForPeople, toNairaText } from '../../kernel/money.ts'
import { BYTE_ORDER_MARK, line } from '../../platform/csv.ts'
import type { SettledSum, SettlementRow } from '../settlements/index.ts'

/** A day's settlements, oldest first. */
export interface SettledDay {
  readonly day: number
  readonly merchantName: string
  readonly settlements: readonly { readonly row: SettlementRow; readonly sum: SettledSum | undefined }[]
  readonly hasMore: boolean
}

type Line = SettledDay['settlements'][number]

const COLUMNS = [
  'settlementReference',
  'settledOn',
  'status',
  'gross',
  'fee',
  'net',
  'transactions',
  'destination',
  'bankReference',
]

const grossOf = ({ row, sum: known }: Line): Kobo => known?.gross ?? row.amount
const feeOf = ({ sum: known }: Line): Kobo => known?.fee ?? kobo(0n)

/** The mail that tells a day's settlements, with all of them as a file. */
export function reportText(
  { day, merchantName, settlements, hasMore }: SettledDay,
  publicUrl: string,
): Pick<Notice, 'subject' | 'text' | 'file'> {
  const date = dayText(day)
  const net = sum(settlements.map(({ row }) => row.amount))
  const address = `${publicUrl}/dashboard/settlements?from=${date}&to=${date}`
  const text = [
    `Settled to ${merchantName} on ${date} (Lagos):`,
    '',
    `Gross  ${toNairaForPeople(sum(settlements.map(grossOf)))}`,
    `Fee    ${toNairaForPeople(sum(settlements.map(feeOf)))}`,
    `Net    ${toNairaForPeople(net)}`,
    '',
    ...settlements.map(lineOf),
    ...(hasMore ? ['', 'There are more of this day, which are not in these sums.'] : []),
    '',
    `All of it, as it is now: ${address}`,
    'You have chosen this report in your profile, and can end it there.',
  ]
  const rows = [COLUMNS, ...settlements.map(cellsOf)]
  return {
    subject: `${merchantName}: ${toNairaForPeople(net)} settled on ${date}`,
    text: text.join('\n'),
    file: { name: `settlements ${date}.csv`, text: BYTE_ORDER_MARK + rows.map(line).join('') },
  }
}

function lineOf(one: Line): string {
  const { row, sum: known } = one
  const to = row.destination === 'WALLET' ? 'to the wallet' : `to ${row.destinationAccountNumber}, ${bankOf(one)}`
  const reference = known?.sessionId == null ? '' : `, bank’s reference ${known.sessionId}`
  return `${row.settlementReference}: ${toNairaForPeople(row.amount)} ${to}, ${row.status}${reference}`
}

const bankOf = ({ row }: Line): string => findBank(row.destinationBankCode)?.name ?? row.destinationBankCode

const cellsOf = (one: Line): readonly string[] => {
  const { row, sum: known } = one
  return [
    row.settlementReference,
    row.settledAt.toISOString(),
    row.status,
    toNairaText(grossOf(one)),
    toNairaText(feeOf(one)),
    toNairaText(row.amount),
    String(row.transactionsCount),
    row.destination === 'WALLET' ? 'WALLET' : `${row.destinationAccountNumber} ${bankOf(one)}`,
    known?.sessionId ?? '',
  ]
}
