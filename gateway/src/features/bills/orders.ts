import { accounts, type Journal } from '../../core/money/ledger/index.ts'
import { openWallets, type WalletAct } from '../../core/money/wallet-balances/index.ts'
import {
  type Concluded,
  NOT_CARRIED_OUT,
  type OrderMaker,
  type OrderResponse,
  type OrderRow,
  type Orders,
  type OrdersOf,
  subjectsById,
  withdraw,
} from '../../core/orders/index.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { invariant } from '../../kernel/errors.ts'
import { next } from '../../kernel/machine.ts'
import type { VendOutcome } from '../../rails/biller.ts'
import type { Rails } from '../../rails/index.ts'
import { endRequests } from '../approvals/index.ts'
import { paidJournal, payableAmount, returnedJournal } from './journals.ts'
import { type BillTrigger, billMachine } from './machine.ts'
import { lockVends, selectVendsByKey, updateVends, type VendDetails, type VendRow } from './repository.ts'

/** A biller's result for a vend. */
export type VendResponse = VendOutcome | { readonly kind: 'not found' }

/** Returns the order that sends a vend, at once or after an approval. Vend and order have the same id. */
export const vendOrder = (orders: OrderMaker, vend: VendRow): OrderRow =>
  orders.newOrder(
    {
      merchantId: vend.merchantId,
      id: vend.id,
      purpose: 'vend',
      subjectId: vend.id,
      reference: vend.transactionReference,
      slot: `vend/${vend.billerCode}`,
      amount: vend.vendAmount,
      holds: { account: accounts.inFlight(vend.accountNumber), amount: payableAmount(vend) },
      sentBy: vend.authorizeBy === null ? 'caller' : 'held',
    },
    vend.createdAt,
  )

interface Deps {
  readonly orders: Orders
}

/** Asks a biller to deliver. */
export const sendVend = (
  { reference }: OrderRow,
  { productCode, customerId, vendAmount: amount }: VendRow,
  details: VendDetails,
  { biller }: Pick<Rails, 'biller'>,
): Promise<VendResponse> => biller.vend({ reference, productCode, customerId, amount, ...details })

/**
 * The order handlers of vends. The API request sends the vend. If the vend had to wait for approval, a worker sends it
 * with its stored details.
 */
export const vendOrders = ({ orders }: Deps): OrdersOf<VendRow, VendResponse> =>
  orders.define<VendRow, VendResponse>({
    purpose: 'vend',
    subjects: async (db, placed) => subjectsById(placed, await selectVendsByKey(db, placed), ({ id }) => id),
    send: async (order, vend, rails) => {
      invariant(vend.heldDetails !== null, 'a vend that had to wait has its details')
      return sendVend(order, vend, vend.heldDetails, rails)
    },
    query: ({ reference }, _, { biller }) => biller.findVend(reference),
    found: {
      succeeded: (metadata) => ({ kind: 'vended', description: 'Paid', metadata }),
      failed: () => ({ kind: 'failed', reason: NOT_CARRIED_OUT }),
      'not-found': () => ({ kind: 'not found' }),
    },
    conclude: concludeVends,
  })

/** Concludes vends with the billers' responses. A completed vend is not changed. */
async function concludeVends(
  unit: UnitOfWork,
  responses: readonly OrderResponse<VendRow, VendResponse>[],
): Promise<readonly Concluded<VendRow>[]> {
  const locked = await lockVends(
    unit.tx,
    responses.map(({ subject }) => subject),
  )
  const vends = new Map(locked.map((row) => [row.id, row]))
  const ended: EndedVend[] = []
  const concluded = responses.map(({ order, subject, response }): Concluded<VendRow> => {
    const vend = vends.get(subject.id)
    invariant(vend !== undefined, 'a vend in progress is stored')
    if (response.kind === 'pending' || response.kind === 'unknown')
      return { subject: vend, conclusion: { kind: 'unknown' } }
    const after = afterResponse(vend, response, unit.at)
    if (after !== undefined) {
      vends.set(after.id, after)
      ended.push({ vend: after, partner: order.partner })
    }
    return { subject: after ?? vend, conclusion: { kind: 'concluded' } }
  })
  await writeEnded(unit, ended)
  return concluded
}

/** Fails vends that were not authorized and returns their money. The vends are locked. */
export async function failHeld(unit: UnitOfWork, held: readonly VendRow[], reason: string): Promise<void> {
  withdraw(unit, held)
  endRequests(unit.tx, held, unit.at)
  await writeEnded(
    unit,
    held.flatMap((vend) => {
      const after = afterResponse(vend, { kind: 'failed', reason }, unit.at)
      return after === undefined ? [] : { vend: after, partner: null }
    }),
  )
}

async function writeEnded(unit: UnitOfWork, ended: readonly EndedVend[]): Promise<void> {
  const vends = ended.map(({ vend }) => vend)
  const wallets = await openWallets(unit.tx, vends)
  for (const one of ended) invariant(wallets.take(endAct(one)), 'a wallet can always be credited')
  updateVends(unit.tx, vends)
  wallets.write(unit)
}

/** A completed vend and the partner that its order was sent to, if any. */
interface EndedVend {
  readonly vend: VendRow
  readonly partner: string | null
}

const endAct = ({ vend, partner }: EndedVend): WalletAct =>
  vend.status === 'SUCCESS'
    ? walletAct(vend, paidJournal(vend, partner), 'Bill paid')
    : walletAct(vend, returnedJournal(vend), 'Bill payment refunded')

/** Returns the effect of a vend on a wallet, as the wallet's statement shows it. */
export const walletAct = (vend: VendRow, journal: Journal, message: string): WalletAct => ({
  journal,
  reference: vend.reference,
  transactionReference: vend.transactionReference,
  narration: null,
  message: `${message}: ${vend.productName}, ${vend.customerId}`,
})

/** Returns a vend as changed by the biller's response, or undefined if it was already completed. */
function afterResponse(
  vend: VendRow,
  response: Exclude<VendResponse, { kind: 'pending' | 'unknown' }>,
  completedAt: Date,
): VendRow | undefined {
  const after = (trigger: BillTrigger, description: string, metadata: VendRow['metadata'] = {}) => {
    const status = next(billMachine, vend.status, trigger)
    const ended = { status, description, metadata, completedAt, authorizeBy: null, heldDetails: null }
    return status === undefined ? undefined : { ...vend, ...ended, status }
  }
  switch (response.kind) {
    case 'vended':
      return after('succeed', response.description, response.metadata)
    case 'failed':
      return after('fail', response.reason)
    case 'not found':
      return after('fail', 'The biller did not receive the payment')
  }
}
