import type { browseAllAudit } from '@kobo/contract'
import { DAYS } from '../list/column.ts'
import { listScreen } from '../list/screen.tsx'
import { actOf } from '../list/value.tsx'
import { Panel } from './panel.tsx'

export default listScreen<typeof browseAllAudit>({
  name: 'all-audit',
  title: 'Audit',
  one: 'Act',
  heading: ({ act }) => actOf(act),
  list: { method: 'GET', path: '/dashboard/api/operator/audit' },
  empty: 'Whatever people and programs change is written down here for good, a few seconds later.',
  columns: [
    { title: 'What', value: ({ act }) => actOf(act) },
    { title: 'When', value: ({ createdOn }) => createdOn, kind: 'moment' },
    { title: 'Who', value: ({ name, actor }) => name ?? actor },
    {
      title: 'Merchant',
      value: ({ merchantCode }) => merchantCode,
      link: ({ merchantCode }) => `/dashboard/merchants/${encodeURIComponent(merchantCode ?? '')}`,
      isWide: true,
    },
    { title: 'Of', value: ({ reference }) => reference, isWide: true },
  ],
  facts: [
    { title: 'Number in the chain', value: ({ id }) => id },
    { title: 'Known as', value: ({ actor }) => actor },
    { title: 'From', value: ({ address }) => address },
  ],
  filters: [
    { kind: 'text', name: 'merchant', title: 'Merchant, by its code' },
    { kind: 'text', name: 'actor', title: 'Who, by e-mail address' },
    { kind: 'text', name: 'act', title: 'Act, as settings.change' },
    ...DAYS,
  ],
  Below: ({ item: { details } }) =>
    Object.keys(details).length === 0 ? (
      <p class="quiet">Nothing else was written down.</p>
    ) : (
      <Panel title="Details">
        <pre class="text">{JSON.stringify(details, null, 2)}</pre>
      </Panel>
    ),
})
