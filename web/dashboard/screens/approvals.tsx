import type { listApprovals, Reply } from '@kobo/contract'
import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import * as routes from '../../routes.ts'
import { naira } from '../../ui/money.ts'
import { call, problemOf } from '../api/call.ts'
import { useReply } from '../api/use-reply.ts'
import { DialogButton } from '../parts/dialog.tsx'
import { Field, type Fields, Form } from '../parts/form.tsx'
import { moment } from '../parts/format.ts'
import { searchUrl } from '../parts/list/reference.ts'
import { humanize, Status } from '../parts/list/value.tsx'
import { LoadError, Loading, Nothing } from '../parts/placeholders.tsx'
import { Toast } from '../parts/toast.tsx'
import type { ScreenProps } from '../shell/screen.ts'
import { BatchTransfers } from './approvals/batch-transfers.tsx'

type Request = Reply<typeof listApprovals>['requests'][number]

/** Payouts and actions that need approval, and past decisions. */
export default function Approvals({ me, query }: ScreenProps): JSX.Element {
  const view = query.get('view') === 'all' ? 'all' : 'waiting'
  const { body, problem, again } = useReply(routes.listApprovals, { query: { view } })
  const [toast, setToast] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const decided = async (request: Request): Promise<void> => {
    await again()
    setToast(`${request.reference}: ${statusText(request)}.`)
  }
  const approvePayout = async ({ id, hash }: Request): Promise<void> => {
    const result = await call(routes.approve, { params: { id }, body: { hash } })
    setFailure(result.kind === 'done' ? undefined : problemOf(result))
    if (result.kind === 'done') await decided(result.body)
  }
  return (
    <div class="stack">
      <h1>Approvals</h1>
      <nav class="tabs" aria-label="Views">
        <a href="/dashboard/approvals" aria-current={view === 'waiting' ? 'page' : undefined}>
          Pending
        </a>
        <a href="/dashboard/approvals?view=all" aria-current={view === 'all' ? 'page' : undefined}>
          All
        </a>
      </nav>
      <Toast text={toast} />
      <LoadError problem={problem} />
      <div role="alert">{failure !== undefined && <p class="notice bad">{failure}</p>}</div>
      {body === undefined && problem === undefined && <Loading />}
      {body?.requests.length === 0 && (
        <Nothing title={view === 'waiting' ? 'Nothing to approve' : 'No approvals yet'}>
          <p class="quiet">Payouts and actions that need approval under your policy appear here.</p>
        </Nothing>
      )}
      <ul class="stack">
        {body?.requests.map((request) => (
          <li key={request.id}>
            <Payout
              request={request}
              mayApprove={me.permissions.includes('payout.approve')}
              approve={() => void approvePayout(request)}
              decided={decided}
            />
          </li>
        ))}
      </ul>
    </div>
  )
}

const KINDS: Readonly<Record<Request['kind'], string>> = {
  TRANSFER: 'Transfer',
  BATCH: 'Batch',
  REFUND: 'Refund to another account',
  PAYCODE: 'Paycode',
  BILL: 'Bill',
  ACTION: 'Sensitive action',
}

const outcomeOf = ({ status, decisions }: Request): string =>
  decisions.some(({ verdict }) => verdict === 'REJECT') ? 'REJECTED' : status

const statusText = (request: Request): string =>
  request.status !== 'PENDING_AUTHORIZATION'
    ? humanize(outcomeOf(request))
    : request.approvalsLeft === 1
      ? 'Needs 1 approval'
      : `Needs ${request.approvalsLeft} approvals`

/** Why the user has no button for a pending request. */
const reasonOf = ({ isOwn }: Request, mayApprove: boolean): string =>
  isOwn
    ? 'You requested this, so someone else must approve it.'
    : mayApprove
      ? 'You have approved this. Someone else must approve it too.'
      : 'Your role cannot approve this.'

interface PayoutProps {
  readonly request: Request
  /** Whether the user's role may approve anything at all. */
  readonly mayApprove: boolean
  readonly approve: () => void
  readonly decided: (request: Request) => Promise<void>
}

function Payout({ request, mayApprove, approve, decided }: PayoutProps): JSX.Element {
  const { reference, kind, amount, fee, recipient, narration, madeBy, decisions, mayDecide } = request
  const isPending = request.status === 'PENDING_AUTHORIZATION'
  return (
    <article class="panel stack" aria-label={`${KINDS[kind]} ${reference}`}>
      <div class="split-row">
        {kind === 'ACTION' ? <h2>{recipient}</h2> : <h2 class="number">{naira(amount)}</h2>}
        {isPending ? <span class="badge">{statusText(request)}</span> : <Status status={outcomeOf(request)} />}
      </div>
      <dl class="facts">
        <Fact name="Type" value={KINDS[kind]} />
        {kind === 'ACTION' ? (
          <Fact name="Details" value={narration} />
        ) : (
          <>
            <Fact name="To" value={recipient} />
            <Fact name="Narration" value={narration} />
            <Fact name="Fee" value={naira(fee)} />
          </>
        )}
        <Fact name="Reference" value={kind === 'ACTION' ? reference : <a href={searchUrl(reference)}>{reference}</a>} />
        <Fact name="Created by" value={`${madeBy ?? 'Your server'}, ${moment(request.createdAt)}`} />
        {decisions.map(({ by, verdict, reason, counts, at }) => (
          <Fact
            key={by}
            name={verdict === 'APPROVE' ? 'Approved by' : 'Rejected by'}
            value={`${by}, ${moment(at)}${reason === null ? '' : `: ${reason}`}${counts ? '' : ' (no longer valid)'}`}
          />
        ))}
        {isPending && <Fact name="Expires" value={moment(request.expiresAt)} />}
      </dl>
      {kind === 'BATCH' && <BatchTransfers batchReference={reference} />}
      {isPending && !mayDecide && <p class="quiet">{reasonOf(request, mayApprove)}</p>}
      {mayDecide && (
        <div class="buttons beside">
          <Rejection request={request} decided={decided} />
          <button class="button" type="button" onClick={approve}>
            Approve
          </button>
        </div>
      )}
    </article>
  )
}

const Fact = ({ name, value }: { readonly name: string; readonly value: ComponentChildren }): JSX.Element => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
)

function Rejection({
  request: { id, reference, kind },
  decided,
}: Pick<PayoutProps, 'request' | 'decided'>): JSX.Element {
  const act = async ({ reason = '' }: Fields, close: () => void): Promise<string | undefined> => {
    // The second-factor dialog opens above this one.
    const result = await call(routes.reject, { params: { id }, body: { reason } })
    if (result.kind !== 'done') return problemOf(result)
    close()
    await decided(result.body)
    return undefined
  }
  return (
    <DialogButton look="button danger" label="Reject" title={`Reject ${reference}`}>
      {(close) => (
        <>
          <p class="quiet">
            {kind === 'ACTION' ? '' : 'The money becomes available in your wallet again. '}The person who created it
            sees your reason.
          </p>
          <Form act={(fields) => act(fields, close)} submit="Reject" cancel={close} isDanger>
            <Field name="reason" label="Reason" />
          </Form>
        </>
      )}
    </DialogButton>
  )
}
