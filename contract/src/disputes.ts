import Type from 'typebox'
import { Amount, Moment, Naira, nullable, optional, Reference, words } from './fields.ts'
import { PageQuery, page } from './page.ts'
import { NO_PERMISSION } from './permissions.ts'
import { disputeRefusals } from './refusals/index.ts'
import { group, route } from './route.ts'

/** Who wants money back: a card's holder, a bank that recalls a transfer, or the partner, who undid a payment by itself. */
export const DISPUTE_TYPES = ['CHARGEBACK', 'RECALL', 'REVERSAL'] as const
export type DisputeType = (typeof DISPUTE_TYPES)[number]

export const DISPUTE_STATUSES = ['OPEN', 'EVIDENCE_SUBMITTED', 'EXPIRED', 'ACCEPTED', 'WON', 'LOST'] as const
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number]

/** How many days a merchant has to contest a dispute whose partner names no other time. */
export const EVIDENCE_DAYS: Readonly<Record<DisputeType, number>> = { CHARGEBACK: 10, RECALL: 3, REVERSAL: 3 }

export const EVIDENCE_TEXT_LENGTH_MAX = 4_000
export const EVIDENCE_FILES_MAX = 3
export const EVIDENCE_FILE_BYTES_MAX = 400 * 1024
export const EVIDENCE_FILE_TYPES = ['application/pdf', 'image/png', 'image/jpeg'] as const
export type EvidenceFileType = (typeof EVIDENCE_FILE_TYPES)[number]
/** Base64 has four characters for three bytes. */
const BASE64_LENGTH_MAX = Math.ceil(EVIDENCE_FILE_BYTES_MAX / 3) * 4

/** A payment of which somebody wants all or a part back. */
export const DisputeRecord = Type.Object({
  disputeReference: Type.String({ examples: ['KDSP01KJMQ4X2R9GZ6T7V8W3Y5B1CD'] }),
  disputeType: words(DISPUTE_TYPES),
  disputeStatus: words(DISPUTE_STATUSES),
  transactionReference: Type.String(),
  disputeAmount: Naira,
  amountOwed: Type.Number({
    description: 'what of it your wallet did not have and is still to be repaid by what you collect',
    examples: [0],
  }),
  disputeReason: Type.String({ examples: ['Goods were not received'] }),
  currencyCode: Type.String(),
  evidenceDueOn: Type.String({ description: 'contest it before then', examples: ['11/03/2026 10:30:00 AM'] }),
  createdOn: Type.String({ examples: ['01/03/2026 10:30:00 AM'] }),
  completedOn: nullable(Type.String({ examples: ['15/03/2026 10:30:00 AM'] })),
  comment: nullable(Type.String({ description: 'why it ended as it did, where somebody said so' })),
})

/** The same with what was said against it. */
export const DisputeDetail = Type.Object({
  ...DisputeRecord.properties,
  evidence: nullable(
    Type.Object({
      text: Type.String({ examples: ['The courier’s receipt is signed by the customer.'] }),
      submittedOn: Type.String({ examples: ['02/03/2026 09:00:00 AM'] }),
      files: Type.Array(
        Type.Object({
          fileId: Type.String({ examples: ['295147905179353088'] }),
          name: Type.String({ examples: ['receipt.pdf'] }),
          type: words(EVIDENCE_FILE_TYPES),
          bytes: Type.Integer({ examples: [48_213] }),
        }),
      ),
    }),
  ),
})

/** A file that was sent against a dispute: which, and what is in it. */
const OneEvidenceFile = Type.Object({
  disputeReference: Reference,
  fileId: Type.String({ pattern: '^\\d{1,18}$', 'x-rule': 'an id' }),
})
export const EvidenceFile = Type.Object({
  name: Type.String({ examples: ['receipt.pdf'] }),
  type: words(EVIDENCE_FILE_TYPES),
  content: Type.String({ description: 'in base64', examples: ['JVBERi0xLjQKJSBhIHJlY2VpcHQK'] }),
})

const OneDispute = Type.Object({ disputeReference: Reference })

export const listDisputes = route({
  method: 'GET',
  path: '/api/v1/disputes',
  summary: 'Disputes, newest first',
  permission: NO_PERMISSION.ownBooks,
  person: 'money.read',
  query: Type.Object({
    ...PageQuery,
    disputeStatus: Type.Optional(words(DISPUTE_STATUSES)),
    from: Type.Optional(Moment),
    to: Type.Optional(Moment),
  }),
  reply: page(DisputeRecord),
})

export const getDispute = route({
  method: 'GET',
  path: '/api/v1/disputes/:disputeReference',
  summary: 'A dispute, with what was said against it',
  permission: NO_PERMISSION.ownBooks,
  person: 'payer.read',
  params: OneDispute,
  reply: DisputeDetail,
  refusals: [disputeRefusals.notFound],
})

export const submitEvidence = route({
  method: 'POST',
  path: '/api/v1/disputes/:disputeReference/evidence',
  summary: 'Contest a dispute: say why the payment was right, and prove it',
  description: `Once, and before evidenceDueOn. At most ${EVIDENCE_FILES_MAX} files of at most ${EVIDENCE_FILE_BYTES_MAX / 1024} kB each: PDF, PNG or JPEG. The partner decides; until then the money stays held.`,
  permission: NO_PERMISSION.collecting,
  person: 'collect.make',
  takesFiles: true,
  params: OneDispute,
  body: Type.Object({
    text: Type.String({
      minLength: 1,
      maxLength: EVIDENCE_TEXT_LENGTH_MAX,
      examples: ['The courier’s receipt is signed by the customer.'],
    }),
    files: optional(
      Type.Array(
        Type.Object({
          name: Type.String({
            pattern: '^[^\\p{C}/\\\\]{1,100}$',
            'x-rule': 'a file name of at most 100 characters',
            examples: ['receipt.pdf'],
          }),
          type: words(EVIDENCE_FILE_TYPES),
          content: Type.String({
            minLength: 4,
            maxLength: BASE64_LENGTH_MAX,
            pattern: '^[A-Za-z0-9+/]+={0,2}$',
            'x-rule': `a file of at most ${EVIDENCE_FILE_BYTES_MAX / 1024} kB in base64`,
            examples: ['JVBERi0xLjQKJSBhIHJlY2VpcHQK'],
          }),
        }),
        { maxItems: EVIDENCE_FILES_MAX },
      ),
    ),
  }),
  reply: DisputeDetail,
  refusals: [disputeRefusals.notFound, disputeRefusals.notOpen, disputeRefusals.notAFile],
})

export const acceptDispute = route({
  method: 'POST',
  path: '/api/v1/disputes/:disputeReference/accept',
  summary: 'Give the money back without contesting',
  description: 'What is held goes to the partner at once. One that was accepted before is answered as it is.',
  permission: NO_PERMISSION.collecting,
  person: 'refund.make',
  params: OneDispute,
  reply: DisputeRecord,
  refusals: [disputeRefusals.notFound, disputeRefusals.notOpen],
})

export const getDisputeFile = route({
  method: 'GET',
  path: '/api/v1/disputes/:disputeReference/files/:fileId',
  summary: 'A file that was sent against a dispute',
  permission: NO_PERMISSION.ownBooks,
  person: 'payer.read',
  params: OneEvidenceFile,
  reply: EvidenceFile,
  refusals: [disputeRefusals.notFound, disputeRefusals.unknownFile],
})

/** What a partner, or who was told by one, says of a dispute that is opened. */
export const NewDispute = {
  transactionReference: Reference,
  disputeType: words(DISPUTE_TYPES),
  disputeAmount: optional(Amount),
  disputeReason: optional(Type.String({ minLength: 1, maxLength: 255, examples: ['Goods were not received'] })),
}

export const openSandboxDispute = route({
  method: 'POST',
  path: '/sandbox/disputes',
  summary: 'The payer’s bank: want a payment back, in full or in part',
  description:
    'Without disputeAmount it is all that is left of the newest payment. The effect is visible when the answer arrives.',
  environment: 'sandbox',
  permission: NO_PERMISSION.sandbox,
  person: 'sandbox.use',
  body: Type.Object(NewDispute),
  reply: DisputeRecord,
  refusals: [disputeRefusals.unknownTransaction, disputeRefusals.notDisputable, disputeRefusals.aboveAmount],
})

export const decideSandboxDispute = route({
  method: 'POST',
  path: '/sandbox/disputes/:disputeReference/decide',
  summary: 'The payer’s bank: decide a dispute',
  environment: 'sandbox',
  permission: NO_PERMISSION.sandbox,
  person: 'sandbox.use',
  params: OneDispute,
  body: Type.Object({ outcome: words(['WON', 'LOST']) }),
  reply: DisputeRecord,
  refusals: [disputeRefusals.notFound, disputeRefusals.decidedOtherwise],
})

export const disputes = group({
  title: 'Disputes',
  text: 'Payments that somebody wants back: chargebacks of cards, recalls by banks, reversals. Of ours: the interface has no such paths.',
  routes: { listDisputes, getDispute, submitEvidence, acceptDispute, getDisputeFile },
  refusals: disputeRefusals,
})
