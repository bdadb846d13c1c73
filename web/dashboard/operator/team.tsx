import type { browseOperators, OperatorRole } from '@kobo/contract'
import * as routes from '../../routes.ts'
import { call } from '../api/call.ts'
import { status } from '../parts/list/filter.ts'
import { listScreen } from '../parts/list/list-screen.tsx'
import { NEEDS_APPROVAL, REASON } from './approval.ts'

const NEEDS_TEAM_APPROVAL = { ...NEEDS_APPROVAL, permission: 'operator.team.manage' } as const
const ROLE = {
  name: 'role',
  label: 'Role',
  kind: 'choice',
  choices: [
    ['operator', 'Operator: full access; changes need a second operator'],
    ['auditor', 'Auditor: read-only'],
    ['operator-support', 'Support: read-only, without customer data'],
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
  singular: 'Operator',
  heading: ({ name, email }) => name ?? email,
  list: routes.browseOperators,
  empty: 'The people who run this gateway. Create the first on the command line, then invite the others here.',
  columns: [
    { title: 'Email address', value: ({ email }) => email },
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
    { title: 'Invitation expires', value: ({ expiresOn }) => expiresOn, kind: 'moment' },
  ],
  filters: [status(['ACTIVE', 'INVITED'])],
  createActions: [
    {
      ...NEEDS_TEAM_APPROVAL,
      title: 'Invite operator',
      text: 'Once another operator approves it, we email an invitation link that works once.',
      fields: [{ name: 'email', label: 'Email address' }, ROLE, REASON],
      run: (_, { email = '', role = '', reason = '' }) =>
        call(routes.requestOperator, { body: { email, role: role as OperatorRole, reason } }),
    },
  ],
  actions: [
    {
      ...NEEDS_TEAM_APPROVAL,
      title: 'Change role',
      isAvailable: (one) => one.status === 'ACTIVE',
      fields: [ROLE, REASON],
      run: ({ email }, { role = '', reason = '' }) =>
        call(routes.requestOperator, { body: { email, role: role as OperatorRole, reason } }),
    },
    {
      ...NEEDS_TEAM_APPROVAL,
      title: 'Disable',
      text: 'Once another operator approves it, this operator is signed out everywhere and loses all access.',
      isDanger: true,
      isAvailable: (one) => one.status === 'ACTIVE',
      fields: [REASON],
      run: ({ email }, { reason = '' }) => call(routes.requestOperator, { body: { email, role: null, reason } }),
    },
    {
      title: 'Withdraw invitation',
      text: 'The invitation link stops working.',
      permission: 'operator.team.manage',
      isDanger: true,
      isAvailable: (one) => one.status === 'INVITED',
      fields: [],
      toast: 'Invitation withdrawn.',
      run: ({ id }) => call(routes.withdrawOperatorInvitation, { params: { id } }),
    },
  ],
})
