import type { browseLimitProfiles } from '@kobo/contract'
import * as routes from '../../routes.ts'
import { call } from '../api/call.ts'
import type { Fields } from '../parts/form.tsx'
import { listScreen } from '../parts/list/list-screen.tsx'
import type { ActionField } from '../parts/list/list-spec.ts'

const FIELDS: readonly ActionField[] = [
  { name: 'limitProfileName', label: 'Name' },
  { name: 'singleTransactionValue', label: 'Maximum per payment, in naira', kind: 'amount' },
  { name: 'dailyTransactionValue', label: 'Maximum per day, in naira', kind: 'amount' },
  { name: 'dailyTransactionVolume', label: 'Maximum number of payments per day', kind: 'number' },
]
const bodyOf = ({
  limitProfileName = '',
  singleTransactionValue = '',
  dailyTransactionValue = '',
  dailyTransactionVolume = '',
}: Fields) => ({ limitProfileName, singleTransactionValue, dailyTransactionValue, dailyTransactionVolume })

export default listScreen<typeof browseLimitProfiles>({
  name: 'limit-profiles',
  title: 'Limit profiles',
  singular: 'Limit profile',
  list: routes.browseLimitProfiles,
  empty: 'A limit profile caps payments into a reserved account, per payment and per day.',
  columns: [
    { title: 'Name', value: ({ name }) => name },
    { title: 'Per payment', value: ({ singleTransactionValue }) => singleTransactionValue, kind: 'naira' },
    { title: 'Per day', value: ({ dailyTransactionValue }) => dailyTransactionValue, kind: 'naira' },
    { title: 'Payments per day', value: ({ dailyTransactionVolume }) => dailyTransactionVolume, isWide: true },
  ],
  facts: [
    { title: 'Code', value: ({ code }) => code },
    { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment' },
  ],
  filters: [],
  createActions: [
    {
      title: 'Create limit profile',
      text: 'A limit of zero blocks all payments. Days are in Lagos time.',
      permission: 'collect.make',
      fields: FIELDS,
      toast: 'Limit profile created.',
      run: (_none, fields) => call(routes.createLimitProfile, { body: bodyOf(fields) }),
    },
  ],
  actions: [
    {
      title: 'Edit limit profile',
      text: 'From the next payment on, the new limits apply to every account with this profile.',
      permission: 'collect.make',
      fields: (profile) => {
        const current: Readonly<Record<string, unknown>> = { ...profile, limitProfileName: profile.name }
        return FIELDS.map((field) => ({ ...field, value: String(current[field.name]) }))
      },
      toast: 'Limit profile updated.',
      run: ({ code }, fields) =>
        call(routes.updateLimitProfile, { params: { limitProfileCode: code }, body: bodyOf(fields) }),
    },
  ],
})
