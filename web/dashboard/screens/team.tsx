import type { changeRole, getTeam, invite, Reply, Role, removeMember, withdrawInvitation } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { type Answer, call, problemOf } from '../call.ts'
import { Field, type Fields, Form } from '../form.tsx'
import type { ScreenProps } from '../screen.ts'
import { useReply } from '../use-reply.ts'
import { Pending } from '../waiting.tsx'

const TEAM: Address<typeof getTeam> = { method: 'GET', path: '/dashboard/api/team' }
const INVITE: Address<typeof invite> = { method: 'POST', path: '/dashboard/api/team/invitations' }
const WITHDRAW: Address<typeof withdrawInvitation> = { method: 'DELETE', path: '/dashboard/api/team/invitations/:id' }
const CHANGE: Address<typeof changeRole> = { method: 'PUT', path: '/dashboard/api/team/:id' }
const REMOVE: Address<typeof removeMember> = { method: 'DELETE', path: '/dashboard/api/team/:id' }

/** What each role does, in words. */
const ROLE_TEXTS: Readonly<Record<Role, string>> = {
  owner: 'Owner: everything',
  admin: 'Admin: team, sites and settings; moves no money',
  developer: 'Developer: keys, events, sandbox; sees no payers',
  finance: 'Finance: payouts, refunds, exports',
  support: 'Support: payments and payers; sees no balance',
  viewer: 'Viewer: figures only',
}
const ROLES = Object.keys(ROLE_TEXTS) as Role[]

type Member = Reply<typeof getTeam>['members'][number]

/** Who is in the team, and who is invited. */
export default function Team({ me }: ScreenProps): JSX.Element {
  const { body, problem, again } = useReply(TEAM, {})
  const [told, setTold] = useState<string>()
  const [wrong, setWrong] = useState<string>()
  /** Tells what came of an act; answers what was wrong. */
  const settle = async (answer: Answer<unknown>, done: string): Promise<string | undefined> => {
    const problem = answer.kind === 'done' ? undefined : problemOf(answer)
    setTold(problem === undefined ? done : undefined)
    await again()
    return problem
  }
  const act = async (calling: Promise<Answer<unknown>>, done: string): Promise<void> =>
    setWrong(await settle(await calling, done))
  if (body === undefined) return <Pending problem={problem} />
  return (
    <div class="stack">
      <h1>Team</h1>
      <div role="status">{told !== undefined && <p class="notice">{told}</p>}</div>
      <div role="alert">{wrong !== undefined && <p class="notice bad">{wrong}</p>}</div>
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
                  void act(
                    call(CHANGE, { params: { id: member.id }, body: { role, approves } }),
                    `${member.name} is now ${role}.`,
                  )
                }
                remove={() =>
                  void act(call(REMOVE, { params: { id: member.id } }), `${member.name} is no longer in the team.`)
                }
              />
            ))}
            {body.invitations.map((one) => (
              <InvitationRow
                key={one.id}
                invitation={one}
                withdraw={() =>
                  void act(call(WITHDRAW, { params: { id: one.id } }), `${one.email} is no longer invited.`)
                }
              />
            ))}
          </tbody>
        </table>
      </div>
      <Invitation
        send={async (wanted) => settle(await call(INVITE, { body: wanted }), `${wanted.email} is invited.`)}
      />
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
        <span class="unseen">Acts</span>
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
      {email} <small class="quiet">invited</small>
    </td>
    <td>{role}</td>
    <td />
    <td>
      <button class="link" type="button" onClick={withdraw}>
        Withdraw<span class="unseen"> the invitation of {email}</span>
      </button>
    </td>
  </tr>
)

interface RowProps {
  readonly member: Member
  readonly mayApprove: boolean
  readonly change: (role: Role, approves: boolean) => void
  readonly remove: () => void
}

function MemberRow({ member, mayApprove, change, remove }: RowProps): JSX.Element {
  const { name, email, role, approves, hasSecondFactor, isYou } = member
  const canApprove = role === 'finance' || role === 'admin'
  return (
    <tr>
      <td>
        {name} {isYou && <small class="quiet">you</small>}
        <br />
        <small class="quiet">{email}</small>
      </td>
      <td>
        <select
          aria-label={`Role of ${name}`}
          value={role}
          onChange={({ currentTarget }) => change(currentTarget.value as Role, approves)}
        >
          {ROLES.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
        {canApprove && mayApprove && (
          <label class="tick">
            <input
              type="checkbox"
              checked={approves}
              onChange={({ currentTarget }) => change(role, currentTarget.checked)}
            />
            <span>Approves payouts</span>
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
      </td>
    </tr>
  )
}

interface Wanted {
  readonly email: string
  readonly role: Role
  readonly approves: boolean
}

function Invitation({ send }: { readonly send: (wanted: Wanted) => Promise<string | undefined> }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null)
  const act = async ({ email = '', role = 'viewer', approves }: Fields): Promise<string | undefined> => {
    const wrong = await send({ email, role: role as Role, approves: approves === 'on' })
    if (wrong === undefined) dialog.current?.close()
    return wrong
  }
  return (
    <>
      <p>
        <button class="button fit" type="button" onClick={() => dialog.current?.showModal()}>
          Invite somebody
        </button>
      </p>
      <dialog class="dialog" ref={dialog} aria-labelledby="invite-title">
        <div class="stack">
          <h2 id="invite-title">Invite somebody</h2>
          <Form act={act} submit="Send the invitation" cancel={() => dialog.current?.close()}>
            <Field name="email" label="E-mail address" type="email" />
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
                Approves payouts
                <small>Counts for finance and admin. Owners always do.</small>
              </span>
            </label>
          </Form>
        </div>
      </dialog>
    </>
  )
}
