import type { getTeam, Reply, Role } from '@kobo/contract'
import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { DialogButton } from '../../parts/dialog.tsx'
import { Field, type Fields, Form, Labelled } from '../../parts/form.tsx'
import { humanize } from '../../parts/list/value.tsx'

/** The rights of each role, in short. */
const ROLE_TEXTS: Readonly<Record<Role, string>> = {
  owner: 'Everything',
  admin: 'Team and settings, no payouts or refunds',
  developer: 'Webhooks, requests and sandbox, no secret key or customer data',
  finance: 'Payouts, refunds and exports',
  support: 'Payments and customers, no balances',
  viewer: 'Read-only, without customer data',
  cashier: 'Payments at one till',
}

/** Roles whose members can approve payouts only if an owner or admin allows it. */
export const canApprove = (role: string): boolean => role === 'finance' || role === 'admin'

interface RoleDialogProps {
  readonly member: Reply<typeof getTeam>['members'][number]
  /** The roles that the user may give. */
  readonly roles: readonly Role[]
  readonly mayApprove: boolean
  /** Returns an error message if it failed. */
  readonly change: (role: Role, approves: boolean) => Promise<string | undefined>
}

/** A dialog that changes a member's role and right to approve payouts. */
export const RoleDialog = ({
  member: { name, role, approves, isYou },
  roles,
  mayApprove,
  change,
}: RoleDialogProps): JSX.Element => (
  <DialogButton
    look="link"
    label={
      <>
        Change role<span class="unseen"> of {name}</span>
      </>
    }
    title={`Change the role of ${name}`}
  >
    {(close) => (
      <>
        <p class="quiet">
          {isYou
            ? 'This is your own role. If you give up rights, only another owner can give them back.'
            : role === 'owner'
              ? 'An owner’s role changes after a waiting period, or once a second owner requests the same change.'
              : `${name} is signed out and has the new rights after signing in again.`}
        </p>
        <RoleForm
          submit="Save role"
          roles={roles.includes(role) ? roles : [role, ...roles]}
          current={role}
          approves={approves}
          mayApprove={mayApprove}
          close={close}
          act={(fields) => change(fields.role, fields.approves)}
        />
      </>
    )}
  </DialogButton>
)

interface ChosenRole {
  readonly email: string
  readonly role: Role
  readonly approves: boolean
}

interface RoleFormProps {
  readonly submit: string
  readonly roles: readonly Role[]
  readonly current: Role
  readonly approves: boolean
  readonly mayApprove: boolean
  readonly close: () => void
  readonly act: (chosen: ChosenRole) => Promise<string | undefined>
  readonly children?: ComponentChildren
}

/** A role, and the right to approve payouts if the role can have it. */
function RoleForm({ submit, roles, current, approves, mayApprove, close, act, children }: RoleFormProps): JSX.Element {
  const [chosen, setChosen] = useState(current)
  const send = async ({ email = '', role: sent, approves: ticked }: Fields): Promise<string | undefined> => {
    const problem = await act({
      email,
      role: sent as Role,
      approves: canApprove(sent ?? '') && (mayApprove ? ticked === 'on' : approves),
    })
    if (problem === undefined) close()
    return problem
  }
  return (
    <Form act={send} submit={submit} cancel={close}>
      {children}
      <Labelled name="role" label="Role" hint={ROLE_TEXTS[chosen]}>
        {(control) => (
          <select {...control} value={chosen} onChange={({ currentTarget }) => setChosen(currentTarget.value as Role)}>
            {[...roles].reverse().map((one) => (
              <option key={one} value={one}>
                {humanize(one)}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      {canApprove(chosen) && mayApprove && (
        <label class="tick">
          <input type="checkbox" name="approves" defaultChecked={approves} />
          <span>Can approve payouts</span>
        </label>
      )}
    </Form>
  )
}

interface InviteDialogProps extends Pick<RoleDialogProps, 'roles'> {
  readonly mayApprove: boolean
  readonly send: (invitation: ChosenRole) => Promise<string | undefined>
}

export const InviteDialog = ({ roles, mayApprove, send }: InviteDialogProps): JSX.Element => (
  <DialogButton look="button fit" label="Invite team member" title="Invite team member">
    {(close) => (
      <RoleForm
        submit="Send invitation"
        roles={roles}
        current="viewer"
        approves={false}
        mayApprove={mayApprove}
        close={close}
        act={send}
      >
        <Field name="email" label="Email address" type="email" />
      </RoleForm>
    )}
  </DialogButton>
)
