import { canonicalJson } from '../../kernel/canonical-json.ts'
import { sha256 } from '../../platform/crypto.ts'
import type { RequestRow } from './approval-repository.ts'
import type { Maker } from './policy.ts'
import type { TransferRow } from './repository.ts'

type Facts = Pick<
  TransferRow,
  'reference' | 'amount' | 'sourceAccountNumber' | 'destinationBankCode' | 'destinationAccountNumber' | 'narration'
>

/** The hash of the facts that an approval covers: amount, source, destination and narration of each transfer. */
export const hashOfFacts = (transfers: readonly Facts[]): string =>
  sha256(
    canonicalJson(
      transfers.map((one) => [
        one.reference,
        String(one.amount),
        one.sourceAccountNumber,
        one.destinationBankCode,
        one.destinationAccountNumber,
        one.narration,
      ]),
    ),
  ).toString('base64url')

/** A request to approve a payout. */
export const requestFor = (
  { merchantId, id, createdAt }: Pick<TransferRow, 'merchantId' | 'id' | 'createdAt'>,
  kind: RequestRow['kind'],
  transfers: readonly Facts[],
  maker: Maker,
  approvalsNeeded: number,
): RequestRow => ({
  merchantId,
  ownerId: id,
  kind,
  madeBy: maker?.personId ?? null,
  approvalsNeeded,
  hash: hashOfFacts(transfers),
  createdAt,
})
