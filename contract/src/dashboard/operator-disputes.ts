import Type from 'typebox'
import { DISPUTE_STATUSES, DISPUTE_TYPES, DisputeDetail, EvidenceFile } from '../disputes.ts'
import { Amount, Moment, Naira, nullable, optional, Reference, words } from '../fields.ts'
import { personal } from '../personal-data.ts'
import { disputeRefusals, operatorRefusals } from '../refusals/index.ts'
import { group, route } from '../route.ts'
import { Instant, ListQuery, listOf } from './lists.ts'
import { OfMerchant, OfOneMerchant, OPERATOR_ACTS, OPERATOR_READS, Reason } from './operator.ts'

const OptionalText = nullable(Type.String())

export const browseAllDisputes = route({
  ...OPERATOR_READS,
  method: 'GET',
  path: '/dashboard/api/operator/disputes',
  summary: 'List disputes of all merchants, newest first',
  query: Type.Object({ ...ListQuery, ...OfOneMerchant, status: Type.Optional(words(DISPUTE_STATUSES)) }),
  reply: listOf(
    Type.Object({
      id: Type.String(),
      createdOn: Instant,
      merchantCode: OptionalText,
      merchantName: OptionalText,
      disputeReference: Type.String(),
      transactionReference: Type.String(),
      partner: Type.String(),
      partnerReference: Type.String(),
      type: words(DISPUTE_TYPES),
      status: words(DISPUTE_STATUSES),
      amount: Naira,
      amountOwed: Naira,
      reason: Type.String(),
      evidence: nullable(personal(Type.String({ description: 'merchant’s response, to pass on to the partner' }))),
      evidenceDueOn: Instant,
      completedOn: nullable(Instant),
      comment: OptionalText,
    }),
  ),
})

export const getAnyDispute = route({
  ...OPERATOR_READS,
  method: 'GET',
  person: 'operator.payer.read',
  path: '/dashboard/api/operator/disputes/:disputeReference',
  summary: 'Get a dispute of any merchant with its evidence',
  params: Type.Object({ disputeReference: Reference }),
  reply: DisputeDetail,
  refusals: [disputeRefusals.notFound],
})

export const getAnyDisputeFile = route({
  ...OPERATOR_READS,
  method: 'GET',
  person: 'operator.payer.read',
  path: '/dashboard/api/operator/disputes/:disputeReference/files/:fileId',
  summary: 'Get an evidence file of a merchant, to pass on to the partner',
  params: Type.Object({
    disputeReference: Reference,
    fileId: Type.String({ pattern: '^\\d{1,18}$', 'x-rule': 'a numeric ID' }),
  }),
  reply: EvidenceFile,
  refusals: [disputeRefusals.notFound, disputeRefusals.unknownFile],
})

const Requested = Type.Object({ id: Type.String() })

export const requestDispute = route({
  ...OPERATOR_ACTS,
  path: '/dashboard/api/operator/merchants/:code/disputes',
  summary: 'Request to open a dispute that a partner reported outside the API',
  params: OfMerchant,
  body: Type.Object({
    transactionReference: Reference,
    partner: Type.String({ minLength: 1, maxLength: 64, examples: ['wema'] }),
    partnerReference: Reference,
    disputeType: words(DISPUTE_TYPES),
    amount: optional(Amount),
    respondBy: optional(Moment),
    reason: Reason,
  }),
  reply: Requested,
  refusals: [operatorRefusals.unknownMerchant, disputeRefusals.unknownTransaction],
})

export const requestDisputeEnd = route({
  ...OPERATOR_ACTS,
  path: '/dashboard/api/operator/disputes/:disputeReference/changes',
  summary: 'Request to close a dispute with an outcome that a partner reported outside the API',
  params: Type.Object({ disputeReference: Reference }),
  body: Type.Object({ outcome: words(['WON', 'LOST']), reason: Reason }),
  reply: Requested,
  refusals: [disputeRefusals.notFound, disputeRefusals.decidedDifferently],
})

export const operatorDisputes = group({
  title: 'Operator: disputes',
  text: 'Disputed payments of all merchants, and their outcomes if a partner does not report them itself.',
  routes: { browseAllDisputes, getAnyDispute, getAnyDisputeFile, requestDispute, requestDisputeEnd },
  refusals: {},
})
