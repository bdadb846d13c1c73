import type * as contract from '@kobo/contract'
import type { Input, Reply } from '@kobo/contract'
import { bankName } from '../../core/bank-list/index.ts'
import { type By, titleOfAct } from '../../core/edge/http/index.ts'
import {
  eventList,
  type StoredEvent,
  selectPausedEndpoints,
  selectUndelivered,
} from '../../core/messages/outbox/index.ts'
import { type ConflictRow, countConflicts, earlierCredits, selectConflicts } from '../../core/money/credits/index.ts'
import { readLastClean } from '../../core/money/ledger/index.ts'
import { SKEW_SECONDS_MAX, selectNodes } from '../../core/nodes.ts'
import { countOrders } from '../../core/orders/index.ts'
import {
  findTable,
  isRouted,
  type PartnerReport,
  partnersFor,
  ROUTED_OPERATIONS,
  selectReports,
  selectTables,
} from '../../core/routing/index.ts'
import { selectChainPage } from '../../core/security/audit-chain.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { Refusal } from '../../kernel/errors.ts'
import { formatNaira, naira, toNaira } from '../../kernel/money.ts'
import { collectedToday } from '../dashboard/index.ts'
import { countDisputesDue } from '../disputes/index.ts'
import { resendEvent } from '../event-log/index.ts'
import { countExceptions } from '../reconciliation/index.ts'
import { selectWaiting } from '../returns/index.ts'
import { expiredBefore } from './changes.ts'
import { workErrors } from './errors.ts'
import type { OperatorDeps } from './merchants.ts'
import { findMerchant, merchantFinder, pageOf, pageOfAll, pageQueryOf } from './pagination.ts'
import { countWaitingChanges } from './repository.ts'

const ENDPOINTS_SHOWN_MAX = 1_000
const TABLES_SHOWN_MAX = 20
/** A dispute that is due within this time needs attention. */
const DUE_SOON_SECONDS = 3 * 86_400

const iso = (at: Date): string => at.toISOString()
const isoOrNull = (at: Date | null): string | null => at?.toISOString() ?? null

export async function showHealth({ core, rules }: OperatorDeps): Promise<Reply<typeof contract.getHealth>> {
  const { db, nodeLease } = core
  const [orders, nodes, clean, changes, returns, conflicts, paused, exceptions, disputesDue, collected] =
    await Promise.all([
      countOrders(db),
      selectNodes(db),
      readLastClean(db),
      countWaitingChanges(db, expiredBefore(core)),
      selectWaiting(db),
      countConflicts(db),
      selectPausedEndpoints(db, ENDPOINTS_SHOWN_MAX),
      countExceptions(db),
      countDisputesDue(db, secondsAfter(core.clock.now(), DUE_SOON_SECONDS)),
      collectedToday(db, core.clock.now()),
    ])
  return {
    environment: rules.environment,
    at: iso(core.clock.now()),
    waiting: {
      changes,
      unresolvedOrders: orders.get('UNRESOLVED') ?? 0,
      returns: returns.length,
      conflicts: conflicts.get('OPEN') ?? 0,
      exceptions: exceptions.reduce((sum, { count }) => sum + Number(count), 0),
      disputesDue,
      pausedReceivers: paused.length,
    },
    orders: [...orders].filter(([state]) => state !== 'UNRESOLVED').map(([state, count]) => ({ state, count })),
    nodes: nodes.map(({ number, leasedUntil, skewMilliseconds }) => ({
      number,
      skewMilliseconds,
      leasedUntil: iso(leasedUntil),
      isThisOne: number === nodeLease.node.number,
    })),
    skewMillisecondsMax: SKEW_SECONDS_MAX * 1_000,
    collectedToday: {
      amount: toNaira(collected.amount),
      payments: collected.payments,
      through: iso(collected.through),
    },
    lastProof: { sinceCheckpointsOn: isoOrNull(clean.sinceCheckpointsAt), wholeOn: isoOrNull(clean.wholeAt) },
  }
}

export async function showRouting({ core: { db } }: OperatorDeps): Promise<Reply<typeof contract.getRouting>> {
  const [reports, tables] = await Promise.all([selectReports(db), selectTables(db, TABLES_SHOWN_MAX)])
  const [present, ...history] = tables.map(({ version, madeAt, madeBy, routes }) => ({
    version,
    madeOn: iso(madeAt),
    madeBy,
    routes,
  }))
  return {
    partners: [...Map.groupBy(reports, ({ partner }) => partner)].map(([code, own]) => showPartner(code, own)),
    operations: [...ROUTED_OPERATIONS],
    table: present ?? null,
    history: history.map(({ version, madeOn, madeBy }) => ({ version, madeOn, madeBy })),
  }
}

function showPartner(code: string, reports: readonly PartnerReport[]) {
  const contacts = reports.flatMap(({ lastHeardAt }) => lastHeardAt ?? [])
  const breakers = Map.groupBy(
    reports.flatMap((report) => report.breakers),
    ({ operation }) => operation,
  )
  return {
    code,
    protocol: reports[0]?.protocol ?? null,
    capabilities: [...new Set(reports.flatMap(({ capabilities }) => capabilities))],
    nodes: reports.length,
    breakers: [...breakers].map(([operation, open]) => ({
      operation,
      state: open.some(({ state }) => state === 'open') ? ('open' as const) : ('trying' as const),
      nodes: open.length,
    })),
    lastHeardOn: contacts.length === 0 ? null : iso(new Date(Math.max(...contacts.map(Number)))),
  }
}

/** Explains which partner would be chosen, by the routing table in effect and the partners' health. */
export async function explainRoute(
  { core: { db } }: OperatorDeps,
  { operation, amount, bankCode, merchant, reference = '' }: Input<typeof contract.explainRoute>['query'],
): Promise<Reply<typeof contract.explainRoute>> {
  if (!isRouted(operation)) throw workErrors.notRouted()
  const [table, reports] = await Promise.all([findTable(db), selectReports(db)])
  const choice = partnersFor(table?.routes ?? {}, {
    operation,
    destinationBank: bankCode ?? null,
    amount: amount == null ? null : naira(amount),
    merchant: merchant ?? null,
    reference,
  })
  const isWell = (partner: string): boolean =>
    !reports.some((one) => one.partner === partner && one.breakers.some((breaker) => breaker.operation === operation))
  const all = [...new Set(reports.map(({ partner }) => partner))]
  return {
    rule: choice?.rule ?? null,
    use: (choice?.use ?? all).map((partner) => ({ partner, isWell: isWell(partner) })),
    drawn: choice?.drawn ?? null,
    passedOver: [...(choice?.passedOver ?? [])],
  }
}

export async function browseDeliveries(
  { core }: OperatorDeps,
  query: Input<typeof contract.browseDeliveries>['query'],
): Promise<Reply<typeof contract.browseDeliveries>> {
  const { before, size, from, to } = pageQueryOf(query)
  const { merchant: code, status } = query
  if (code === undefined) {
    const rows = await selectUndelivered(core.db, before, size + 1)
    const merchantOf = await merchantFinder(core, rows)
    return pageOf(
      rows.map((row) => showDelivery(row, merchantOf(row.merchantId))),
      size,
    )
  }
  const merchant = await findMerchant(core, code)
  const statuses = status === 'PENDING' ? [status, 'WAITING', 'PAUSED'] : status === undefined ? undefined : [status]
  const page = await eventList(core.db, merchant.id, { from, to, statuses }, { before, size })
  return {
    items: page.rows.map((row) => showDelivery(row, { merchantCode: code, merchantName: merchant.name })),
    next: page.next === undefined ? null : String(page.next),
    searchedBackTo: page.searchedBackTo?.toISOString() ?? null,
  }
}

type ShownEvent = Pick<StoredEvent, 'id' | 'createdAt' | 'eventType' | 'refs' | 'status' | 'attempts' | 'nextAttemptAt'>

const showDelivery = (row: ShownEvent, merchant: ReturnType<Awaited<ReturnType<typeof merchantFinder>>>) => ({
  id: String(row.id),
  createdOn: iso(row.createdAt),
  ...merchant,
  eventType: row.eventType,
  reference: row.refs[0] ?? '',
  status: row.status === 'WAITING' ? ('PENDING' as const) : row.status,
  attempts: row.attempts,
  nextAttemptOn: row.status === 'WAITING' || row.status === 'PENDING' ? isoOrNull(row.nextAttemptAt) : null,
})

export async function showPausedEndpoints({
  core: { db },
}: OperatorDeps): Promise<Reply<typeof contract.listPausedReceivers>> {
  const paused = await selectPausedEndpoints(db, ENDPOINTS_SHOWN_MAX)
  return { receivers: paused.map(({ pausedAt, ...receiver }) => ({ ...receiver, pausedOn: iso(pausedAt) })) }
}

export async function resendDelivery({ core }: OperatorDeps, code: string, id: string, by: By): Promise<void> {
  const { id: merchantId } = await findMerchant(core, code)
  await resendEvent(core, merchantId, id, by).catch((error: unknown) => {
    throw error instanceof Refusal && error.status === 404 ? workErrors.unknownEvent() : error
  })
}

export async function browseReturns(
  { core }: OperatorDeps,
  query: Input<typeof contract.browseReturns>['query'],
): Promise<Reply<typeof contract.browseReturns>> {
  const rows = await selectWaiting(core.db)
  const merchantOf = await merchantFinder(core, rows)
  const shown = rows.map((row) => ({
    id: String(row.id),
    createdOn: iso(row.receivedAt),
    ...merchantOf(row.merchantId),
    reference: row.reference,
    partner: row.partner,
    bankCode: row.bankCode,
    bankName: bankName(row.bankCode),
    railReference: row.railReference,
    accountNumber: row.accountNumber,
    amount: toNaira(row.amount),
    reason: row.reason,
    payerName: row.payerName,
    payerAccountNumber: row.payerAccountNumber,
    payerBankCode: row.payerBankCode,
    payerBankName: row.payerBankCode && bankName(row.payerBankCode),
    failure: row.failure,
  }))
  return pageOfAll(shown, pageQueryOf(query))
}

export async function browseConflicts(
  { core }: OperatorDeps,
  query: Input<typeof contract.browseConflicts>['query'],
): Promise<Reply<typeof contract.browseConflicts>> {
  const rows = await selectConflicts(core.db)
  const merchantOf = await merchantFinder(core, rows)
  const page = pageOfAll(
    rows.map((row) => ({ id: String(row.id), createdOn: iso(row.toldAt), row })),
    pageQueryOf(query),
  )
  const items = []
  for (const { id, createdOn, row } of page.items) {
    items.push({
      id,
      createdOn,
      ...merchantOf(row.merchantId),
      ...conflictFacts(row),
      before: await describeEarlierCredits(core, row),
    })
  }
  return { ...page, items }
}

const conflictFacts = (row: ConflictRow) => ({
  partner: row.partner,
  bankCode: row.bankCode,
  bankName: bankName(row.bankCode),
  railReference: row.railReference,
  accountNumber: row.accountNumber,
  amount: toNaira(row.amount),
  payerName: row.payerName,
  payerAccountNumber: row.payerAccountNumber,
  payerBankCode: row.payerBankCode,
  payerBankName: row.payerBankCode && bankName(row.payerBankCode),
  narration: row.narration,
  status: row.state === 'TAKING' ? ('TAKING' as const) : ('OPEN' as const),
})

/** Describes the earlier credits that have a conflict's reference. */
async function describeEarlierCredits({ db }: OperatorDeps['core'], conflict: ConflictRow): Promise<string[]> {
  const before = await earlierCredits(db, conflict)
  return before.map(({ accountNumber, amount, reason }) => {
    const outcome = reason === null ? 'kept' : `sent back: ${reason}`
    return `${formatNaira(amount)} on ${accountNumber}, ${outcome}`
  })
}

export async function browseAllAudit(
  { core }: OperatorDeps,
  query: Input<typeof contract.browseAllAudit>['query'],
): Promise<Reply<typeof contract.browseAllAudit>> {
  const { before, size, from, to } = pageQueryOf(query)
  const { act, actor, merchant } = query
  const filter = {
    merchantId: merchant === undefined ? null : (await findMerchant(core, merchant)).id,
    act: act ?? null,
    actor: actor ?? null,
    from: from ?? null,
    to: to ?? null,
  }
  const { rows, lookedTo, lookedBackTo } = await selectChainPage(core.db, filter, before, size + 1)
  const merchantOf = await merchantFinder(core, rows)
  const shown = rows.map((row) => ({
    id: String(row.number),
    createdOn: iso(row.at),
    ...merchantOf(row.merchantId),
    act: row.act,
    actTitle: titleOfAct(row.act),
    actor: row.actor,
    name: row.name,
    address: row.address,
    reference: row.reference,
    details: row.details as Record<string, unknown>,
  }))
  const page = pageOf(shown, size)
  if (page.next !== null || lookedTo === undefined) return page
  return { ...page, next: String(lookedTo), searchedBackTo: isoOrNull(lookedBackTo ?? null) }
}
