import type { Static } from 'typebox'
import { fromMoment } from '../../kernel/dates.ts'
import { type Kobo, toNairaText } from '../../kernel/money.ts'
import type { NotSent, PartnerRails } from '../not-sent.ts'
import { transferOperations as operations, type Succeeded } from '../protocol/index.ts'
import type { FoundTransfer, TransferOutcome } from '../transfer.ts'
import type { Adapter } from './adapter.ts'
import { plainReader, readKobo } from './reader.ts'

const enquiry = plainReader(operations['transfer/name-enquiry'])
const outcome = plainReader(operations['transfer/send'])
const found = plainReader(operations['transfer/find'])

/** A response: a success with another amount than the one requested contradicts the order, if both are known. */
export function agreed<Told extends { readonly kind: string }>(
  told: Told | Static<typeof Succeeded> | undefined,
  asked: Kobo | undefined,
) {
  if (told === undefined || !isSuccess(told)) return told
  const { kind, sessionId, finalAt, amount } = told
  if (amount !== undefined && asked !== undefined && readKobo(amount) !== asked)
    return {
      kind: 'unknown' as const,
      contradiction: `succeeded with ${toNairaText(readKobo(amount))} instead of ${toNairaText(asked)}`,
    }
  const moment = finalAt === undefined ? undefined : fromMoment(finalAt)
  return moment === undefined ? { kind, sessionId } : { kind, sessionId, finalAt: moment }
}

const isSuccess = (told: { readonly kind: string }): told is Static<typeof Succeeded> => told.kind === 'succeeded'

export const httpTransfers = ({ send, find, enquire }: Adapter): PartnerRails['transfer'] => ({
  nameEnquiry: (account) => enquire('transfer/name-enquiry', account, enquiry),
  send: (request) =>
    send<TransferOutcome | NotSent>('transfer/send', request, (text) => agreed(outcome(text), request.amount)),
  find: (reference, amount) =>
    find<FoundTransfer>('transfer/find', { reference }, (text) => agreed(found(text), amount)),
})
