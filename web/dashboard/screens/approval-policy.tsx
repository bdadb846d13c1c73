import type { getApprovalPolicy, Reply } from '@kobo/contract'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import * as routes from '../../routes.ts'
import { naira } from '../../ui/money.ts'
import { type CallResult, call, problemOf } from '../api/call.ts'
import { useReply } from '../api/use-reply.ts'
import { ConfirmButton, DialogButton } from '../parts/dialog.tsx'
import { Field, type Fields, Form } from '../parts/form.tsx'
import { moment } from '../parts/format.ts'
import { Panel } from '../parts/panel.tsx'
import { LoadingOrError } from '../parts/placeholders.tsx'
import { Toast } from '../parts/toast.tsx'
import type { ScreenProps } from '../shell/screen.ts'

type Policies = Reply<typeof getApprovalPolicy>
type Policy = Policies['policy']

/** How many people must approve which payouts. */
export default function ApprovalPolicy({ me }: ScreenProps): JSX.Element {
  const { body, problem, again } = useReply(routes.getApprovalPolicy, {})
  const [toast, setToast] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const settle = async (result: CallResult<unknown>, success: string): Promise<string | undefined> => {
    if (result.kind !== 'done') return problemOf(result)
    await again()
    setToast(success)
    return undefined
  }
  const run = async (request: Promise<CallResult<unknown>>, success: string): Promise<void> =>
    setFailure(await settle(await request, success))
  if (body === undefined) return <LoadingOrError problem={problem} />
  const mayChange = me.permissions.includes('terms.manage')
  return (
    <div class="stack">
      <h1>Approval policy</h1>
      <Toast text={toast} />
      <div role="alert">{failure !== undefined && <p class="notice bad">{failure}</p>}</div>
      <Panel
        title="Current policy"
        actions={
          mayChange && (
            <ChangeDialog
              policy={body.policy}
              request={async (policy) =>
                settle(await call(routes.changeApprovalPolicy, { body: policy }), 'Change requested.')
              }
            />
          )
        }
      >
        <Rules policy={body.policy} />
      </Panel>
      {body.change !== null && (
        <RequestedChange
          change={body.change}
          mayChange={mayChange}
          approve={() => void run(call(routes.approvePolicyChange, {}), 'Change approved.')}
          withdraw={() => void run(call(routes.withdrawPolicyChange, {}), 'Change withdrawn.')}
        />
      )}
    </div>
  )
}

function rulesOf({ freeBelow, twoFrom, soleUpTo, coversApi }: Policy): readonly string[] {
  return [
    ...(freeBelow > 0 ? [`Payouts below ${naira(freeBelow)} need no approval.`] : []),
    twoFrom === 0
      ? 'Every payout needs 2 approvals.'
      : freeBelow > 0 || twoFrom !== null
        ? 'Other payouts need 1 approval.'
        : 'Every payout needs 1 approval.',
    ...(twoFrom !== null && twoFrom > 0 ? [`Payouts from ${naira(twoFrom)} need 2 approvals.`] : []),
    soleUpTo > 0
      ? `If your team has only one approver, they can approve their own payouts up to ${naira(soleUpTo)}.`
      : 'No one can approve their own payouts.',
    coversApi ? 'The policy also covers payouts through the API.' : 'Payouts through the API need no approval.',
  ]
}

const Rules = ({ policy }: { readonly policy: Policy }): JSX.Element => (
  <ul class="points">
    {rulesOf(policy).map((rule) => (
      <li key={rule}>{rule}</li>
    ))}
  </ul>
)

interface RequestedChangeProps {
  readonly change: NonNullable<Policies['change']>
  readonly mayChange: boolean
  readonly approve: () => void
  readonly withdraw: () => void
}

const RequestedChange = ({
  change: { policy, askedBy, isOwn, isApproved, countsFrom },
  mayChange,
  approve,
  withdraw,
}: RequestedChangeProps): JSX.Element => (
  <Panel
    title="Requested change"
    actions={
      mayChange && (
        <>
          <ConfirmButton
            look="button plain fit"
            label="Withdraw change"
            title="Withdraw this change?"
            text="The current policy stays."
            confirm="Withdraw"
            act={withdraw}
          />
          {!isApproved && !isOwn && (
            <button class="button fit" type="button" onClick={approve}>
              Approve change
            </button>
          )}
        </>
      )
    }
  >
    <p class="quiet">
      Requested by {askedBy}.{' '}
      {isApproved
        ? `Takes effect on ${moment(countsFrom)}.`
        : `Takes effect on ${moment(countsFrom)} if another owner or approver approves it.`}
    </p>
    <Rules policy={policy} />
  </Panel>
)

interface ChangeDialogProps {
  readonly policy: Policy
  readonly request: (policy: {
    readonly freeBelow: string
    readonly twoFrom?: string
    readonly soleUpTo: string
    readonly coversApi: boolean
  }) => Promise<string | undefined>
}

const amountText = (amount: number | null): string => (amount === null ? '' : naira(amount).replace('₦', ''))

function ChangeDialog({ policy, request }: ChangeDialogProps): JSX.Element {
  const act = async (fields: Fields, close: () => void): Promise<string | undefined> => {
    const { freeBelow = '', twoFrom = '', soleUpTo = '', coversApi } = fields
    const problem = await request({
      freeBelow: freeBelow || '0',
      ...(twoFrom === '' ? {} : { twoFrom }),
      soleUpTo: soleUpTo || '0',
      coversApi: coversApi === 'on',
    })
    if (problem === undefined) close()
    return problem
  }
  return (
    <DialogButton look="button plain fit" label="Change policy" title="Change approval policy">
      {(close) => (
        <>
          <p class="quiet">
            The change takes effect a day later. Another owner must approve it first or, if there is none, another
            approver. If there is neither, the change needs no approval.
          </p>
          <Form act={(fields) => act(fields, close)} submit="Request change" cancel={close}>
            <Field
              name="freeBelow"
              label="No approval below, in naira"
              type="amount"
              value={amountText(policy.freeBelow)}
              hint="Enter 0 if every payout needs approval."
            />
            <Field
              name="twoFrom"
              label="Two approvals from, in naira"
              type="amount"
              value={amountText(policy.twoFrom)}
              hint="Leave empty if one approval is always enough."
              isOptional
            />
            <Field
              name="soleUpTo"
              label="Limit for a single approver’s own payouts, in naira"
              type="amount"
              value={amountText(policy.soleUpTo)}
              hint="Applies while your team has a single approver."
            />
            <label class="tick">
              <input type="checkbox" name="coversApi" defaultChecked={policy.coversApi} />
              <span>Payouts through the API need approval too</span>
            </label>
          </Form>
        </>
      )}
    </DialogButton>
  )
}
