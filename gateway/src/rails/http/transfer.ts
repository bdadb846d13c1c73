import Type, { type Static } from 'typebox'
import { fromMoment } from '../../kernel/dates.ts'
import type { TransferRail } from '../transfer.ts'
import { type Adapter, answer, plainReader, reader, Text } from './adapter.ts'

const enquiry = plainReader(
  Type.Union([answer('found', { accountName: Text }), answer('not found', {}), answer('unavailable', {})]),
)

const SessionId = Type.String({ minLength: 1, maxLength: 64 })
const Succeeded = answer('succeeded', {
  sessionId: SessionId,
  finalAt: Type.Optional(Type.String({ 'x-moment': true })),
})
const FAILED = answer('failed', { reason: Text })
const UNKNOWN = answer('unknown', {})

const outcome = reader(Type.Union([Succeeded, FAILED, UNKNOWN]), (told) =>
  told.kind === 'succeeded' ? readSuccess(told) : told,
)
const found = reader(
  Type.Union([Succeeded, FAILED, UNKNOWN, answer('reversed', { sessionId: SessionId }), answer('not found', {})]),
  (told) => (told.kind === 'succeeded' ? readSuccess(told) : told),
)

function readSuccess({ kind, sessionId, finalAt }: Static<typeof Succeeded>) {
  const moment = finalAt === undefined ? undefined : fromMoment(finalAt)
  return moment === undefined ? { kind, sessionId } : { kind, sessionId, finalAt: moment }
}

export const httpTransfers = ({ order, enquire }: Adapter): TransferRail => ({
  nameEnquiry: (account) => enquire('transfer/name-enquiry', account, enquiry),
  send: (request) => order('transfer/send', request, outcome),
  find: (reference) => order('transfer/find', { reference }, found),
})
