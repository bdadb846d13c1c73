import type { browseMerchants } from '@kobo/contract'
import * as routes from '../../routes.ts'
import { call } from '../api/call.ts'
import { DAYS, status } from '../parts/list/filter.ts'
import { listScreen } from '../parts/list/list-screen.tsx'
import type { Action, ItemOf } from '../parts/list/list-spec.ts'
import { NEEDS_APPROVAL, REASON } from './approval.ts'
import { MerchantPanels } from './merchant-panels.tsx'

type Merchant = ItemOf<typeof browseMerchants>

const TOASTS: Readonly<Record<Merchant['standing'], string>> = {
  ACTIVE: 'Merchant resumed.',
  SUSPENDED: 'Merchant suspended.',
  CLOSED: 'Merchant closed.',
}

/** An action that suspends, resumes or closes a merchant. */
const changeStatus = (
  to: Merchant['standing'],
  from: readonly Merchant['standing'][],
  title: string,
  text: string,
): Action<Merchant> => ({
  title,
  text,
  permission: 'operator.manage',
  isDanger: to !== 'ACTIVE',
  isAvailable: (merchant) => from.includes(merchant.standing),
  fields: [{ name: 'reason', label: 'Reason', hint: 'Recorded in the audit log.' }],
  toast: TOASTS[to],
  run: ({ code }, { reason = '' }) =>
    call(routes.changeMerchantStatus, { params: { code }, body: { standing: to, reason } }),
})

export default listScreen<typeof browseMerchants>({
  name: 'merchants',
  title: 'Merchants',
  singular: 'Merchant',
  heading: ({ name }) => name,
  list: routes.browseMerchants,
  empty: 'Create the first merchant.',
  columns: [
    { title: 'Name', value: ({ name }) => name },
    { title: 'Status', value: (merchant) => merchant.standing, kind: 'status' },
    { title: 'Code', value: ({ code }) => code, kind: 'code' },
    { title: 'Email address', value: ({ email }) => email, isWide: true },
    { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment', isWide: true },
  ],
  filters: [
    { kind: 'text', name: 'text', title: 'Name, email or code' },
    status(['ACTIVE', 'SUSPENDED', 'CLOSED']),
    ...DAYS,
  ],
  address: ({ code }) => `/dashboard/merchants/${encodeURIComponent(code)}`,
  find: (key) => ({ query: { text: key }, matches: ({ code }) => code === key }),
  createActions: [
    {
      title: 'Create merchant',
      text: 'We email the first owner an invitation. Only the owner creates and sees the API keys.',
      permission: 'operator.manage',
      fields: [
        { name: 'name', label: 'Business name' },
        { name: 'email', label: 'Owner’s email address', kind: 'email' },
      ],
      toast: 'Merchant created.',
      run: (_, { name = '', email = '' }) => call(routes.createMerchant, { body: { name, email } }),
    },
  ],
  actions: [
    changeStatus(
      'SUSPENDED',
      ['ACTIVE'],
      'Suspend',
      'Within seconds, API calls, payments and payouts stop. Money that arrives is still booked.',
    ),
    changeStatus('ACTIVE', ['SUSPENDED'], 'Resume', 'API calls and payments work again, and pending payouts are sent.'),
    changeStatus(
      'CLOSED',
      ['ACTIVE', 'SUSPENDED'],
      'Close merchant',
      'This is permanent. It works only if no order is pending and all its money is in its wallets. Pay them out afterwards. Money sent to its accounts goes back to the payer.',
    ),
    {
      ...NEEDS_APPROVAL,
      title: 'Pay out',
      text: 'Pays a wallet of the closed merchant out, without a fee. Another operator has to approve it.',
      isAvailable: (merchant) => merchant.standing === 'CLOSED',
      fields: [
        {
          name: 'walletAccountNumber',
          label: 'Wallet',
          kind: 'number',
          hint: 'The main wallet by default.',
          isOptional: true,
        },
        { name: 'bankCode', label: 'Bank', kind: 'bank' },
        { name: 'accountNumber', label: 'Account number', kind: 'number' },
        { name: 'accountName', label: 'Account name' },
        REASON,
      ],
      run: ({ code }, { walletAccountNumber = '', bankCode = '', accountNumber = '', accountName = '', reason = '' }) =>
        call(routes.requestPayout, {
          params: { code },
          body: {
            bankCode,
            accountNumber,
            accountName,
            reason,
            ...(walletAccountNumber === '' ? {} : { walletAccountNumber }),
          },
        }),
    },
  ],
  Below: ({ item, me }) => <MerchantPanels code={item.code} me={me} />,
})
