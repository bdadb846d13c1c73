import type { askForOperator, browseOperators, OperatorRole, withdrawOperatorInvitation } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import { call } from '../call.ts'
import { status } from '../list/column.ts'
import { listScreen } from '../list/screen.tsx'

const ASK: Address<typeof askForOperator> = { method: 'POST', path: '/dashboard/api/operator/team/changes' }
const WITHDRAW: Address<typeof withdrawOperatorInvitation> = {
  method: 'DELETE',
  path: '/dashboard/api/operator/team/invitations/:id',
}
const FOR_TWO = {
  permission: 'operator.team.manage',
  told: 'Asked for. It counts once another operator has approved it, under “Changes to approve”.',
} as const
const REASON = { name: 'reason', label: 'Reason', hint: 'Whoever approves it reads it, and it is kept.' } as const
const ROLE = {
  name: 'role',
  label: 'Role',
  kind: 'choice',
  choices: [
    ['operator', 'Operator: all that operators do, with a second one'],
    ['auditor', 'Auditor: sees everything, changes nothing'],
    ['operator-support', 'Support: sees all but payers, changes nothing'],
  ],
} as const
const NAMES: Readonly<Record<OperatorRole, string>> = {
  operator: 'Operator',
  auditor: 'Auditor',
  'operator-support': 'Support',
}

export default listScreen<typeof browseOperators>({
  name: 'operators',
  title: 'Operators',
  one: 'Operator',
  heading: ({ name, email }) => name ?? email,
  list: { method: 'GET', path: '/dashboard/api/operator/team' },
  empty: 'Whoever runs this gateway: the first is made by the command line, the others are invited here.',
  columns: [
    { title: 'E-mail address', value: ({ email }) => email },
    { title: 'Name', value: ({ name }) => name, isWide: true },
    { title: 'Role', value: ({ role }) => NAMES[role] },
    { title: 'Status', value: (one) => one.status, kind: 'status' },
    { title: 'Since', value: ({ createdOn }) => createdOn, kind: 'moment', isWide: true },
  ],
  facts: [
    {
      title: 'Second factor',
      value: ({ status, hasSecondFactor }) => (status === 'INVITED' ? null : hasSecondFactor ? 'Yes' : 'Not yet'),
    },
    { title: 'Can come in until', value: ({ expiresOn }) => expiresOn, kind: 'moment' },
  ],
  filters: [status(['ACTIVE', 'INVITED'])],
  makes: [
    {
      ...FOR_TWO,
      title: 'Invite somebody',
      text: 'Another operator approves it; then a mail with a link goes out, which leads in once.',
      asks: [{ name: 'email', label: 'E-mail address' }, ROLE, REASON],
      act: (_, { email = '', role = '', reason = '' }) =>
        call(ASK, { body: { email, role: role as OperatorRole, reason } }),
    },
  ],
  acts: [
    {
      ...FOR_TWO,
      title: 'Change the role',
      isFor: (one) => one.status === 'ACTIVE',
      asks: [ROLE, REASON],
      act: ({ email }, { role = '', reason = '' }) =>
        call(ASK, { body: { email, role: role as OperatorRole, reason } }),
    },
    {
      ...FOR_TWO,
      title: 'Disable',
      text: 'Once another operator has approved it they are signed out everywhere, and no longer see or do anything here.',
      isDanger: true,
      isFor: (one) => one.status === 'ACTIVE',
      asks: [REASON],
      act: ({ email }, { reason = '' }) => call(ASK, { body: { email, role: null, reason } }),
    },
    {
      title: 'Withdraw the invitation',
      text: 'Its link leads in no longer.',
      permission: 'operator.team.manage',
      isDanger: true,
      isFor: (one) => one.status === 'INVITED',
      asks: [],
      told: 'Withdrawn.',
      act: ({ id }) => call(WITHDRAW, { params: { id } }),
    },
  ],
})
