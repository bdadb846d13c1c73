import type { addContract, askForPrice, askForSettings, inviteOwner, Permission, PricedService } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import { call } from '../call.ts'
import type { Fields } from '../form.tsx'
import type { Act, Asked } from '../list/spec.ts'
import type { Contract, Merchant } from './one-merchant.ts'
import { nameOf } from './words.ts'

const SETTINGS: Address<typeof askForSettings> = {
  method: 'POST',
  path: '/dashboard/api/operator/merchants/:code/changes',
}
const PRICE: Address<typeof askForPrice> = { method: 'POST', path: '/dashboard/api/operator/merchants/:code/prices' }
const CONTRACTS: Address<typeof addContract> = {
  method: 'POST',
  path: '/dashboard/api/operator/merchants/:code/contracts',
}
const OWNERS: Address<typeof inviteOwner> = { method: 'POST', path: '/dashboard/api/operator/merchants/:code/owners' }

/** A contract of a merchant, whose terms are to change. */
interface OfContract {
  readonly merchant: Merchant
  readonly contract: Contract
}

const REASON: Asked = { name: 'reason', label: 'Reason', hint: 'Whoever approves it reads it, and it is kept.' }
/** What needs two is asked for here, and approved by somebody else. */
const FOR_TWO = {
  permission: 'operator.manage',
  told: 'Asked for. It counts once another operator has approved it, under “Changes to approve”.',
} as const
const TWO_TEXT = 'Nothing changes until another operator approves it.'

/** Every permission: the contract's list itself is not sent to browsers, and one that is missing here does not compile. */
const PERMISSIONS = Object.keys({
  transfers: true,
  subAccounts: true,
  wallets: true,
  bills: true,
  paycode: true,
  refunds: true,
  cards: true,
  checkoutCards: true,
  recurring: true,
  reservedAccounts: true,
  directDebit: true,
  verification: true,
  settings: true,
} satisfies Record<Permission, true>) as Permission[]

export const PERMISSIONS_ACT: Act<Merchant> = {
  ...FOR_TWO,
  title: 'Change permissions',
  text: TWO_TEXT,
  asks: ({ permissions }) => [
    {
      name: 'may',
      label: 'The merchant may use',
      kind: 'ticks',
      choices: PERMISSIONS.map((one) => [one, nameOf(one)]),
      ticked: permissions,
    },
    {
      name: 'consentBasis',
      label: 'By whose consent',
      hint: 'For verification and recurring payments: what the merchant asserts.',
      isOptional: true,
    },
    REASON,
  ],
  act: ({ code, permissions: before }, fields) => {
    const permissions = Object.fromEntries(
      PERMISSIONS.map((one) => [one, fields[`may.${one}`] === 'on'] as const).filter(
        ([one, isOn]) => isOn !== before.includes(one),
      ),
    )
    const { reason = '', consentBasis = '' } = fields
    const change = Object.keys(permissions).length === 0 ? {} : { permissions }
    return call(SETTINGS, {
      params: { code },
      body: { change, reason, ...(consentBasis === '' ? {} : { consentBasis }) },
    })
  },
}

export const SETTLEMENT_ACT: Act<OfContract> = {
  ...FOR_TWO,
  title: 'Settle to',
  text: `Where what the merchant collects goes. ${TWO_TEXT} The merchant is told by mail.`,
  asks: ({ contract: { terms } }) => [
    {
      name: 'destination',
      label: 'To',
      kind: 'choice',
      choices: [
        ['WALLET', 'Its wallet'],
        ['BANK', 'A bank account'],
      ],
      value: String(terms['settlementDestination']),
    },
    { name: 'bankCode', label: 'Bank', kind: 'bank', isOptional: true },
    { name: 'accountNumber', label: 'Account number', kind: 'number', isOptional: true },
    { name: 'accountName', label: 'Name of the account', isOptional: true },
    REASON,
  ],
  act: ({ merchant: { code }, contract }, fields) => {
    const { destination, bankCode = '', accountNumber = '', accountName = '', reason = '' } = fields
    const change =
      destination === 'BANK'
        ? ({ settlementDestination: 'BANK', settlementAccount: { bankCode, accountNumber, accountName } } as const)
        : ({ settlementDestination: 'WALLET' } as const)
    return call(SETTINGS, { params: { code }, body: { change, contractCode: contract.code, reason } })
  },
}

/** Terms that are one word of a few. */
const CHOSEN_TERMS = [
  {
    name: 'feeBearer',
    label: 'Who pays the fee',
    choices: [
      ['MERCHANT', 'The merchant'],
      ['CUSTOMER', 'The customer'],
    ],
  },
  {
    name: 'underpayment',
    label: 'A payment of too little is',
    choices: [
      ['ACCEPT', 'Kept'],
      ['REJECT', 'Sent back'],
    ],
  },
  {
    name: 'settlement',
    label: 'Settled',
    choices: [
      ['DAILY', 'Each day'],
      ['INSTANT', 'At once'],
    ],
  },
] as const

export const TERMS_ACT: Act<OfContract> = {
  ...FOR_TWO,
  title: 'Change terms',
  text: `For what is agreed from then on. ${TWO_TEXT}`,
  asks: ({ contract: { terms } }) => [
    ...CHOSEN_TERMS.map((term): Asked => ({ ...term, kind: 'choice', value: String(terms[term.name]) })),
    { name: 'settlementTime', label: 'At', hint: 'A time in Lagos, as 22:00.', value: String(terms['settlementTime']) },
    REASON,
  ],
  act: ({ merchant: { code }, contract: { code: contractCode, terms } }, { reason = '', ...fields }) => {
    const change: Fields = Object.fromEntries(Object.entries(fields).filter(([name, value]) => terms[name] !== value))
    return call(SETTINGS, { params: { code }, body: { change, contractCode, reason } })
  },
}

/** The same of what has a price. */
const SERVICES = Object.keys({
  collection: true,
  'cash-collection': true,
  transfer: true,
  refund: true,
  paycode: true,
  'verification/bvn-details': true,
  'verification/bvn-account': true,
  'verification/nin-details': true,
  'mandate-token': true,
} satisfies Record<PricedService, true>) as PricedService[]

export const PRICE_ACT: Act<Merchant> = {
  ...FOR_TWO,
  title: 'Set a price',
  text: `A price of this merchant’s own. What was agreed before stays agreed. ${TWO_TEXT}`,
  asks: ({ contracts }) => [
    { name: 'service', label: 'For', kind: 'choice', choices: SERVICES.map((one) => [one, nameOf(one)]) },
    {
      name: 'contractCode',
      label: 'Of',
      kind: 'choice',
      isOptional: true,
      choices: [['', 'The merchant'], ...contracts.map(({ code }) => [code, `Contract ${code}`] as const)],
    },
    { name: 'percent', label: 'Percent', hint: 'As 1.4', isOptional: true },
    { name: 'flat', label: 'And flat, in naira', kind: 'amount', isOptional: true },
    { name: 'cap', label: 'At most, in naira', kind: 'amount', isOptional: true },
    { name: 'from', label: 'From', kind: 'day', hint: 'Left empty: once it is approved.', isOptional: true },
    REASON,
  ],
  act: ({ code }, { service, reason = '', contractCode = '', from = '', ...step }) => {
    const given = Object.fromEntries(Object.entries(step).filter(([, value]) => value !== ''))
    return call(PRICE, {
      params: { code },
      body: {
        service: service as PricedService, // one of the choices; the gateway refuses what it does not know
        steps: [given],
        reason,
        ...(contractCode === '' ? {} : { contractCode }),
        ...(from === '' ? {} : { from: `${from}T00:00:00+01:00` }),
      },
    })
  },
}

export const ADD_CONTRACT: Act<Merchant> = {
  title: 'Add a contract',
  text: 'On the terms of a new one; its code is what the merchant’s server names.',
  permission: 'operator.manage',
  asks: [
    { name: 'name', label: 'Name' },
    { name: 'description', label: 'For what', value: 'Collections' },
  ],
  act: ({ code }, { name = '', description = '' }) =>
    call(CONTRACTS, { params: { code }, body: { name, description } }),
}

export const INVITE_OWNER: Act<Merchant> = {
  title: 'Invite an owner',
  text: 'Where nobody is one: because the first link was never followed, or everybody has left.',
  permission: 'operator.manage',
  asks: ({ email }) => [{ name: 'email', label: 'E-mail address', kind: 'email', value: email }],
  told: 'The owner is invited by mail.',
  act: ({ code }, { email = '' }) => call(OWNERS, { params: { code }, body: { email } }),
}
