import { postNew } from '../../core/money/ledger/index.ts'
import type { Concluded, Conclusion, OrderResponse } from '../../core/orders/index.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { invariant } from '../../kernel/errors.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { FoundTransfer } from '../../rails/transfer.ts'
import { returned } from './journals.ts'
import { type ReturnRow, returns, updateReturns } from './repository.ts'

/** Decides what a partner's response means: the return's new state, and the conclusion of its order. */
export function afterResponse(
  row: ReturnRow,
  response: FoundTransfer,
  { by, at }: { readonly by: string; readonly at: Date },
): { readonly row: ReturnRow; readonly conclusion: Conclusion } {
  switch (response.kind) {
    case 'succeeded':
      // The money may still come back: we owe it until the rail confirms the success at `finalAt`.
      return response.finalAt !== undefined && response.finalAt > at
        ? { row, conclusion: { kind: 'ask', at: response.finalAt } }
        : { row: returnedRow(row, response.sessionId, by, at), conclusion: { kind: 'concluded' } }
    case 'failed':
      return { row: { ...row, state: 'WAITING', failure: response.reason }, conclusion: { kind: 'concluded' } }
    case 'reversed':
      return { row: { ...row, state: 'WAITING', failure: CAME_BACK }, conclusion: { kind: 'concluded' } }
    case 'unknown':
      return { row, conclusion: { kind: 'unknown' } }
    case 'not found':
      return { row, conclusion: { kind: 'send again', at } }
  }
}

const returnedRow = (row: ReturnRow, sessionId: string, returnedBy: string, returnedAt: Date): ReturnRow => ({
  ...row,
  state: 'RETURNED',
  returnedBy,
  returnedAt,
  sessionId: sessionId === '' ? null : sessionId,
})

const CAME_BACK = 'The payer’s bank returned the money'

/** Concludes a batch of returns: state and journals. A response to an outdated order changes nothing. */
export async function concludeReturns(
  log: Log,
  unit: UnitOfWork,
  responses: readonly OrderResponse<ReturnRow, FoundTransfer>[],
): Promise<readonly Concluded<ReturnRow>[]> {
  const { tx, at } = unit
  const locked = await returns.lock(
    tx,
    responses.map(({ subject: { merchantId, id } }) => ({ merchantId, id })),
  )
  const present = new Map(locked.map((row) => [row.id, row]))
  const changed: ReturnRow[] = []
  const concluded = responses.map(({ order, subject, response }): Concluded<ReturnRow> => {
    const row = present.get(subject.id)
    invariant(row !== undefined, 'a return is never deleted')
    if (row.state !== 'RETURNING' || row.orderId !== order.id)
      return { subject: row, conclusion: { kind: 'concluded' } }
    const after = afterResponse(row, response, { by: order.partner ?? row.partner, at })
    if (after.row !== row) changed.push(after.row)
    present.set(row.id, after.row)
    return { subject: after.row, conclusion: after.conclusion }
  })
  updateReturns(tx, changed)
  postNew(
    unit,
    changed.flatMap((row) => (row.returnedBy === null ? [] : returned(row, row.returnedBy))),
  )
  for (const { id, partner, failure, state } of changed)
    if (state === 'WAITING')
      log.error({ return: String(id), partner, failure }, 'credit return failed; manual review required')
  return concluded
}
