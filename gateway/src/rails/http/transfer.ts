import type { Static } from 'typebox'
import { fromMoment } from '../../kernel/dates.ts'
import { absentRails } from '../absent.ts'
import { type Succeeded, transferOperations as operations } from '../protocol/index.ts'
import type { TransferRail } from '../transfer.ts'
import type { Adapter } from './adapter.ts'
import { plainReader, reader } from './reader.ts'

const enquiry = plainReader(operations['transfer/name-enquiry'])
const outcome = reader(operations['transfer/send'], (told) => (told.kind === 'succeeded' ? readSuccess(told) : told))
const found = reader(operations['transfer/find'], (told) => (told.kind === 'succeeded' ? readSuccess(told) : told))

function readSuccess({ kind, sessionId, finalAt }: Static<typeof Succeeded>) {
  const moment = finalAt === undefined ? undefined : fromMoment(finalAt)
  return moment === undefined ? { kind, sessionId } : { kind, sessionId, finalAt: moment }
}

export const httpTransfers = ({ order, enquire }: Adapter): TransferRail => ({
  nameEnquiry: (account) => enquire('transfer/name-enquiry', account, enquiry),
  send: (request) => order('transfer/send', request, outcome, () => absentRails.transfer.send(request)),
  find: (reference) => order('transfer/find', { reference }, found, () => absentRails.transfer.find(reference)),
})
