import { findBank } from '../../core/bank-list/index.ts'
import type { Notice } from '../../core/messages/notices.ts'
import { dayText, displayDay, lagosMoment, spaced } from '../../kernel/dates.ts'
import { formatNaira, type Kobo, kobo, sum, toNairaText } from '../../kernel/money.ts'
import { BYTE_ORDER_MARK, spreadsheetLine } from '../../platform/formats/csv.ts'
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
  'Settlement reference',
  'Settled (WAT)',
  'Status',
  'Gross',
  'Fee',
  'Net',
  'Transactions',
  'Destination',
  'Bank reference',
  'Debts repaid',
  'Reserved',
]

const grossOf = ({ row, sum: known }: Line): Kobo => known?.gross ?? row.amount
const feeOf = ({ sum: known }: Line): Kobo => known?.fee ?? kobo(0n)

/** Writes the email about a day's settlements, with a file that lists them. */
export function reportText(
  { day, merchantName, settlements, hasMore }: SettledDay,
  publicUrl: string,
): Pick<Notice, 'subject' | 'text' | 'file'> {
  const date = dayText(day)
  const shownDay = displayDay(lagosMoment(day, 0))
  const net = sum(settlements.map(({ row }) => row.amount))
  const address = `${publicUrl}/dashboard/settlements?from=${date}&to=${date}`
  const text = [
    `Settlements to ${merchantName} on ${shownDay} (Lagos time):`,
    '',
    `Gross  ${formatNaira(sum(settlements.map(grossOf)))}`,
    `Fee    ${formatNaira(sum(settlements.map(feeOf)))}`,
    `Net    ${formatNaira(net)}`,
    '',
    ...settlements.map(lineOf),
    ...(hasMore ? ['', 'This day has more settlements, which are not included in these sums.'] : []),
    '',
    `See all settlements of the day: ${address}`,
    'You receive this report because you subscribed in your profile. You can unsubscribe there.',
  ]
  const rows = [COLUMNS, ...settlements.map(cellsOf)]
  return {
    subject: `${merchantName}: ${formatNaira(net)} settled on ${shownDay}`,
    text: text.join('\n'),
    file: { name: `settlements ${date}.csv`, text: BYTE_ORDER_MARK + rows.map(spreadsheetLine).join('') },
  }
}

function lineOf(one: Line): string {
  const { row, sum: known } = one
  const to = row.destination === 'WALLET' ? 'to the wallet' : `to ${row.destinationAccountNumber}, ${bankOf(one)}`
  const reference = known?.sessionId == null ? '' : `, bank reference ${known.sessionId}`
  return `${row.settlementReference}: ${formatNaira(row.amount)} ${to}, ${row.status.toLowerCase()}${reference}`
}

const bankOf = ({ row }: Line): string => findBank(row.destinationBankCode)?.name ?? row.destinationBankCode

const cellsOf = (one: Line): readonly string[] => {
  const { row, sum: known } = one
  return [
    row.settlementReference,
    spaced(row.settledAt),
    row.status,
    toNairaText(grossOf(one)),
    toNairaText(feeOf(one)),
    toNairaText(row.amount),
    String(row.transactionsCount),
    row.destination === 'WALLET' ? 'Wallet' : `${row.destinationAccountNumber} ${bankOf(one)}`,
    known?.sessionId ?? '',
    toNairaText(row.debtRepaid),
    toNairaText(row.reserved),
  ]
}
