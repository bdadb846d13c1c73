import type * as contract from '@kobo/contract'
import {
  CHANGE_DAYS_MAX,
  type ChangeKind,
  CONSENT_PERMISSIONS,
  type Input,
  type Reply,
  SETTING_NAMES,
} from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import type { By } from '../../core/edge/http/index.ts'
import { checkPrice, type Merchant } from '../../core/merchants/index.ts'
import { selectConflicts } from '../../core/money/credits/index.ts'
import { audit } from '../../core/security/audit.ts'
import { findPerson, type SignedIn } from '../../core/sessions/index.ts'
import { type UnitOfWork, unitOfWork } from '../../core/unit-of-work.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { fromMoment } from '../../kernel/dates.ts'
import { invariant } from '../../kernel/errors.ts'
import { firstIdAt, ID_MAX } from '../../kernel/ids.ts'
import { selectWaiting } from '../returns/index.ts'
import { checkSettings } from '../settings/index.ts'
import { type Approved, amountInWords, type ChangeData, KINDS, rejectPrice, stepOf } from './change-kinds.ts'
import { changeErrors } from './errors.ts'
import type { OperatorDeps } from './merchants.ts'
import { checkNoOwner } from './owners.ts'
import { codesOf, findMerchant, pageOf, pageQueryOf } from './pagination.ts'
import { type ChangeRow, findChange, lockChange, selectChanges, writeDecision } from './repository.ts'
import { type Requester, requestChange } from './request-change.ts'

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
  const codes = await codesOf(core, rows)
  const emails = await emailsOf(core, rows)
  const at = core.clock.now()
  return rows.map((row) => {
    const expiresAt = secondsAfter(row.createdAt, CHANGE_SECONDS_MAX)
    return {
      id: String(row.id),
      createdOn: row.createdAt.toISOString(),
      kind: row.kind,
      ...codes(row.merchantId),
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

/** The email addresses of those who requested and decided. */
async function emailsOf({ db }: Core, rows: readonly ChangeRow[]): Promise<ReadonlyMap<bigint, string>> {
  const emails = new Map<bigint, string>()
  for (const id of new Set(rows.flatMap(({ askedBy, decidedBy }) => [askedBy, decidedBy ?? askedBy])))
    emails.set(id, (await findPerson(db, id))?.email ?? '')
  return emails
}

/** A change in words. */
const aboutOf = <Kind extends ChangeKind>({
  kind,
  wanted,
}: Pick<ChangeRow, 'wanted'> & { readonly kind: Kind }): string => KINDS[kind].about(wanted as ChangeData[Kind])

type RequestedSettings = Input<typeof contract.requestSettings>['body']

export async function requestSettings(
  { core, rules }: OperatorDeps,
  merchant: Merchant,
  { change, contractCode, consentBasis }: RequestedSettings,
  requester: Requester,
): Promise<{ readonly id: string }> {
  if (!SETTING_NAMES.some((name) => (change as Readonly<Record<string, unknown>>)[name] !== undefined))
    throw changeErrors.nothingToChange()
  checkSettings(change, rules)
  checkContract(merchant, contractCode)
  const needsConsent = CONSENT_PERMISSIONS.some((one) => change.permissions?.[one] === true)
  if (needsConsent && rules.environment === 'live' && consentBasis == null) throw changeErrors.consentWanting()
  const requested = { change, contractCode: contractCode ?? null, consentBasis: consentBasis ?? null }
  return unitOfWork(core, async (unit) => requestChange(unit, merchant.id, 'SETTINGS', requested, requester))
}

type RequestedPrice = Input<typeof contract.requestPrice>['body']

export async function requestPrice(
  { core }: OperatorDeps,
  merchant: Merchant,
  { service, contractCode, steps, from }: RequestedPrice,
  requester: Requester,
): Promise<{ readonly id: string }> {
  checkContract(merchant, contractCode)
  const requested = { service, contractCode: contractCode ?? null, steps, from: from ?? null }
  return unitOfWork(core, async (unit) => {
    const price = {
      merchantId: merchant.id,
      contractCode: requested.contractCode,
      service,
      steps: steps?.map(stepOf) ?? null,
      validFrom: from == null ? unit.at : (fromMoment(from) ?? unit.at),
    }
    await checkPrice(unit, price).catch(rejectPrice)
    return requestChange(unit, merchant.id, 'PRICE', requested, requester)
  })
}

function checkContract({ contracts }: Merchant, code: string | null | undefined): void {
  if (code != null && !contracts.has(code)) throw changeErrors.unknownContract(code)
}

/** Requests to invite an owner if there is none: the first link was never used, or all owners have left. */
export const requestOwner = (
  { core }: OperatorDeps,
  { id }: Merchant,
  email: string,
  requester: Requester,
): Promise<{ readonly id: string }> =>
  unitOfWork(core, async (unit) => {
    await checkNoOwner(unit, id)
    return requestChange(unit, id, 'OWNER', { email }, requester)
  })

type RequestedReturn = Input<typeof contract.requestReturn>['body']

export async function requestReturn(
  { core }: OperatorDeps,
  id: bigint,
  request: RequestedReturn,
  requester: Requester,
): Promise<{ readonly id: string }> {
  const to = destinationOf(request)
  const waiting = (await selectWaiting(core.db)).find((row) => row.id === id)
  if (waiting === undefined) throw changeErrors.notWaiting()
  const { merchantId, reference } = waiting
  const requested = { returnId: String(id), reference, amount: amountInWords(waiting.amount), to }
  return unitOfWork(core, async (unit) => requestChange(unit, merchantId, 'RETURN', requested, requester))
}

function destinationOf({ way, bankCode, accountNumber, accountName }: RequestedReturn): ChangeData['RETURN']['to'] {
  if (way === 'PARTNER') return 'the partner'
  if (way === 'IS_BACK') return 'is back'
  if (bankCode == null || accountNumber == null) throw changeErrors.accountWanting()
  return { bankCode, accountNumber, accountName: accountName ?? null }
}

export async function requestConflictDecision(
  { core }: OperatorDeps,
  id: bigint,
  verdict: 'TAKE' | 'DISMISS',
  requester: Requester,
): Promise<{ readonly id: string }> {
  const open = (await selectConflicts(core.db)).find((row) => row.id === id && row.state === 'OPEN')
  if (open === undefined) throw changeErrors.notWaiting()
  const { railReference, merchantId } = open
  const requested = { conflictId: String(id), railReference, amount: amountInWords(open.amount), verdict }
  return unitOfWork(core, async (unit) => requestChange(unit, merchantId, 'CONFLICT', requested, requester))
}

/** Approves another operator's request, and applies it in the same transaction. */
export async function approve(deps: OperatorDeps, id: bigint, person: SignedIn, by: By) {
  let later: (() => Promise<unknown>)[] = []
  const decided = await decide(deps, id, person, async (unit, change) => {
    const details = await approvalOf(unit, change, person)
    later = []
    await applyChange(unit, deps, change, { by, details, afterwards: (work) => void later.push(work) })
    return { status: 'APPLIED', decidedBecause: null }
  })
  for (const work of later) await work()
  return decided
}

/** The audit details of an approval; rejects an approval by the requester. */
export async function approvalOf({ tx }: UnitOfWork, change: ChangeRow, person: Requester['person']): Promise<object> {
  if (change.askedBy === person.personId) throw changeErrors.ownChange()
  const caller = await findPerson(tx, change.askedBy)
  return { change: String(change.id), askedBy: caller?.email, reason: change.reason }
}

/** A filter that finds only this change, in any state. */
const onlyThis = ({ id, merchantId }: ChangeRow) => ({
  merchantId,
  status: null,
  expiredBefore: new Date(0),
  from: id,
  before: id + 1n,
})

const applyChange = <Kind extends ChangeKind>(
  unit: UnitOfWork,
  deps: OperatorDeps,
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
export async function decide(
  { core }: Pick<OperatorDeps, 'core'>,
  id: bigint,
  person: Requester['person'],
  verdictOn: (unit: UnitOfWork, change: ChangeRow) => Promise<Verdict>,
): Promise<Reply<typeof contract.approveChange>> {
  const found = await findChange(core.db, id)
  if (found === undefined) throw changeErrors.unknownChange()
  await core.directory.change(found.merchantId, async (unit) => {
    const change = await lockChange(unit.tx, found)
    invariant(change !== undefined, 'changes are never deleted')
    const isExpired = unit.at >= secondsAfter(change.createdAt, CHANGE_SECONDS_MAX)
    if (change.status !== 'WAITING' || isExpired) throw changeErrors.notWaiting()
    const verdict = await verdictOn(unit, change)
    writeDecision(unit.tx, change, { ...verdict, decidedBy: person.personId, decidedAt: unit.at })
  })
  const [shown] = await showAll(core, person, await selectChanges(core.db, onlyThis(found), 1))
  invariant(shown !== undefined, 'changes are never deleted')
  return shown
}
