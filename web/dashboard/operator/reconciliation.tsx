import type { decideException, listExceptions, Reply } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { naira } from '../../ui/money.ts'
import { call } from '../call.ts'
import { ActButton } from '../list/act.tsx'
import type { Column } from '../list/column.ts'
import { Facts } from '../list/detail.tsx'
import { Rows } from '../list/rows.tsx'
import type { Act, Asked } from '../list/spec.ts'
import { Status, wordsOf } from '../list/value.tsx'
import type { ScreenProps } from '../screen.ts'
import { useReply } from '../use-reply.ts'
import { Pending } from '../waiting.tsx'

const ALL: Address<typeof listExceptions> = { method: 'GET', path: '/dashboard/api/operator/reconciliation' }
const DECIDE: Address<typeof decideException> = {
  method: 'POST',
  path: '/dashboard/api/operator/reconciliation/:id/decisions',
}
type Shown = Reply<typeof listExceptions>
type Exception = Shown['exceptions'][number]
type BookedAs = NonNullable<Exception['proposal']>['as']

/** The books held against the banks' statements, and one exception with what people decide about it. */
export default function Reconciliation({ id, me }: ScreenProps): JSX.Element {
  const { body, problem, again } = useReply(ALL, {})
  if (body === undefined) return <Pending problem={problem} />
  if (id === undefined) return <All {...body} />
  const item = body.exceptions.find((one) => one.id === id)
  return item === undefined ? (
    <Settled />
  ) : (
    <One item={item} mayDecide={me.permissions.includes('operator.manage')} again={again} />
  )
}

function All({ partners, exceptions }: Shown): JSX.Element {
  return (
    <div class="stack">
      <h1>Reconciliation</h1>
      <p class="quiet">
        What banks say in their statements, held against the books whenever one is read, or by kobo reconcile match.
        Statements are read, and days closed, at the command line: kobo statement import, kobo reconcile close.
      </p>
      <Rows title="Partners" rows={partners} empty="No statement of a partner was read yet." columns={PARTNERS} />
      <Rows title="They do not agree" rows={exceptions} empty="Everything agrees." columns={EXCEPTIONS} />
    </div>
  )
}

const PARTNERS: readonly Column<Shown['partners'][number]>[] = [
  { title: 'Partner', value: ({ partner }) => partner },
  { title: 'Told up to', value: ({ toldUpTo }) => toldUpTo, isWide: true },
  { title: 'Closed through', value: ({ closedThrough }) => closedThrough, isWide: true },
  { title: 'Bank', value: ({ bank }) => bank, kind: 'naira' },
  { title: 'Books', value: ({ books }) => books, kind: 'naira', isWide: true },
  { title: 'Unexplained', value: ({ unexplained }) => unexplained, kind: 'naira' },
]

const EXCEPTIONS: readonly Column<Exception>[] = [
  { title: 'Day', value: ({ day }) => day, link: ({ id }) => `/dashboard/reconciliation/${id}` },
  { title: 'Why', value: ({ reason }) => wordsOf(reason ?? '') },
  { title: 'The bank has more', value: ({ amount }) => amount, kind: 'naira' },
  { title: 'Partner', value: ({ partner }) => partner, isWide: true },
  { title: 'Days old', value: ({ age }) => age, isWide: true },
  {
    title: 'Proposed',
    value: ({ proposal }) => proposal && `${titleOf(proposal.as)}, by ${proposal.by}`,
    isWide: true,
  },
]

const FACTS: readonly Column<Exception>[] = [
  { title: 'Partner', value: ({ partner }) => partner },
  { title: 'Why', value: ({ reason }) => wordsOf(reason ?? '') },
  { title: 'Since', value: ({ day }) => day },
  { title: 'Days old', value: ({ age }) => age },
  { title: 'Note', value: ({ note }) => note },
  { title: 'Proposed', value: ({ proposal }) => proposal && [titleOf(proposal.as), proposal.text].join(' ').trim() },
  { title: 'Proposed by', value: ({ proposal }) => proposal?.by ?? null },
  { title: 'Because', value: ({ proposal }) => proposal?.because ?? null },
]

/** What can be booked, what that means, and what must be known for it. */
const WAYS: Readonly<
  Record<BookedAs, { readonly title: string; readonly text: string; readonly asks: readonly Asked[] }>
> = {
  cost: { title: 'A cost', text: 'The partner kept it, or gave it back: it is what the partner cost us.', asks: [] },
  own: { title: 'Our own money', text: 'The operator put it in, or took it out.', asks: [] },
  suspense: {
    title: 'To suspense',
    text: 'It arrived, and nobody knows whose it is. It stands under “Suspense” from then on.',
    asks: [],
  },
  moved: {
    title: 'Moved',
    text: 'It went to, or came from, our account at another partner.',
    asks: [{ name: 'other', label: 'The other partner' }],
  },
  credit: {
    title: 'A credit',
    text: 'It arrived on an account number and nobody told of it: it is received as if its notice came now.',
    asks: [
      { name: 'bankCode', label: 'Bank', kind: 'bank' },
      { name: 'accountNumber', label: 'Account number', kind: 'number' },
    ],
  },
}
const titleOf = (as: BookedAs): string => WAYS[as].title

/** Saying what is to be booked: the first who says so proposes it, another confirms it. */
function decision(as: BookedAs, { proposal }: Exception): Act<Exception> {
  const { title, text, asks } = WAYS[as]
  const isSecond = proposal !== null && proposal.as === as && !proposal.isYours
  return {
    title: isSecond ? `Confirm: ${title.toLowerCase()}` : title,
    text: `${text} ${isSecond ? 'You are the second: it is booked at once.' : 'It counts once another operator says the same.'}`,
    permission: 'operator.manage',
    asks: [...asks, { name: 'because', label: 'How you know', hint: 'It is kept.' }],
    told: isSecond ? 'Booked.' : 'Proposed. Another operator has to say the same.',
    act: ({ id }, { because = '', other, bankCode, accountNumber }) =>
      call(DECIDE, {
        params: { id },
        body: {
          as,
          because,
          ...(other === undefined ? {} : { other }),
          ...(bankCode === undefined ? {} : { bankCode }),
          ...(accountNumber === undefined ? {} : { accountNumber }),
        },
      }),
  }
}

interface OneProps {
  readonly item: Exception
  readonly mayDecide: boolean
  readonly again: () => Promise<void>
}

function One({ item, mayDecide, again }: OneProps): JSX.Element {
  const [told, setTold] = useState<string>()
  const done = (text: string): void => {
    setTold(text)
    void again()
  }
  return (
    <div class="stack">
      <Back />
      <div class="beside-each-other heading">
        <h1>
          {naira(item.amount)} <Status status={item.state} />
        </h1>
        <div class="acts">
          {mayDecide &&
            (Object.keys(WAYS) as BookedAs[]).map((as) => (
              <ActButton key={as} act={decision(as, item)} subject={item} done={done} isPlain />
            ))}
        </div>
      </div>
      <div role="status">{told !== undefined && <p class="notice">{told}</p>}</div>
      <Facts columns={FACTS} item={item} />
      <Rows title="What the bank has" rows={item.lines} empty="Nothing." columns={PARTS} />
      <Rows title="What the books have" rows={item.entries} empty="Nothing." columns={PARTS} />
    </div>
  )
}

const PARTS: readonly Column<Exception['lines'][number]>[] = [
  { title: 'Day', value: ({ day }) => day },
  { title: 'Amount', value: ({ amount }) => amount, kind: 'naira' },
  { title: 'Reference', value: ({ reference }) => reference, kind: 'code' },
  { title: 'Text', value: ({ text }) => text, isWide: true },
]

const Settled = (): JSX.Element => (
  <div class="stack">
    <Back />
    <h1>Settled</h1>
    <p class="quiet">Bank and books agree about it by now. Reports have it: kobo reconcile report.</p>
  </div>
)

const Back = (): JSX.Element => (
  <p>
    <a class="link" href="/dashboard/reconciliation">
      Reconciliation
    </a>
  </p>
)
