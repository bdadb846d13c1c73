import Type from 'typebox'
import { Amount, DateTime, Moment, Naira, nullable, Reference, words } from './fields.ts'
import { PageQuery, page } from './page.ts'
import { NO_PERMISSION } from './permissions.ts'
import { personal } from './personal-data.ts'
import { paycodeRefusals } from './refusals/index.ts'
import { group, route } from './route.ts'

export const PAYCODE_STATUSES = ['PENDING', 'SUCCESS', 'EXPIRED', 'CANCELLED'] as const
export type PaycodeStatus = (typeof PAYCODE_STATUSES)[number]
export const PaycodeStatus = words(PAYCODE_STATUSES)

/** Cash that an agent pays out to the bearer of the code. */
export const Paycode = Type.Object({
  paycode: Type.String({ description: '8 digits; only creation and authorize return all', examples: ['******46'] }),
  transactionReference: Type.String(),
  paycodeReference: Type.String({ examples: ['cash-1001'] }),
  beneficiaryName: personal(Type.String({ examples: ['Bola Ige'] })),
  amount: Type.Number({ description: 'Naira', examples: [5000] }),
  fee: Naira,
  transactionStatus: PaycodeStatus,
  expiryDate: Type.String({ examples: ['2026-03-02 10:30:00'] }),
  createdOn: Type.String({ examples: ['2026-03-01 10:30:00'] }),
  createdBy: Type.String({ description: 'API key that created the paycode', examples: ['MK_TEST_AB12CD34EF'] }),
  modifiedBy: nullable(Type.String({ description: 'API key that cancelled the paycode' })),
  cancelDate: nullable(Type.String({ examples: ['2026-03-01 10:30:00'] })),
})

const permission = 'paycode'
const PaycodeReference = { ...Reference, examples: ['cash-1001'] }
const params = Type.Object({ paycodeReference: PaycodeReference })

export const createPaycode = route({
  method: 'POST',
  path: '/api/v1/paycode',
  person: 'payout.make',
  fresh: true,
  summary: 'Create a paycode for a cash pick-up',
  description:
    'The amount and fee leave the wallet at once, and return if the paycode is cancelled or expires. The response shows the code unmasked. A paycode that needs approval has no code before it is approved: the code is shown as `********`.',
  permission,
  body: Type.Object({
    beneficiaryName: Type.String({ minLength: 1, maxLength: 255, examples: ['Bola Ige'] }),
    amount: { ...Amount, examples: [5000] },
    paycodeReference: PaycodeReference,
    expiryDate: { ...DateTime, examples: ['2026-03-02 10:30:00'] },
    clientId: Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'caller’s API key',
      examples: ['MK_TEST_AB12CD34EF'],
    }),
  }),
  reply: Paycode,
  refusals: [
    paycodeRefusals.notTheCaller,
    paycodeRefusals.amountTooSmall,
    paycodeRefusals.expiryInThePast,
    paycodeRefusals.expiryTooFar,
    paycodeRefusals.duplicateReference,
    paycodeRefusals.insufficientBalance,
  ],
})

export const listPaycodes = route({
  method: 'GET',
  path: '/api/v1/paycode',
  person: 'payer.read',
  summary: 'List paycodes, newest first',
  permission,
  query: Type.Object({
    ...PageQuery,
    transactionReference: Type.Optional(Type.String({ maxLength: 128 })),
    beneficiaryName: Type.Optional(Type.String({ maxLength: 255, description: 'part of the name, case-insensitive' })),
    transactionStatus: Type.Optional(PaycodeStatus),
    from: Type.Optional(Moment),
    to: Type.Optional(Moment),
  }),
  reply: page(Paycode),
})

export const getPaycode = route({
  method: 'GET',
  path: '/api/v1/paycode/:paycodeReference',
  person: 'payer.read',
  summary: 'Get a paycode, masked',
  permission,
  params,
  reply: Paycode,
  refusals: [paycodeRefusals.notFound],
})

export const revealPaycode = route({
  method: 'GET',
  path: '/api/v1/paycode/:paycodeReference/authorize',
  person: 'payout.approve',
  scope: 'payout.make',
  fresh: true,
  // Anyone who has the code gets the cash. The handler decides: the user who created the paycode needs no second
  // person.
  twoPeople: { action: 'Show the code of a paycode', isDecidedLater: true },
  summary: 'Get a paycode, unmasked',
  permission,
  params,
  reply: Paycode,
  refusals: [paycodeRefusals.notFound],
})

export const cancelPaycode = route({
  method: 'DELETE',
  path: '/api/v1/paycode/:paycodeReference',
  person: 'payout.make',
  summary: 'Cancel a paycode',
  description: 'The amount and fee return to the wallet.',
  permission,
  params,
  reply: Paycode,
  refusals: [paycodeRefusals.notFound, paycodeRefusals.notCancellable],
})

export const redeemPaycode = route({
  method: 'POST',
  path: '/sandbox/paycodes/:paycodeReference/redeem',
  summary: 'Redeem a paycode as an agent',
  environment: 'sandbox',
  permission: NO_PERMISSION.sandbox,
  person: 'sandbox.use',
  params,
  reply: Paycode,
  refusals: [paycodeRefusals.notFound, paycodeRefusals.notRedeemable],
})

export const paycodes = group({
  title: 'Paycodes',
  text: 'Cash from the wallet that an agent pays out to the bearer of a code.',
  routes: { createPaycode, getPaycode, revealPaycode, listPaycodes, cancelPaycode },
  refusals: paycodeRefusals,
})
