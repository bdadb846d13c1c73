import type { browseMerchants, changeStanding, createMerchant } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import { call } from '../call.ts'
import { DAYS, status } from '../list/column.ts'
import { listScreen } from '../list/screen.tsx'
import type { Act, ItemOf } from '../list/spec.ts'
import { MerchantPanels } from './merchant-panels.tsx'

const CREATE: Address<typeof createMerchant> = { method: 'POST', path: '/dashboard/api/operator/merchants' }
const STANDING: Address<typeof changeStanding> = {
  method: 'POST',
  path: '/dashboard/api/operator/merchants/:code/standing',
}
type Merchant = ItemOf<typeof browseMerchants>

/** A change of how a merchant stands. */
const standing = (
  to: Merchant['standing'],
  from: readonly Merchant['standing'][],
  title: string,
  text: string,
): Act<Merchant> => ({
  title,
  text,
  permission: 'operator.manage',
  isDanger: to !== 'ACTIVE',
  isFor: (merchant) => from.includes(merchant.standing),
  asks: [{ name: 'reason', label: 'Reason', hint: 'It is kept in the audit.' }],
  act: ({ code }, { reason = '' }) => call(STANDING, { params: { code }, body: { standing: to, reason } }),
})

export default listScreen<typeof browseMerchants>({
  name: 'merchants',
  title: 'Merchants',
  one: 'Merchant',
  heading: ({ name }) => name,
  list: { method: 'GET', path: '/dashboard/api/operator/merchants' },
  empty: 'Make the first one.',
  columns: [
    { title: 'Name', value: ({ name }) => name },
    { title: 'Status', value: (merchant) => merchant.standing, kind: 'status' },
    { title: 'Code', value: ({ code }) => code, kind: 'code' },
    { title: 'E-mail address', value: ({ email }) => email, isWide: true },
    { title: 'Since', value: ({ createdOn }) => createdOn, kind: 'moment', isWide: true },
  ],
  filters: [
    { kind: 'text', name: 'text', title: 'Name, address or code' },
    status(['ACTIVE', 'SUSPENDED', 'CLOSED']),
    ...DAYS,
  ],
  address: ({ code }) => `/dashboard/merchants/${encodeURIComponent(code)}`,
  find: (key) => ({ query: { text: key }, isIt: ({ code }) => code === key }),
  makes: [
    {
      title: 'New merchant',
      text: 'Its first owner is invited by mail, and makes the key. Nobody else ever sees it.',
      permission: 'operator.manage',
      asks: [
        { name: 'name', label: 'Name of the business' },
        { name: 'email', label: 'E-mail address of the owner', kind: 'email' },
      ],
      told: 'The merchant is made, and its owner invited.',
      act: (_, { name = '', email = '' }) => call(CREATE, { body: { name, email } }),
    },
  ],
  acts: [
    standing(
      'SUSPENDED',
      ['ACTIVE'],
      'Suspend',
      'It cannot call, takes no payments, and none of its money leaves, on every node within seconds. What arrives is still booked.',
    ),
    standing('ACTIVE', ['SUSPENDED'], 'Resume', 'It is let in again, and what waited is sent.'),
    standing('CLOSED', ['ACTIVE', 'SUSPENDED'], 'Close', 'For ever, and only once none of its money is left here.'),
  ],
  Below: ({ item, me }) => <MerchantPanels code={item.code} me={me} />,
})
