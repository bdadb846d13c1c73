import type { OrderVerdict } from '@kobo/contract'
import type { Log } from '../../platform/observability/log.ts'
import { type Db, optimistic, type Tx } from '../../platform/postgres/db.ts'
import type { Rails } from '../../rails/index.ts'
import type { Core } from '../core.ts'
import { audit } from '../security/audit.ts'
import { type UnitOfWork, unitOfWork } from '../unit-of-work.ts'
import type { ReportedDetails } from './decisions.ts'
import { type OrderPurpose, type OrderRow, orders, referenceOfAttempt } from './order.ts'
import { updateLeased } from './repository.ts'
import { ATTEMPTS_MAX, nextQueryAt, queriesUpTo } from './schedule.ts'
import { notifyOfUnresolved } from './unresolved-mail.ts'

/**
 * A partner's response about an order. `unanswered`: there was no response. `contradiction`: the response cannot be
 * true.
 */
export interface PartnerResponse {
  readonly kind: string
  readonly unanswered?: boolean
  readonly contradiction?: string
}

/** The next step of an order after a response. */
export type Conclusion =
  /** The outcome is known and final. */
  | { readonly kind: 'concluded' }
  /** The outcome is known but may be reversed: query once more at this time. */
  | { readonly kind: 'watch'; readonly until: Date }
  /** The order waits for a person, such as a card holder: query at this time and not earlier. */
  | { readonly kind: 'ask'; readonly at: Date }
  /** The outcome is unknown: query on the schedule. */
  | { readonly kind: 'unknown' }
  /** The order failed or never arrived: resend it at this time, under a new reference. */
  | { readonly kind: 'send again'; readonly at: Date }

export interface OrderResponse<Subject, Response extends PartnerResponse> {
  readonly order: OrderRow
  readonly subject: Subject
  readonly response: Response
  /** Set if people decided the outcome. The partner may have reported another outcome for the same reference before. */
  readonly isDecided?: boolean
}

/** The subject after a response, and what to do with the order. */
export interface Concluded<Subject> {
  readonly subject: Subject
  readonly conclusion: Conclusion
}

/** How a feature handles its orders: their subjects, the requests to the partner, and the consequences of responses. */
export interface OrderDefinition<Subject, Response extends PartnerResponse> {
  readonly purpose: OrderPurpose
  /** Reads the subjects of orders, in the sequence of the orders. */
  readonly subjects: (db: Db, orders: readonly OrderRow[]) => Promise<readonly Subject[]>
  /** Sends an order through the given rails. Absent if only the caller can send it. */
  readonly send?: (order: OrderRow, subject: Subject, rails: Rails) => Promise<Response>
  readonly query: (order: OrderRow, subject: Subject, rails: Rails) => Promise<Response>
  /** Which partner response each verdict stands for. */
  readonly found: Readonly<Record<OrderVerdict, (details: ReportedDetails) => Response>>
  /**
   * Stores the consequences of a batch of responses in one transaction. A response about a finished subject changes
   * nothing.
   */
  readonly conclude: (
    unit: UnitOfWork,
    responses: readonly OrderResponse<Subject, Response>[],
    /** Responses that need no lock, because their subjects have not changed since they were read. */
    unchanged: ReadonlySet<OrderResponse<Subject, Response>>,
  ) => Promise<readonly Concluded<Subject>[]>
  /** How many batches of outcomes may run at once; one by default. */
  readonly outcomeBatchesMax?: number
  /**
   * Responses that count even if the lease is lost: they report money that was taken and must not be forgotten. They
   * change the subject, never the order.
   */
  readonly countsLate?: (response: OrderResponse<Subject, Response>) => boolean
  /** Whether a response's subject may be used without a lock, because the update checks that it is unchanged. */
  readonly isUnchanged?: (response: OrderResponse<Subject, Response>) => boolean
}

/**
 * Stores the consequences of responses in one transaction. A response counts only while we hold its order's lease:
 * otherwise the order has moved on, and its next holder queries the partner.
 */
export async function concludeResponses<Subject, Response extends PartnerResponse>(
  { core, log }: { readonly core: Core; readonly log: Log },
  {
    purpose,
    conclude,
    subjects,
    isUnchanged = () => false,
    countsLate = () => false,
  }: OrderDefinition<Subject, Response>,
  responses: readonly OrderResponse<Subject, Response>[],
  /** Further writes, which are stored only if the response is stored. */
  end?: (unit: UnitOfWork) => void,
): Promise<readonly Subject[]> {
  const stored = await optimistic(responses, (asRead) =>
    unitOfWork(core, async (unit) => {
      const held = asRead.size > 0 ? responses : await underLease(unit.tx, responses)
      const late =
        held === responses
          ? []
          : responses.filter(
              (response) => !held.includes(response) && response.isDecided !== true && countsLate(response),
            )
      const counting = [...held, ...late]
      if (counting.length === 0) return new Map<OrderResponse<Subject, Response>, Subject>()
      const concluded = await conclude(unit, counting, new Set([...asRead].filter(isUnchanged)))
      const after = held.map(({ order, response }, index) =>
        afterResponse(
          order,
          (concluded[index] as Concluded<Subject>).conclusion,
          unit.at,
          response.contradiction !== undefined,
        ),
      )
      updateLeased(unit.tx, after, unit.at)
      await notifyOfUnresolved(unit, after)
      if (held.length > 0) end?.(unit)
      if (after.some(({ state }) => state === 'WAITING')) unit.wake('orders')
      for (const [index, { state, reference, partner }] of after.entries())
        if (state === 'UNRESOLVED')
          log.error(
            { purpose, partner, reference, reason: held[index]?.response.contradiction ?? 'no outcome in time' },
            'order outcome unresolved; manual investigation required',
          )
      auditContradictions(unit, held)
      return new Map(counting.map((response, index) => [response, (concluded[index] as Concluded<Subject>).subject]))
    }),
  )
  const lost = responses.filter((response) => !stored.has(response)).map(({ order }) => order)
  const present = lost.length === 0 ? [] : await subjects(core.db, lost)
  for (const { reference } of lost)
    log.warn({ purpose, reference }, 'late partner response ignored; another process has taken the order')
  return responses.map((response) => stored.get(response) ?? (present[lost.indexOf(response.order)] as Subject))
}

/** Audits contradictions: they are evidence for the people who decide. */
function auditContradictions(unit: UnitOfWork, responses: readonly OrderResponse<unknown, PartnerResponse>[]): void {
  const contradicted = responses.flatMap(
    ({ order: { merchantId, reference, partner }, response: { contradiction } }) =>
      contradiction === undefined
        ? []
        : {
            merchantId,
            act: 'order.contradiction',
            actor: 'worker' as const,
            reference,
            details: { partner, contradiction },
          },
  )
  if (contradicted.length > 0) audit(unit, ...contradicted)
}

/** Returns the responses whose orders we still hold. The update of the orders checks it again. */
async function underLease<One extends { readonly order: OrderRow }>(
  tx: Tx,
  responses: readonly One[],
): Promise<readonly One[]> {
  const rows = await orders.select(
    tx,
    responses.map(({ order }) => order),
  )
  const taken = new Map(rows.map((row) => [row.id, row.taken]))
  return responses.filter(({ order }) => taken.get(order.id) === order.taken)
}

/** Returns the order with the changes that follow from its feature's conclusion. */
export function afterResponse(order: OrderRow, conclusion: Conclusion, at: Date, isContradicted = false): OrderRow {
  switch (conclusion.kind) {
    case 'concluded':
      return { ...order, state: 'CONCLUDED', dueAt: null, concludedAt: order.concludedAt ?? at }
    case 'watch':
      return {
        ...order,
        state: 'WATCHED',
        dueAt: conclusion.until,
        unknownAnswers: 0,
        concludedAt: order.concludedAt ?? at,
      }
    case 'ask':
      return { ...order, dueAt: conclusion.at, unknownAnswers: 0 }
    case 'unknown': {
      const unknownAnswers = order.unknownAnswers + queriesUpTo(order.unknownAnswers, order.dueAt, at)
      const dueAt = isContradicted ? null : (nextQueryAt(unknownAnswers, order.dueAt, at) ?? null)
      return { ...order, unknownAnswers, dueAt, state: dueAt === null ? 'UNRESOLVED' : order.state }
    }
    case 'send again':
      if (order.tries % ATTEMPTS_MAX === 0) return { ...order, state: 'UNRESOLVED', dueAt: null, concludedAt: null }
      return {
        ...order,
        state: 'WAITING',
        dueAt: conclusion.at,
        reference: referenceOfAttempt(order.reference, order.tries + 1),
        unknownAnswers: 0,
        concludedAt: null,
      }
  }
}
