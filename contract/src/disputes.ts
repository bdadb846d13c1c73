import Type from 'typebox'
import { Amount, Moment, Naira, nullable, optional, Reference, words } from './fields.ts'
import { PageQuery, page } from './page.ts'
import { NO_PERMISSION } from './permissions.ts'
import { personal } from './personal-data.ts'
import { disputeRefusals } from './refusals/index.ts'
import { group, route } from './route.ts'

/** The origin of a dispute: the cardholder, a bank that recalls a transfer, or a partner that reversed a payment. */
export const DISPUTE_TYPES = ['CHARGEBACK', 'RECALL', 'REVERSAL'] as const
export type DisputeType = (typeof DISPUTE_TYPES)[number]

export const DISPUTE_STATUSES = ['OPEN', 'EVIDENCE_SUBMITTED', 'EXPIRED', 'ACCEPTED', 'WON', 'LOST'] as const
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number]

/** The default number of days to challenge a dispute. */
export const EVIDENCE_DAYS: Readonly<Record<DisputeType, number>> = { CHARGEBACK: 10, RECALL: 3, REVERSAL: 3 }

export const EVIDENCE_TEXT_LENGTH_MAX = 4_000
export const EVIDENCE_FILES_MAX = 3
export const EVIDENCE_FILE_BYTES_MAX = 400 * 1024
export const EVIDENCE_FILE_TYPES = ['application/pdf', 'image/png', 'image/jpeg'] as const
export type EvidenceFileType = (typeof EVIDENCE_FILE_TYPES)[number]
/** Base64 uses four characters for three bytes. */
const BASE64_LENGTH_MAX = Math.ceil(EVIDENCE_FILE_BYTES_MAX / 3) * 4

/** A payment that is disputed in full or in part. */
export const DisputeRecord = Type.Object({
  disputeReference: Type.String({ examples: ['KDSP01KJMQ4X2R9GZ6T7V8W3Y5B1CD'] }),
  disputeType: words(DISPUTE_TYPES),
  disputeStatus: words(DISPUTE_STATUSES),
  transactionReference: Type.String(),
  disputeAmount: Naira,
  amountOwed: Type.Number({
    description: 'part that your wallet could not cover; it is recovered from your next collections',
    examples: [0],
  }),
  disputeReason: Type.String({ examples: ['Goods were not received'] }),
  currencyCode: Type.String(),
  evidenceDueOn: Type.String({
    description: 'deadline for challenging the dispute',
    examples: ['11/03/2026 10:30:00 AM'],
  }),
  createdOn: Type.String({ examples: ['01/03/2026 10:30:00 AM'] }),
  completedOn: nullable(Type.String({ examples: ['15/03/2026 10:30:00 AM'] })),
  comment: nullable(Type.String({ description: 'reason of the outcome, if one was given' })),
})

export const DisputeDetail = Type.Object({
  ...DisputeRecord.properties,
  evidence: nullable(
    Type.Object({
      text: personal(Type.String({ examples: ['The courier’s receipt is signed by the customer.'] })),
      submittedOn: Type.String({ examples: ['02/03/2026 09:00:00 AM'] }),
      files: Type.Array(
        Type.Object({
          fileId: Type.String({ examples: ['295147905179353088'] }),
          name: personal(Type.String({ examples: ['receipt.pdf'] })),
          type: words(EVIDENCE_FILE_TYPES),
          bytes: Type.Integer({ examples: [48_213] }),
        }),
      ),
    }),
  ),
})

const OneEvidenceFile = Type.Object({
  disputeReference: Reference,
  fileId: Type.String({ pattern: '^\\d{1,18}$', 'x-rule': 'a numeric ID' }),
})
export const EvidenceFile = Type.Object({
  name: personal(Type.String({ examples: ['receipt.pdf'] })),
  type: words(EVIDENCE_FILE_TYPES),
  content: personal(Type.String({ description: 'content in base64', examples: ['JVBERi0xLjQKJSBhIHJlY2VpcHQK'] })),
})

const OneDispute = Type.Object({ disputeReference: Reference })

export const listDisputes = route({
  method: 'GET',
  path: '/api/v1/disputes',
  summary: 'List disputes, newest first',
  permission: NO_PERMISSION.ownData,
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
  summary: 'Get a dispute with its evidence',
  permission: NO_PERMISSION.ownData,
  person: 'payer.read',
  params: OneDispute,
  reply: DisputeDetail,
  refusals: [disputeRefusals.notFound],
})

export const submitEvidence = route({
  method: 'POST',
  path: '/api/v1/disputes/:disputeReference/evidence',
  summary: 'Challenge a dispute with evidence',
  description: `Possible once, before evidenceDueOn. Send at most ${EVIDENCE_FILES_MAX} files of at most ${EVIDENCE_FILE_BYTES_MAX / 1024} kB each: PDF, PNG or JPEG. The money stays on hold until the partner decides.`,
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
  summary: 'Accept a dispute',
  description: 'The money on hold goes to the partner at once. Repeating the call returns the dispute unchanged.',
  permission: NO_PERMISSION.collecting,
  person: 'refund.make',
  fresh: true,
  params: OneDispute,
  reply: DisputeRecord,
  refusals: [disputeRefusals.notFound, disputeRefusals.notOpen],
})

export const getDisputeFile = route({
  method: 'GET',
  path: '/api/v1/disputes/:disputeReference/files/:fileId',
  summary: 'Get an evidence file',
  permission: NO_PERMISSION.ownData,
  person: 'payer.read',
  params: OneEvidenceFile,
  reply: EvidenceFile,
  refusals: [disputeRefusals.notFound, disputeRefusals.unknownFile],
})

/** A new dispute, as the partner reports it. */
export const NewDispute = {
  transactionReference: Reference,
  disputeType: words(DISPUTE_TYPES),
  disputeAmount: optional(Amount),
  disputeReason: optional(Type.String({ minLength: 1, maxLength: 255, examples: ['Goods were not received'] })),
}

export const openSandboxDispute = route({
  method: 'POST',
  path: '/sandbox/disputes',
  summary: 'Open a dispute as the payer’s bank',
  description:
    'Without disputeAmount, the dispute covers the part of the newest payment that is not yet refunded or disputed. The dispute is in effect when the response arrives.',
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
  summary: 'Decide a dispute as the payer’s bank',
  environment: 'sandbox',
  permission: NO_PERMISSION.sandbox,
  person: 'sandbox.use',
  params: OneDispute,
  body: Type.Object({ outcome: words(['WON', 'LOST']) }),
  reply: DisputeRecord,
  refusals: [disputeRefusals.notFound, disputeRefusals.decidedDifferently],
})

export const disputes = group({
  title: 'Disputes',
  text: 'Disputed payments: card chargebacks, bank recalls and reversals. A Kobo extension; Monnify’s API has no such paths.',
  routes: { listDisputes, getDispute, submitEvidence, acceptDispute, getDisputeFile },
  refusals: disputeRefusals,
})
