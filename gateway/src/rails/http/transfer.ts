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

/** Returns the response. A success with another amount than requested becomes `unknown` with a contradiction. */
export function checkAmount<Response extends { readonly kind: string }>(
  response: Response | Static<typeof Succeeded> | undefined,
  requested: Kobo | undefined,
) {
  if (response === undefined || !isSuccess(response)) return response
  const { kind, sessionId, finalAt, amount } = response
  if (amount !== undefined && requested !== undefined && readKobo(amount) !== requested)
    return {
      kind: 'unknown' as const,
      contradiction: `succeeded with ${toNairaText(readKobo(amount))} instead of ${toNairaText(requested)}`,
    }
  const moment = finalAt === undefined ? undefined : fromMoment(finalAt)
  return moment === undefined ? { kind, sessionId } : { kind, sessionId, finalAt: moment }
}

const isSuccess = (response: { readonly kind: string }): response is Static<typeof Succeeded> =>
  response.kind === 'succeeded'

export const httpTransfers = ({ send, find, enquire }: Adapter): PartnerRails['transfer'] => ({
  nameEnquiry: (account) => enquire('transfer/name-enquiry', account, enquiry),
  send: (request) =>
    send<TransferOutcome | NotSent>('transfer/send', request, (text) => checkAmount(outcome(text), request.amount)),
  find: (reference, amount) =>
    find<FoundTransfer>('transfer/find', { reference }, (text) => checkAmount(found(text), amount)),
})
