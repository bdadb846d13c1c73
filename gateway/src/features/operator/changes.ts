import { isDeepStrictEqual } from 'node:util'
import type * as contract from '@kobo/contract'
import { CHANGE_DAYS_MAX, type ChangeKind, type Input, type Reply } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import type { By } from '../../core/edge/http/index.ts'
import { audit } from '../../core/security/audit.ts'
import { findPerson, type SignedIn } from '../../core/sessions/index.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { invariant } from '../../kernel/errors.ts'
import { HOUSE } from '../../kernel/house.ts'
import { firstIdAt, ID_MAX } from '../../kernel/ids.ts'
import {
  type Approved,
  type ChangeData,
  type ChangeDeps,
  type CommandKind,
  type DepsOf,
  KINDS,
} from './change-kinds.ts'
import { changeErrors } from './errors.ts'
import type { OperatorDeps } from './merchants.ts'
import { findMerchant, merchantFinder, pageOf, pageQueryOf } from './pagination.ts'
import { type ChangeRow, findChange, lockChange, selectChanges, writeDecision } from './repository.ts'
import { type Proposal, type Requester, requestChange } from './request-change.ts'

const CHANGE_SECONDS_MAX = CHANGE_DAYS_MAX * 86_400

/** Changes requested before this moment can no longer be approved. */
export const expiredBefore = ({ clock }: Pick<Core, 'clock'>): Date => secondsAfter(clock.now(), -CHANGE_SECONDS_MAX)

export async function browseChanges(
  { core }: OperatorDeps,
  person: SignedIn,
  query: Input<typeof contract.browseChanges>['query'],
): Promise<Reply<typeof contract.browseChanges>> {
  const { before, size, from, to } = pageQueryOf(query)
  const end = to === undefined ? ID_MAX : firstIdAt(new Date(to.getTime() + 1))
  const filter = {
    merchantId: query.merchant === undefined ? null : (await findMerchant(core, query.merchant)).id,
    status: query.status ?? null,
    expiredBefore: expiredBefore(core),
    from: from === undefined ? 0n : firstIdAt(from),
    before: before < end ? before : end,
  }
  const rows = await selectChanges(core.db, filter, size + 1)
  return pageOf(await showAll(core, person, rows), size)
}

async function showAll(core: Core, { personId }: Requester['person'], rows: readonly ChangeRow[]) {
  const merchantOf = await merchantFinder(core, rows)
  const emails = await emailsOf(core, rows)
  const at = core.clock.now()
  return rows.map((row) => {
    const expiresAt = secondsAfter(row.createdAt, CHANGE_SECONDS_MAX)
    return {
      id: String(row.id),
      createdOn: row.createdAt.toISOString(),
      kind: row.kind,
      ...merchantOf(row.merchantId),
      about: aboutOf(row),
      wanted: row.wanted as Record<string, unknown>,
      reason: row.reason,
      status: row.status === 'WAITING' && at >= expiresAt ? ('EXPIRED' as const) : row.status,
      askedBy: emails.get(row.askedBy) ?? '',
      decidedBy: row.decidedBy === null ? null : (emails.get(row.decidedBy) ?? ''),
      decidedOn: row.decidedAt?.toISOString() ?? null,
      decidedBecause: row.decidedBecause,
      expiresOn: expiresAt.toISOString(),
      isOwn: row.askedBy === personId,
    }
  })
}

/** Returns the email addresses of the operators who requested or decided the changes. */
async function emailsOf({ db }: Core, rows: readonly ChangeRow[]): Promise<ReadonlyMap<bigint, string>> {
  const emails = new Map<bigint, string>()
  for (const id of new Set(rows.flatMap(({ askedBy, decidedBy }) => [askedBy, decidedBy ?? askedBy])))
    emails.set(id, (await findPerson(db, id))?.email ?? '')
  return emails
}

const aboutOf = <Kind extends ChangeKind>({
  kind,
  wanted,
}: Pick<ChangeRow, 'wanted'> & { readonly kind: Kind }): string => KINDS[kind].about(wanted as ChangeData[Kind])

/** Approves another operator's request, and applies it in the same transaction. */
export const approve = (deps: OperatorDeps, id: bigint, { person, by }: Omit<Requester, 'reason'>) =>
  approveChange<ChangeKind>(deps, id, { person, by })

async function approveChange<Kind extends ChangeKind>(
  deps: DepsOf<Kind> & Pick<ChangeDeps, 'core'>,
  id: bigint,
  { person, by }: Omit<Requester, 'reason'>,
) {
  let later: (() => Promise<unknown>)[] = []
  const decided = await decide(deps, id, person, async (unit, change) => {
    const details = await approvalOf(unit, change, person)
    later = []
    const found = change as ChangeRow & { readonly kind: Kind } // `Kind` is the kind of the change with this id
    await applyChange(unit, deps, found, { by, details, afterwards: (work) => void later.push(work) })
    return { status: 'APPLIED', decidedBecause: null }
  })
  for (const work of later) await work()
  return decided
}

const WAITING_MAX = 1_000

/**
 * Approves the change if another operator has already requested the same one; otherwise requests it. Two operators
 * agree if both run the same command, or if one of them approves in the dashboard.
 */
export async function requestOrApprove<Kind extends CommandKind>(
  deps: ChangeDeps,
  { merchantId, kind, wanted }: Proposal<Kind>,
  requester: Requester,
): Promise<Reply<typeof contract.approveChange>> {
  const { core } = deps
  const filter = {
    merchantId,
    status: 'WAITING' as const,
    expiredBefore: expiredBefore(core),
    from: 0n,
    before: ID_MAX,
  }
  const stored = JSON.parse(JSON.stringify(wanted)) // as the database returns it
  const same = (await selectChanges(core.db, filter, WAITING_MAX)).find(
    (change) => change.kind === kind && isDeepStrictEqual(change.wanted, stored),
  )
  const depsOfKind = deps as DepsOf<Kind> & ChangeDeps // all kinds in CommandKind have the same dependencies
  if (same !== undefined) return approveChange<Kind>(depsOfKind, same.id, requester)
  const { id } = await requestChange(deps, { merchantId, kind, wanted }, requester)
  return showOne(core, requester.person, { merchantId, id: BigInt(id) })
}

/** Returns the audit details of an approval. An operator cannot approve their own request. */
async function approvalOf({ tx }: UnitOfWork, change: ChangeRow, person: Requester['person']): Promise<object> {
  if (change.askedBy === person.personId) throw changeErrors.ownChange()
  const requester = await findPerson(tx, change.askedBy)
  return { change: String(change.id), askedBy: requester?.email, reason: change.reason }
}

/** Returns a filter that finds only this change, in any state. */
const onlyThis = ({ id, merchantId }: Pick<ChangeRow, 'id' | 'merchantId'>) => ({
  merchantId,
  status: null,
  expiredBefore: new Date(0),
  from: id,
  before: id + 1n,
})

const applyChange = <Kind extends ChangeKind>(
  unit: UnitOfWork,
  deps: DepsOf<Kind>,
  change: ChangeRow & { readonly kind: Kind },
  approved: Omit<Approved<Kind>, 'change' | 'wanted'>,
): Promise<unknown> =>
  KINDS[change.kind].apply(unit, { ...approved, change, wanted: change.wanted as ChangeData[Kind] }, deps)

/** Rejects another operator's request, or withdraws the caller's own. */
export const reject = (deps: OperatorDeps, id: bigint, person: SignedIn, reason: string, by: By) =>
  decide(deps, id, person, async (unit, change) => {
    const details = { about: aboutOf(change), reason }
    audit(unit, { ...by, merchantId: change.merchantId, act: 'change.reject', reference: String(id), details })
    return { status: 'REJECTED', decidedBecause: reason }
  })

type Verdict = Pick<ChangeRow, 'decidedBecause'> & { readonly status: 'APPLIED' | 'REJECTED' }

/** Decides on a pending change; returns its new state. */
async function decide(
  { core }: Pick<ChangeDeps, 'core'>,
  id: bigint,
  person: Requester['person'],
  verdictOn: (unit: UnitOfWork, change: ChangeRow) => Promise<Verdict>,
): Promise<Reply<typeof contract.approveChange>> {
  const found = await findChange(core.db, id)
  if (found === undefined) throw changeErrors.unknownChange()
  const concerned = found.kind === 'PRICE' && found.merchantId === HOUSE ? 'all' : found.merchantId
  await core.directory.change(concerned, async (unit) => {
    const change = await lockChange(unit.tx, found)
    invariant(change !== undefined, 'changes are never deleted')
    const isExpired = unit.at >= secondsAfter(change.createdAt, CHANGE_SECONDS_MAX)
    if (change.status !== 'WAITING' || isExpired) throw changeErrors.notWaiting()
    const verdict = await verdictOn(unit, change)
    writeDecision(unit.tx, change, { ...verdict, decidedBy: person.personId, decidedAt: unit.at })
  })
  return showOne(core, person, found)
}

async function showOne(core: Core, person: Requester['person'], change: Pick<ChangeRow, 'id' | 'merchantId'>) {
  const [shown] = await showAll(core, person, await selectChanges(core.db, onlyThis(change), 1))
  invariant(shown !== undefined, 'changes are never deleted')
  return shown
}
