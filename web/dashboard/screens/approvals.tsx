import type { approve, listApprovals, Reply, reject } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { naira } from '../../ui/money.ts'
import { call, problemOf } from '../call.ts'
import { Field, type Fields, Form } from '../form.tsx'
import { wordsOf } from '../list/value.tsx'
import type { ScreenProps } from '../screen.ts'
import { moment } from '../texts.ts'
import { useReply } from '../use-reply.ts'
import { Waiting } from '../waiting.tsx'

const LIST: Address<typeof listApprovals> = { method: 'GET', path: '/dashboard/api/approvals' }
const APPROVE: Address<typeof approve> = { method: 'POST', path: '/dashboard/api/approvals/:id/approve' }
const REJECT: Address<typeof reject> = { method: 'POST', path: '/dashboard/api/approvals/:id/reject' }

type Request = Reply<typeof listApprovals>['requests'][number]

/** Payouts that wait for somebody's word, and what became of others. */
export default function Approvals({ query }: ScreenProps): JSX.Element {
  const view = query.get('view') === 'all' ? 'all' : 'waiting'
  const { body, problem, again } = useReply(LIST, { query: { view } })
  const [told, setTold] = useState<string>()
  const [wrong, setWrong] = useState<string>()
  const decided = async (request: Request): Promise<void> => {
    setTold(`${request.reference}: ${statusText(request)}.`)
    await again()
  }
  const accept = async ({ id, hash }: Request): Promise<void> => {
    const answer = await call(APPROVE, { params: { id }, body: { hash } })
    setWrong(answer.kind === 'done' ? undefined : problemOf(answer))
    if (answer.kind === 'done') await decided(answer.body)
  }
  return (
    <div class="stack">
      <h1>Approvals</h1>
      <nav class="tabs" aria-label="Which approvals">
        <a href="/dashboard/approvals" aria-current={view === 'waiting' ? 'page' : undefined}>
          Waiting
        </a>
        <a href="/dashboard/approvals?view=all" aria-current={view === 'all' ? 'page' : undefined}>
          All
        </a>
      </nav>
      <div role="status">{told !== undefined && <p class="notice">{told}</p>}</div>
      <div role="alert">{(wrong ?? problem) !== undefined && <p class="notice bad">{wrong ?? problem}</p>}</div>
      {body === undefined && problem === undefined && <Waiting />}
      {body?.requests.length === 0 && (
        <p class="quiet">
          {view === 'waiting' ? 'Nothing waits for approval.' : 'Nothing has waited for approval yet.'}
        </p>
      )}
      <ul class="stack">
        {body?.requests.map((request) => (
          <li key={request.id}>
            <Payout request={request} accept={() => void accept(request)} decided={decided} />
          </li>
        ))}
      </ul>
    </div>
  )
}

const statusText = ({ status, decisions, approvalsNeeded }: Request): string =>
  status === 'PENDING_AUTHORIZATION'
    ? `Waiting for ${approvalsNeeded - decisions.length} more`
    : decisions.some(({ verdict }) => verdict === 'REJECT')
      ? 'Rejected'
      : wordsOf(status)

interface PayoutProps {
  readonly request: Request
  readonly accept: () => void
  readonly decided: (request: Request) => Promise<void>
}

function Payout({ request, accept, decided }: PayoutProps): JSX.Element {
  const { reference, kind, amount, fee, destination, itemsCount, narration, madeBy, decisions, mayDecide } = request
  const to =
    destination === null
      ? `${itemsCount} transfers`
      : `${destination.accountName ?? ''} ${destination.accountNumber} (bank ${destination.bankCode})`
  const dialog = useRef<HTMLDialogElement>(null)
  return (
    <article class="panel stack" aria-label={`${kind === 'BATCH' ? 'Batch' : 'Transfer'} ${reference}`}>
      <div class="beside-each-other">
        <h2 class="number">{naira(amount)}</h2>
        <span class="badge">{statusText(request)}</span>
      </div>
      <dl class="facts">
        <Fact name="To" value={to} />
        <Fact name="For" value={narration} />
        <Fact name="Fee" value={naira(fee)} />
        <Fact name="Reference" value={reference} />
        <Fact name="Made" value={`${madeBy ?? 'by your server'}, ${moment(request.createdAt)}`} />
        {decisions.map(({ by, verdict, reason, at }) => (
          <Fact
            key={by}
            name={verdict === 'APPROVE' ? 'Approved' : 'Rejected'}
            value={`${by}, ${moment(at)}${reason === null ? '' : `: ${reason}`}`}
          />
        ))}
        {request.status === 'PENDING_AUTHORIZATION' && <Fact name="Expires" value={moment(request.expiresAt)} />}
      </dl>
      {mayDecide && (
        <div class="buttons beside">
          <button class="button danger" type="button" onClick={() => dialog.current?.showModal()}>
            Reject
          </button>
          <button class="button" type="button" onClick={accept}>
            Approve
          </button>
        </div>
      )}
      <Rejection request={request} dialog={dialog} decided={decided} />
    </article>
  )
}

const Fact = ({ name, value }: { readonly name: string; readonly value: string }): JSX.Element => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
)

interface RejectionProps extends Pick<PayoutProps, 'request' | 'decided'> {
  readonly dialog: { readonly current: HTMLDialogElement | null }
}

function Rejection({ request: { id, reference }, dialog, decided }: RejectionProps): JSX.Element {
  const act = async ({ reason = '' }: Fields): Promise<string | undefined> => {
    // The dialog that asks for the second factor stands above this one.
    const answer = await call(REJECT, { params: { id }, body: { reason } })
    if (answer.kind !== 'done') return problemOf(answer)
    dialog.current?.close()
    await decided(answer.body)
    return undefined
  }
  return (
    <dialog class="dialog" ref={dialog} aria-labelledby={`reject-${id}`}>
      <div class="stack">
        <h2 id={`reject-${id}`}>Reject {reference}</h2>
        <p class="quiet">Its money is available again, and whoever made it sees why.</p>
        <Form act={act} submit="Reject" cancel={() => dialog.current?.close()}>
          <Field name="reason" label="Why" />
        </Form>
      </div>
    </dialog>
  )
}
