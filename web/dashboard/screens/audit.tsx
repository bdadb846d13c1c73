import type { browseAudit } from '@kobo/contract'
import { DAYS } from '../list/column.ts'
import { listScreen } from '../list/screen.tsx'
import { actOf } from '../list/value.tsx'

export default listScreen<typeof browseAudit>({
  name: 'audit',
  title: 'Who did what',
  one: 'Act',
  list: { method: 'GET', path: '/dashboard/api/lists/audit' },
  empty: 'Whatever people, programs with your keys and the operator change is written down here for good.',
  columns: [
    { title: 'What', value: ({ act }) => actOf(act) },
    { title: 'When', value: ({ createdOn }) => createdOn, kind: 'moment' },
    { title: 'Who', value: ({ name, actor }) => name ?? actor },
    { title: 'From', value: ({ address }) => address, isWide: true },
    { title: 'Of', value: ({ reference }) => reference, isWide: true },
  ],
  facts: [
    { title: 'Known as', value: ({ actor }) => actor },
    { title: 'Details', value: ({ details }) => (Object.keys(details).length === 0 ? null : JSON.stringify(details)) },
  ],
  filters: [{ kind: 'text', name: 'act', title: 'Act, as event.resend' }, ...DAYS],
})
