import type { CompatSetting, Permission, PricedService } from '@kobo/contract'
import * as routes from '../../routes.ts'
import { call } from '../api/call.ts'
import type { Fields } from '../parts/form.tsx'
import type { Action, ActionField } from '../parts/list/list-spec.ts'
import { nameOf } from '../parts/names.ts'
import { NEEDS_APPROVAL, REASON } from './approval.ts'
import type { Contract, Merchant } from './merchant.ts'

interface ContractSubject {
  readonly merchant: Merchant
  readonly contract: Contract
}

const APPROVAL_TEXT = 'Nothing changes until another operator approves it.'

/** Every permission. If one is missing, this does not compile. (The contract's list would make the page larger.) */
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

export const CHANGE_PERMISSIONS: Action<Merchant> = {
  ...NEEDS_APPROVAL,
  title: 'Change permissions',
  text: APPROVAL_TEXT,
  fields: ({ permissions }) => [
    {
      name: 'may',
      label: 'The merchant may use',
      kind: 'ticks',
      choices: PERMISSIONS.map((one) => [one, nameOf(one)]),
      ticked: permissions,
    },
    {
      name: 'consentBasis',
      label: 'Basis of consent',
      hint: 'Only for verification and recurring payments: how the merchant gets its customers’ consent.',
      isOptional: true,
    },
    REASON,
  ],
  run: ({ code, permissions: before }, fields) => {
    const permissions = Object.fromEntries(
      PERMISSIONS.map((one) => [one, fields[`may.${one}`] === 'on'] as const).filter(
        ([one, isOn]) => isOn !== before.includes(one),
      ),
    )
    const { reason = '', consentBasis = '' } = fields
    const change = Object.keys(permissions).length === 0 ? {} : { permissions }
    return call(routes.requestSettings, {
      params: { code },
      body: { change, reason, ...(consentBasis === '' ? {} : { consentBasis }) },
    })
  },
}

/** Every compatibility setting, in words. If one is missing, this does not compile. */
const COMPAT = {
  transfersWithoutName: 'Single transfers without the account holder’s name',
  basicAuthentication: 'API key and secret key in place of an access token',
  accountsWithoutIdentity: 'Version 1 reserved accounts without BVN or NIN',
  monnifySignature: 'Webhook signature also in the monnify-signature header',
} satisfies Record<CompatSetting, string>

export const CHANGE_COMPAT: Action<Merchant> = {
  ...NEEDS_APPROVAL,
  title: 'Change compatibility',
  text: `Relaxes rules for the merchant’s older clients. Switch on only what a client needs. ${APPROVAL_TEXT}`,
  fields: ({ settings }) => [
    {
      name: 'compat',
      label: 'The merchant’s clients need',
      kind: 'ticks',
      choices: Object.entries(COMPAT),
      ticked: settings['compat'] as readonly string[],
    },
    REASON,
  ],
  run: ({ code }, { reason = '', ...fields }) => {
    const compat = (Object.keys(COMPAT) as CompatSetting[]).filter((one) => fields[`compat.${one}`] === 'on')
    return call(routes.requestSettings, { params: { code }, body: { change: { compat }, reason } })
  },
}

export const CHANGE_SETTLEMENT: Action<ContractSubject> = {
  ...NEEDS_APPROVAL,
  title: 'Change settlement account',
  text: `Collections of this contract are settled here. ${APPROVAL_TEXT} The merchant is notified by email.`,
  fields: ({ contract: { terms } }) => [
    {
      name: 'destination',
      label: 'Destination',
      kind: 'choice',
      choices: [
        ['WALLET', 'Wallet'],
        ['BANK', 'Bank account'],
      ],
      value: String(terms['settlementDestination']),
    },
    { name: 'bankCode', label: 'Bank', kind: 'bank', isOptional: true },
    { name: 'accountNumber', label: 'Account number', kind: 'number', isOptional: true },
    { name: 'accountName', label: 'Account name', isOptional: true },
    REASON,
  ],
  run: ({ merchant: { code }, contract }, fields) => {
    const { destination, bankCode = '', accountNumber = '', accountName = '', reason = '' } = fields
    const change =
      destination === 'BANK'
        ? ({ settlementDestination: 'BANK', settlementAccount: { bankCode, accountNumber, accountName } } as const)
        : ({ settlementDestination: 'WALLET' } as const)
    return call(routes.requestSettings, { params: { code }, body: { change, contractCode: contract.code, reason } })
  },
}

/** Terms with a fixed set of values. */
const CHOICE_TERMS = [
  {
    name: 'feeBearer',
    label: 'Payment fees paid by',
    choices: [
      ['MERCHANT', 'The merchant'],
      ['CUSTOMER', 'The customer'],
    ],
  },
  {
    name: 'underpayment',
    label: 'Underpayments',
    choices: [
      ['ACCEPT', 'Accepted'],
      ['REJECT', 'Returned'],
    ],
  },
  {
    name: 'settlement',
    label: 'Settlement schedule',
    choices: [
      ['DAILY', 'Daily'],
      ['INSTANT', 'Instant'],
    ],
  },
] as const

export const CHANGE_TERMS: Action<ContractSubject> = {
  ...NEEDS_APPROVAL,
  title: 'Change terms',
  text: `The new terms apply to new payments only. ${APPROVAL_TEXT}`,
  fields: ({ contract: { terms } }) => [
    ...CHOICE_TERMS.map((term): ActionField => ({ ...term, kind: 'choice', value: String(terms[term.name]) })),
    {
      name: 'settlementTime',
      label: 'Settlement time',
      hint: 'Lagos time, e.g. 22:00.',
      value: String(terms['settlementTime']),
    },
    REASON,
  ],
  run: ({ merchant: { code }, contract: { code: contractCode, terms } }, { reason = '', ...fields }) => {
    const change: Fields = Object.fromEntries(Object.entries(fields).filter(([name, value]) => terms[name] !== value))
    return call(routes.requestSettings, { params: { code }, body: { change, contractCode, reason } })
  },
}

/** Every service with a price. If one is missing, this does not compile. */
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

export const SET_PRICE: Action<Merchant> = {
  ...NEEDS_APPROVAL,
  title: 'Set price',
  text: `A price for this merchant only. It does not change existing payments. ${APPROVAL_TEXT}`,
  fields: ({ contracts }) => [
    { name: 'service', label: 'Service', kind: 'choice', choices: SERVICES.map((one) => [one, nameOf(one)]) },
    {
      name: 'contractCode',
      label: 'Applies to',
      kind: 'choice',
      isOptional: true,
      choices: [['', 'The merchant'], ...contracts.map(({ code }) => [code, `Contract ${code}`] as const)],
    },
    { name: 'percent', label: 'Percent', hint: 'e.g. 1.4', isOptional: true },
    { name: 'flat', label: 'Flat fee in naira', kind: 'amount', isOptional: true },
    { name: 'cap', label: 'Maximum in naira', kind: 'amount', isOptional: true },
    { name: 'from', label: 'Valid from', kind: 'day', hint: 'Leave empty to start on approval.', isOptional: true },
    REASON,
  ],
  run: ({ code }, { service, reason = '', contractCode = '', from = '', ...step }) => {
    const given = Object.fromEntries(Object.entries(step).filter(([, value]) => value !== ''))
    return call(routes.requestPrice, {
      params: { code },
      body: {
        service: service as PricedService, // one of the choices; the gateway rejects others
        steps: [given],
        reason,
        ...(contractCode === '' ? {} : { contractCode }),
        ...(from === '' ? {} : { from: `${from}T00:00:00+01:00` }),
      },
    })
  },
}

export const ADD_CONTRACT: Action<Merchant> = {
  title: 'Add contract',
  text: 'It starts with the default terms. The merchant’s server sends the contract code with each payment.',
  permission: 'operator.manage',
  fields: [
    { name: 'name', label: 'Name' },
    { name: 'description', label: 'Description', value: 'Collections' },
  ],
  toast: 'Contract added.',
  run: ({ code }, { name = '', description = '' }) =>
    call(routes.addContract, { params: { code }, body: { name, description } }),
}

export const INVITE_OWNER: Action<Merchant> = {
  ...NEEDS_APPROVAL,
  title: 'Invite owner',
  text: `Use this if the merchant has no owner: the first invitation expired, or everyone left. ${APPROVAL_TEXT} The merchant is notified at its registered address.`,
  fields: ({ email: value }) => [{ name: 'email', label: 'Email address', kind: 'email', value }, REASON],
  run: ({ code }, { email = '', reason = '' }) =>
    call(routes.inviteOwner, { params: { code }, body: { email, reason } }),
}
