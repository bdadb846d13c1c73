import type { listExceptions, Reply } from '@kobo/contract'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import * as routes from '../../../routes.ts'
import { naira } from '../../../ui/money.ts'
import { call } from '../../api/call.ts'
import { ActionButton } from '../../parts/list/action-button.tsx'
import type { Column } from '../../parts/list/column.ts'
import { Facts } from '../../parts/list/detail.tsx'
import type { Action, ActionField } from '../../parts/list/list-spec.ts'
import { Rows } from '../../parts/list/rows.tsx'
import { Status } from '../../parts/list/value.tsx'

export type Exception = Reply<typeof listExceptions>['exceptions'][number]
type ProposedAs = NonNullable<Exception['proposal']>['as']
type BookedAs = Exclude<ProposedAs, 'join'>

const REASONS: Readonly<Record<string, string>> = {
  MISSING_NOTICE: 'Credit without a notification from the bank',
  UNKNOWN_DEBIT: 'Debit that the ledger does not have',
  DOUBLED_LINE: 'Booked twice by the bank',
  DOUBLED_NOTICE: 'Reported twice by the bank',
  MISSING_LINE: 'Not in the bank’s statement',
  WRONG_AMOUNT: 'Bank and ledger have different amounts',
  WRONG_FEE: 'Bank and ledger have different fees',
  UNBOOKED_FEE: 'Fee that the ledger does not expect',
}

/** A list of exceptions, oldest first. */
export const Exceptions = ({ exceptions }: { readonly exceptions: readonly Exception[] }): JSX.Element => (
  <Rows title="Exceptions" rows={exceptions} empty="No exceptions." columns={EXCEPTIONS} />
)

const EXCEPTIONS: readonly Column<Exception>[] = [
  { title: 'Day', value: ({ day }) => day, kind: 'day', link: ({ id }) => `/dashboard/reconciliation/${id}` },
  { title: 'Reason', value: ({ reason }) => REASONS[reason ?? ''] ?? null },
  { title: 'Difference (bank − ledger)', value: ({ amount }) => amount, kind: 'naira' },
  { title: 'Partner', value: ({ partner }) => partner, isWide: true },
  { title: 'Age in days', value: ({ age }) => age, isWide: true },
  { title: 'Status', value: ({ state }) => state, kind: 'status', isWide: true },
  {
    title: 'Proposed resolution',
    value: ({ proposal }) => proposal && `${titleOf(proposal.as)}, by ${proposal.by}`,
    isWide: true,
  },
]

const FACTS: readonly Column<Exception>[] = [
  { title: 'Partner', value: ({ partner }) => partner },
  { title: 'Reason', value: ({ reason }) => REASONS[reason ?? ''] ?? null },
  { title: 'Day', value: ({ day }) => day, kind: 'day' },
  { title: 'Age in days', value: ({ age }) => age },
  { title: 'Note', value: ({ note }) => note },
  { title: 'Possible orders', value: ({ orders }) => orders.join(', ') || null },
  {
    title: 'Proposed resolution',
    value: ({ proposal }) => proposal && [titleOf(proposal.as), proposal.text].join(' ').trim(),
  },
  { title: 'Proposed by', value: ({ proposal }) => proposal?.by ?? null },
  { title: 'Reason for the proposal', value: ({ proposal }) => proposal?.because ?? null },
]

/** How an exception can be booked, and the fields it needs. */
const BOOKINGS: Readonly<
  Record<BookedAs, { readonly title: string; readonly text: string; readonly fields: readonly ActionField[] }>
> = {
  cost: { title: 'Book as cost', text: 'A charge or refund by the partner.', fields: [] },
  own: { title: 'Book as own funds', text: 'Kobo’s own money was paid in or withdrawn.', fields: [] },
  suspense: {
    title: 'Move to suspense',
    text: 'The money arrived, but its owner is unknown. It is then listed under “Suspense”.',
    fields: [],
  },
  moved: {
    title: 'Book as transfer between partners',
    text: 'The money went to, or came from, our account at another partner.',
    fields: [{ name: 'other', label: 'Other partner' }],
  },
  merchant: {
    title: 'Charge a merchant',
    text: 'The partner sent a merchant’s payout although we had returned the money to the wallet. We debit the wallet; a shortfall becomes a debt.',
    fields: [{ name: 'merchantCode', label: 'Merchant code' }],
  },
  credit: {
    title: 'Receive as credit',
    text: 'The partner did not notify us of this money. We process it as if the notification had arrived now.',
    fields: [
      { name: 'bankCode', label: 'Bank', kind: 'bank' },
      { name: 'accountNumber', label: 'Account number', kind: 'number' },
      {
        name: 'reference',
        label: 'Bank’s reference',
        hint: 'Required only if the statement line has none.',
        isOptional: true,
      },
    ],
  },
}
const titleOf = (as: ProposedAs): string => (as === 'join' ? 'Match with other exceptions' : BOOKINGS[as].title)

/** Books an exception: the first operator proposes it, a second one confirms it. */
function decision(as: BookedAs, { proposal }: Exception): Action<Exception> {
  const { title, text, fields } = BOOKINGS[as]
  const isSecond = proposal !== null && proposal.as === as && !proposal.isYours
  return {
    title: isSecond ? `Confirm: ${title.toLowerCase()}` : title,
    text: `${text} ${isSecond ? 'Your confirmation books it at once.' : 'Needs a second operator to confirm.'}`,
    permission: 'operator.manage',
    fields: [...fields, { name: 'because', label: 'How you know', hint: 'Recorded in the audit log.' }],
    toast: isSecond ? 'Resolution confirmed.' : 'Resolution proposed. A second operator has to confirm it.',
    run: ({ id }, { because = '', other, merchantCode, bankCode, accountNumber, reference = '' }) =>
      call(routes.decideException, {
        params: { id },
        body: {
          as,
          because,
          ...(other === undefined ? {} : { other }),
          ...(merchantCode === undefined ? {} : { merchantCode }),
          ...(bankCode === undefined ? {} : { bankCode }),
          ...(accountNumber === undefined ? {} : { accountNumber }),
          ...(reference === '' ? {} : { reference }),
        },
      }),
  }
}

/** Explains an exception without booking anything. */
const EXPLAIN: Action<Exception> = {
  title: 'Explain',
  text: 'Nothing is booked. The day can be closed with this difference, which stays listed until its counterpart arrives.',
  permission: 'operator.manage',
  fields: [{ name: 'because', label: 'Explanation', hint: 'Recorded in the audit log.' }],
  toast: 'Explained.',
  run: ({ id }, { because = '' }) => call(routes.explainException, { params: { id }, body: { because } }),
}

/** How often a confirmed credit is looked at until it is received. */
const RECEIVING_MILLISECONDS = 2_000

interface OneProps {
  readonly item: Exception
  readonly mayDecide: boolean
  readonly again: () => Promise<void>
}

export function ExceptionPage({ item, mayDecide, again }: OneProps): JSX.Element {
  const [toast, setToast] = useState<string>()
  const isReceiving = item.state === 'CREDITING'
  useEffect(() => {
    if (!isReceiving) return
    const timer = setInterval(() => void again(), RECEIVING_MILLISECONDS)
    return () => clearInterval(timer)
  }, [isReceiving])
  const done = (text: string): void => {
    setToast(text)
    void again()
  }
  return (
    <div class="stack">
      <Back />
      <div class="split-row heading">
        <h1>
          {naira(item.amount)} <Status status={item.state} />
        </h1>
        <div class="actions">
          {mayDecide &&
            !isReceiving &&
            [...(Object.keys(BOOKINGS) as BookedAs[]).map((as) => decision(as, item)), EXPLAIN].map((action) => (
              <ActionButton key={action.title} action={action} subject={item} done={done} isPlain />
            ))}
        </div>
      </div>
      <div role="status">{toast !== undefined && <p class="notice">{toast}</p>}</div>
      <Facts columns={FACTS} item={item} />
      <Rows title="Bank statement lines" rows={item.lines} empty="No lines." columns={PARTS} />
      <Rows title="Ledger entries" rows={item.entries} empty="No entries." columns={PARTS} />
    </div>
  )
}

const PARTS: readonly Column<Exception['lines'][number]>[] = [
  { title: 'Day', value: ({ day }) => day, kind: 'day' },
  { title: 'Amount', value: ({ amount }) => amount, kind: 'naira' },
  { title: 'Reference', value: ({ reference }) => reference, kind: 'code' },
  { title: 'Text', value: ({ text }) => text, isWide: true },
]

/** The page of an exception that no longer exists. */
export const Resolved = (): JSX.Element => (
  <div class="stack">
    <Back />
    <h1>Exception resolved</h1>
    <p class="quiet">Bank and ledger agree now. For the history, run kobo reconcile report.</p>
  </div>
)

export const Back = (): JSX.Element => (
  <p>
    <a class="link back" href="/dashboard/reconciliation">
      Reconciliation
    </a>
  </p>
)
