import type { NotSent, PartnerRails } from '../not-sent.ts'
import { can, type Manifest, returnOperations } from '../protocol/index.ts'
import type { FoundTransfer, TransferOutcome } from '../transfer.ts'
import type { Adapter } from './adapter.ts'
import { plainReader } from './reader.ts'
import { checkAmount } from './transfer.ts'

const outcome = plainReader(returnOperations['account/send-back'])
const found = plainReader(returnOperations['account/find-send-back'])

export const httpReturns = (
  { send, find }: Adapter,
  /** The adapter's manifest, once known. */
  manifest: () => Manifest | undefined,
): PartnerRails['returns'] => ({
  isOffered: () => {
    const known = manifest()
    return known !== undefined && can(known, 'returns')
  },
  send: (request) =>
    send<TransferOutcome | NotSent>('account/send-back', request, (text) => checkAmount(outcome(text), request.amount)),
  find: (reference, amount) =>
    find<FoundTransfer>('account/find-send-back', { reference }, (text) => checkAmount(found(text), amount)),
})
