import type { browseAudit } from '@kobo/contract'
import * as routes from '../../routes.ts'
import { AuditDetails } from '../parts/audit-details.tsx'
import { DAYS } from '../parts/list/filter.ts'
import { listScreen } from '../parts/list/list-screen.tsx'
import { nameOfAct } from '../parts/list/value.tsx'

export default listScreen<typeof browseAudit>({
  name: 'audit',
  title: 'Audit log',
  singular: 'Audit log entry',
  heading: nameOfAct,
  list: routes.browseAudit,
  empty: 'Every change made by your team, your API keys or an operator is recorded here permanently.',
  columns: [
    { title: 'Action', value: nameOfAct },
    { title: 'Date', value: ({ createdOn }) => createdOn, kind: 'moment' },
    { title: 'User', value: ({ name, actor }) => name ?? actor },
    { title: 'IP address', value: ({ address }) => address, isWide: true },
    { title: 'Object', value: ({ reference }) => reference, isWide: true },
  ],
  facts: [
    { title: 'Act', value: ({ act }) => act },
    { title: 'Actor', value: ({ actor }) => actor },
  ],
  filters: [{ kind: 'text', name: 'act', title: 'Action (e.g. event.resend)' }, ...DAYS],
  Below: AuditDetails,
})
