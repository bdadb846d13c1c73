import type { getTeam, Reply, Role } from '@kobo/contract'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import * as routes from '../../routes.ts'
import { type CallResult, call, problemOf } from '../api/call.ts'
import { useReply } from '../api/use-reply.ts'
import { ConfirmButton } from '../parts/dialog.tsx'
import { moment } from '../parts/format.ts'
import { humanize } from '../parts/list/value.tsx'
import { LoadingOrError } from '../parts/placeholders.tsx'
import { Toast } from '../parts/toast.tsx'
import type { ScreenProps } from '../shell/screen.ts'
import { canApprove, InviteDialog, RoleDialog } from './team/role-dialogs.tsx'
import { SignOnSettings } from './team/sign-on-settings.tsx'

type Member = Reply<typeof getTeam>['members'][number]

/** The team's members and open invitations. */
export default function Team({ me }: ScreenProps): JSX.Element {
  const { body, problem, again } = useReply(routes.getTeam, {})
  const [toast, setToast] = useState<string>()
  const [failure, setFailure] = useState<string>()
  /** Shows the toast if a change succeeded; returns the problem if it failed. */
  const settle = async (result: CallResult<unknown>, success: string): Promise<string | undefined> => {
    const problem = result.kind === 'done' ? undefined : problemOf(result)
    setToast(problem === undefined ? success : undefined)
    await again()
    return problem
  }
  const run = async (request: Promise<CallResult<unknown>>, success: string): Promise<void> =>
    setFailure(await settle(await request, success))
  if (body === undefined) return <LoadingOrError problem={problem} />
  const rights = { roles: body.roles, mayApprove: me.permissions.includes('payout.approve') }
  return (
    <div class="stack">
      <div class="split-row heading">
        <h1>Team</h1>
        <div class="actions">
          <InviteDialog
            {...rights}
            send={async (invitation) =>
              settle(await call(routes.invite, { body: invitation }), `${invitation.email} invited.`)
            }
          />
        </div>
      </div>
      <Toast text={toast} />
      <div role="alert">{failure !== undefined && <p class="notice bad">{failure}</p>}</div>
      <div class="table-frame">
        <table class="list">
          <Head />
          <tbody>
            {body.members.map((member) => (
              <MemberRow
                key={member.id}
                member={member}
                {...rights}
                change={async (role, approves) =>
                  settle(
                    await call(routes.changeRole, { params: { id: member.id }, body: { role, approves } }),
                    'Role change saved.',
                  )
                }
                remove={() =>
                  void run(
                    call(routes.removeMember, { params: { id: member.id } }),
                    member.role === 'owner' ? `Removal of ${member.name} requested.` : `${member.name} removed.`,
                  )
                }
                keep={() => void run(call(routes.keepMember, { params: { id: member.id } }), 'Change cancelled.')}
              />
            ))}
            {body.invitations.map((invitation) => (
              <InvitationRow
                key={invitation.id}
                invitation={invitation}
                withdraw={() =>
                  void run(call(routes.withdrawInvitation, { params: { id: invitation.id } }), `Invitation withdrawn.`)
                }
              />
            ))}
          </tbody>
        </table>
      </div>
      {me.permissions.includes('sign-on.manage') && <SignOnSettings />}
    </div>
  )
}

const Head = (): JSX.Element => (
  <thead>
    <tr>
      <th scope="col">Name</th>
      <th scope="col">Role</th>
      <th scope="col">Second factor</th>
      <th scope="col">
        <span class="unseen">Actions</span>
      </th>
    </tr>
  </thead>
)

interface InvitationRowProps {
  readonly invitation: Reply<typeof getTeam>['invitations'][number]
  readonly withdraw: () => void
}

const InvitationRow = ({ invitation: { email, role }, withdraw }: InvitationRowProps): JSX.Element => (
  <tr>
    <td>
      {email} <small class="quiet">(invited)</small>
    </td>
    <td>{humanize(role)}</td>
    <td class="wide" />
    <td>
      <div class="actions">
        <ConfirmButton
          look="link"
          label={
            <>
              Withdraw<span class="unseen"> invitation for {email}</span>
            </>
          }
          title="Withdraw invitation?"
          text={`The link that we emailed to ${email} stops working.`}
          confirm="Withdraw"
          act={withdraw}
        />
      </div>
    </td>
  </tr>
)

interface RowProps {
  readonly member: Member
  readonly roles: readonly Role[]
  readonly mayApprove: boolean
  readonly change: (role: Role, approves: boolean) => Promise<string | undefined>
  readonly remove: () => void
  readonly keep: () => void
}

function MemberRow({ member, roles, mayApprove, change, remove, keep }: RowProps): JSX.Element {
  const { name, email, role, approves, hasSecondFactor, isYou, endsOn, mayChange } = member
  const unseenName = <span class="unseen"> {name}</span>
  return (
    <tr>
      <td>
        {name} {isYou && <small class="quiet">(you)</small>}
        <br />
        <small class="quiet">{email}</small>
        <Waiting member={member} />
      </td>
      <td>
        {humanize(role)}
        {approves && canApprove(role) && (
          <>
            <br />
            <small class="quiet">Can approve payouts</small>
          </>
        )}
      </td>
      <td>
        <span class="narrow-title">Second factor: </span>
        {hasSecondFactor ? 'Yes' : 'Not yet'}
      </td>
      <td>
        <div class="actions">
          {mayChange && <RoleDialog member={member} roles={roles} mayApprove={mayApprove} change={change} />}
          {mayChange && !isYou && (
            <ConfirmButton
              look="link danger"
              label={<>Remove{unseenName}</>}
              title={`Remove ${name}?`}
              text={
                role === 'owner'
                  ? 'An owner is removed after a waiting period, or once a second owner requests the same change.'
                  : `${name} is signed out at once and can no longer open this team.`
              }
              confirm="Remove"
              act={remove}
            />
          )}
          {mayChange && endsOn !== null && (
            <button class="link" type="button" onClick={keep}>
              Cancel change<span class="unseen"> of {name}</span>
            </button>
          )}
        </div>
      </td>
    </tr>
  )
}

/** A change of the member that has not taken effect yet. */
function Waiting({ member: { rightsFrom, endsOn, endsAs } }: { readonly member: Member }): JSX.Element {
  return (
    <>
      {rightsFrom !== null && <p class="quiet">Cannot send or approve payouts until {moment(rightsFrom)}</p>}
      {endsOn !== null && (
        <p class="quiet">
          {endsAs === null ? 'Leaves' : `Becomes ${endsAs}`} on {moment(endsOn)}, or as soon as a second owner requests
          the same change
        </p>
      )}
    </>
  )
}
