import type { browseLimitProfiles, createLimitProfile, InDashboard, updateLimitProfile } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import { call } from '../call.ts'
import type { Fields } from '../form.tsx'
import { listScreen } from '../list/screen.tsx'
import type { Asked } from '../list/spec.ts'

const CREATE: Address<InDashboard<typeof createLimitProfile>> = {
  method: 'POST',
  path: '/dashboard/api/v1/limit-profile',
}
const CHANGE: Address<InDashboard<typeof updateLimitProfile>> = {
  method: 'PUT',
  path: '/dashboard/api/v1/limit-profile/:limitProfileCode',
}

const ASKS: readonly Asked[] = [
  { name: 'name', label: 'Name' },
  { name: 'single', label: 'At most at once, in naira', kind: 'amount' },
  { name: 'daily', label: 'At most on one day, in naira', kind: 'amount' },
  { name: 'volume', label: 'Payments on one day', kind: 'number' },
]
const bodyOf = ({ name = '', single = '', daily = '', volume = '' }: Fields) => ({
  limitProfileName: name,
  singleTransactionValue: single,
  dailyTransactionValue: daily,
  dailyTransactionVolume: volume,
})

export default listScreen<typeof browseLimitProfiles>({
  name: 'limit-profiles',
  title: 'Limit profiles',
  one: 'Limit profile',
  list: { method: 'GET', path: '/dashboard/api/lists/limit-profiles' },
  empty: 'A limit profile says how much may be paid into a reserved account, at once and on one day.',
  columns: [
    { title: 'Name', value: ({ name }) => name },
    { title: 'At once', value: ({ singleTransactionValue }) => singleTransactionValue, kind: 'naira' },
    { title: 'On one day', value: ({ dailyTransactionValue }) => dailyTransactionValue, kind: 'naira' },
    { title: 'Payments a day', value: ({ dailyTransactionVolume }) => dailyTransactionVolume, isWide: true },
  ],
  facts: [
    { title: 'Code', value: ({ code }) => code },
    { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment' },
  ],
  filters: [],
  makes: [
    {
      title: 'New limit profile',
      text: 'Zero lets nothing pass. Days are days in Lagos.',
      permission: 'collect.make',
      asks: ASKS,
      act: (_none, fields) => call(CREATE, { body: bodyOf(fields) }),
    },
  ],
  acts: [
    {
      title: 'Change',
      text: 'Holds from the next payment on, for all accounts that have the profile.',
      permission: 'collect.make',
      asks: ASKS,
      act: ({ code }, fields) => call(CHANGE, { params: { limitProfileCode: code }, body: bodyOf(fields) }),
    },
  ],
})
