import { absentRails } from '../absent.ts'
import { can, type Manifest, returnOperations } from '../protocol/index.ts'
import type { ReturnRail } from '../returns.ts'
import type { FoundTransfer, TransferOutcome } from '../transfer.ts'
import type { Adapter } from './adapter.ts'
import { plainReader } from './reader.ts'
import { agreed } from './transfer.ts'

const outcome = plainReader(returnOperations['account/send-back'])
const found = plainReader(returnOperations['account/find-send-back'])

export const httpReturns = (
  { order }: Adapter,
  /** What the adapter says of itself, once it has. */
  manifest: () => Manifest | undefined,
): ReturnRail => ({
  isOffered: () => {
    const known = manifest()
    return known !== undefined && can(known, 'returns')
  },
  send: (request) =>
    order<TransferOutcome>(
      'account/send-back',
      request,
      (text) => agreed(outcome(text), request.amount),
      () => absentRails.returns.send(request),
    ),
  find: (reference, amount) =>
    order<FoundTransfer>(
      'account/find-send-back',
      { reference },
      (text) => agreed(found(text), amount),
      () => absentRails.returns.find(reference),
    ),
})
