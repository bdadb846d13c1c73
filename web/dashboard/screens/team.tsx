import type { getTeam, Reply, Role } from '@kobo/contract'
import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import * as routes from '../../routes.ts'
import { type CallResult, call, problemOf } from '../api/call.ts'
import { useReply } from '../api/use-reply.ts'
import { Field, type Fields, Form } from '../parts/form.tsx'
import { humanize } from '../parts/list/value.tsx'
import { LoadingOrError } from '../parts/loading.tsx'
import type { ScreenProps } from '../shell/screen.ts'
import { SignOnSettings } from './team/sign-on-settings.tsx'

/** The name and summary of each role. */
const ROLE_TEXTS: Readonly<Record<Role, string>> = {
  owner: 'Owner: everything',
  admin: 'Admin: team and settings, no payouts or refunds',
  developer: 'Developer: webhooks, requests and sandbox, no secret key or customer data',
  finance: 'Finance: payouts, refunds and exports',
  support: 'Support: payments and customers, no balances',
  viewer: 'Viewer: read-only, without customer data',
}
const ROLES = Object.keys(ROLE_TEXTS) as Role[]

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
  return (
    <div class="stack">
      <h1>Team</h1>
      <div role="status">{toast !== undefined && <p class="notice">{toast}</p>}</div>
      <div role="alert">{failure !== undefined && <p class="notice bad">{failure}</p>}</div>
      <div class="table-frame">
        <table>
          <Head />
          <tbody>
            {body.members.map((member) => (
              <MemberRow
                key={member.id}
                member={member}
                mayApprove={me.permissions.includes('payout.approve')}
                change={(role, approves) =>
                  void run(
                    call(routes.changeRole, { params: { id: member.id }, body: { role, approves } }),
                    `${member.name} is now ${role}.`,
                  )
                }
                remove={() =>
                  void run(
                    call(routes.removeMember, { params: { id: member.id } }),
                    member.role === 'owner' ? `Removal of ${member.name} requested.` : `${member.name} removed.`,
                  )
                }
                keep={() => void run(call(routes.keepMember, { params: { id: member.id } }), `${member.name} stays.`)}
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
      <InviteDialog
        send={async (invitation) =>
          settle(await call(routes.invite, { body: invitation }), `${invitation.email} invited.`)
        }
      />
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
    <td />
    <td>
      <button class="link" type="button" onClick={withdraw}>
        Withdraw<span class="unseen"> invitation for {email}</span>
      </button>
    </td>
  </tr>
)

interface RowProps {
  readonly member: Member
  readonly mayApprove: boolean
  readonly change: (role: Role, approves: boolean) => void
  readonly remove: () => void
  readonly keep: () => void
}

function MemberRow({ member, mayApprove, change, remove, keep }: RowProps): JSX.Element {
  const { name, email, role, approves, hasSecondFactor, isYou, endsOn } = member
  const roleCanApprove = role === 'finance' || role === 'admin'
  return (
    <tr>
      <td>
        {name} {isYou && <small class="quiet">(you)</small>}
        <br />
        <small class="quiet">{email}</small>
        <Waiting member={member} />
      </td>
      <td>
        <select
          aria-label={`Role of ${name}`}
          value={role}
          onChange={({ currentTarget }) => change(currentTarget.value as Role, approves)}
        >
          {ROLES.map((choice) => (
            <option key={choice} value={choice}>
              {humanize(choice)}
            </option>
          ))}
        </select>
        {roleCanApprove && mayApprove && (
          <label class="tick">
            <input
              type="checkbox"
              checked={approves}
              onChange={({ currentTarget }) => change(role, currentTarget.checked)}
            />
            <span>Can approve payouts</span>
          </label>
        )}
      </td>
      <td>{hasSecondFactor ? 'Yes' : 'Not yet'}</td>
      <td>
        {!isYou && (
          <button class="link danger" type="button" onClick={remove}>
            Remove<span class="unseen"> {name}</span>
          </button>
        )}
        {endsOn !== null && (
          <button class="link" type="button" onClick={keep}>
            Keep<span class="unseen"> {name}</span>
          </button>
        )}
      </td>
    </tr>
  )
}

/** A change of the member that has not taken effect yet. */
function Waiting({ member: { rightsFrom, endsOn, endsAs } }: { readonly member: Member }): JSX.Element {
  const at = (time: string): string => new Date(time).toLocaleString()
  return (
    <>
      {rightsFrom !== null && <p class="quiet">Cannot send or approve payouts before {at(rightsFrom)}</p>}
      {endsOn !== null && (
        <p class="quiet">
          {endsAs === null ? 'Leaves' : `Becomes ${endsAs}`} on {at(endsOn)}, or when a second owner requests it
        </p>
      )}
    </>
  )
}

interface NewInvitation {
  readonly email: string
  readonly role: Role
  readonly approves: boolean
}

function InviteDialog({
  send,
}: {
  readonly send: (invitation: NewInvitation) => Promise<string | undefined>
}): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null)
  const act = async ({ email = '', role = 'viewer', approves }: Fields): Promise<string | undefined> => {
    const problem = await send({ email, role: role as Role, approves: approves === 'on' })
    if (problem === undefined) dialog.current?.close()
    return problem
  }
  return (
    <>
      <p>
        <button class="button fit" type="button" onClick={() => dialog.current?.showModal()}>
          Invite team member
        </button>
      </p>
      <dialog class="dialog" ref={dialog} aria-labelledby="invite-title">
        <div class="stack">
          <h2 id="invite-title">Invite team member</h2>
          <Form act={act} submit="Send invitation" cancel={() => dialog.current?.close()}>
            <Field name="email" label="Email address" type="email" />
            <div class="field">
              <label for="invite-role">Role</label>
              <select id="invite-role" name="role">
                {[...ROLES].reverse().map((role) => (
                  <option key={role} value={role}>
                    {ROLE_TEXTS[role]}
                  </option>
                ))}
              </select>
            </div>
            <label class="tick">
              <input type="checkbox" name="approves" />
              <span>
                Can approve payouts
                <small>Applies to finance and admin. Owners always can.</small>
              </span>
            </label>
          </Form>
        </div>
      </dialog>
    </>
  )
}
