import type { browseAllAudit } from '@kobo/contract'
import * as routes from '../../routes.ts'
import { AuditDetails } from '../parts/audit-details.tsx'
import { DAYS } from '../parts/list/filter.ts'
import { listScreen } from '../parts/list/list-screen.tsx'
import { nameOfAct } from '../parts/list/value.tsx'

export default listScreen<typeof browseAllAudit>({
  name: 'all-audit',
  title: 'Audit log',
  singular: 'Audit log entry',
  heading: nameOfAct,
  list: routes.browseAllAudit,
  empty: 'Every change is recorded here permanently, within seconds.',
  columns: [
    { title: 'Action', value: nameOfAct },
    { title: 'Date', value: ({ createdOn }) => createdOn, kind: 'moment' },
    { title: 'User', value: ({ name, actor }) => name ?? actor },
    {
      title: 'Merchant',
      value: ({ merchantName }) => merchantName,
      link: ({ merchantCode }) => `/dashboard/merchants/${encodeURIComponent(merchantCode ?? '')}`,
      isWide: true,
    },
    { title: 'Object', value: ({ reference }) => reference, isWide: true },
  ],
  facts: [
    { title: 'Act', value: ({ act }) => act },
    { title: 'Entry number', value: ({ id }) => id },
    { title: 'Actor', value: ({ actor }) => actor },
    { title: 'IP address', value: ({ address }) => address },
  ],
  filters: [
    { kind: 'text', name: 'merchant', title: 'Merchant code' },
    { kind: 'text', name: 'actor', title: 'User (email address)' },
    { kind: 'text', name: 'act', title: 'Action (e.g. settings.change)' },
    ...DAYS,
  ],
  Below: AuditDetails,
})
