import { EVIDENCE_FILE_BYTES_MAX, type EvidenceFileType } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import { emit } from '../../core/messages/outbox/index.ts'
import { selectDebts } from '../../core/money/debts.ts'
import type { Sweep } from '../../core/sweep.ts'
import { type UnitOfWork, unitOfWork } from '../../core/unit-of-work.ts'
import { invariant } from '../../kernel/errors.ts'
import { type Kobo, subtract, ZERO } from '../../kernel/money.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import type { CountedPage, RequestedPage } from '../../platform/postgres/pagination.ts'
import { transactionReads } from '../transactions/index.ts'
import { decideDispute, endAccepted, moved, type Outcome } from './decide.ts'
import { fileContext } from './encrypted-columns.ts'
import { disputeErrors } from './errors.ts'
import { disputeEvent } from './events.ts'
import { openDispute, type ReportedDispute } from './open.ts'
import {
  type DisputeFilter,
  type DisputeRow,
  type FileRow,
  findDispute,
  findFile,
  insertFiles,
  lockDispute,
  lockExpired,
  nextExpiry,
  selectDisputes,
  selectFiles,
  updateDisputes,
} from './repository.ts'
import type { Shown } from './show.ts'

/** Adds the outstanding debts to disputes. */
export async function withDebts(db: Db | Tx, disputes: readonly DisputeRow[]): Promise<readonly Shown[]> {
  const debts = await selectDebts(
    db,
    disputes.filter(({ fromDebt }) => fromDebt > 0n),
  )
  const owedOf = new Map(debts.map((debt) => [debt.id, subtract(debt.amount, debt.repaid)]))
  return disputes.map((dispute) => ({ dispute, owed: owedOf.get(dispute.id) ?? (ZERO as Kobo) }))
}

async function withDebt(db: Db | Tx, dispute: DisputeRow): Promise<Shown> {
  const [shown] = await withDebts(db, [dispute])
  invariant(shown !== undefined, 'every dispute is shown')
  return shown
}

export async function getDispute(db: Db | Tx, merchantId: bigint, reference: string): Promise<DisputeRow> {
  const dispute = await findDispute(db, merchantId, reference)
  if (dispute === undefined) throw disputeErrors.notFound()
  return dispute
}

export async function getDetail(db: Db, dispute: DisputeRow) {
  const [shown, files] = await Promise.all([withDebt(db, dispute), selectFiles(db, dispute)])
  return { ...shown, files }
}

/** Reads a page of disputes, newest first, and their total count. */
export async function listDisputes(
  db: Db,
  merchantId: bigint,
  filter: DisputeFilter,
  page: RequestedPage,
): Promise<CountedPage<Shown>> {
  const found = await selectDisputes(db, merchantId, filter, page)
  return { ...found, rows: await withDebts(db, found.rows) }
}

/** A file as received, its content in base64. */
export interface NewFile {
  readonly name: string
  readonly type: EvidenceFileType
  readonly content: string
}

/** The first bytes of each file type. */
const BEGINNINGS: Readonly<Record<EvidenceFileType, Buffer>> = {
  'application/pdf': Buffer.from('%PDF-'),
  'image/png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  'image/jpeg': Buffer.from([0xff, 0xd8, 0xff]),
}

/** Challenges a dispute, once and before the deadline; the partner decides. */
export async function submitEvidence(
  core: Core,
  merchant: Merchant,
  reference: string,
  { text, files }: { readonly text: string; readonly files: readonly NewFile[] },
): Promise<DisputeRow> {
  const contents = files.map((file) => ({ ...file, bytes: bytesOf(file) }))
  const found = await getDispute(core.db, merchant.id, reference)
  return unitOfWork(core, async (unit) => {
    const dispute = await lockDispute(unit.tx, found)
    invariant(dispute !== undefined, 'a dispute is never deleted')
    const challenged = isLate(dispute, unit.at) ? undefined : moved(dispute, 'submit')
    if (challenged === undefined) throw disputeErrors.notOpen(isLate(dispute, unit.at) ? 'EXPIRED' : dispute.status)
    const after = { ...challenged, evidence: text, evidenceAt: unit.at }
    updateDisputes(unit.tx, [after])
    insertFiles(
      unit.tx,
      contents.map((file) => newFile(unit, core, dispute, file)),
    )
    emit(unit, [disputeEvent(after)])
    return after
  })
}

/** Whether the deadline has passed, even if the sweep has not run yet. */
const isLate = ({ status, evidenceDueAt }: DisputeRow, at: Date): boolean => status === 'OPEN' && evidenceDueAt <= at

/** Returns the content of a file; throws if it is too large or not of its stated type. */
function bytesOf({ name, type, content }: NewFile): Buffer {
  const bytes = Buffer.from(content, 'base64')
  const beginning = BEGINNINGS[type]
  if (bytes.length > EVIDENCE_FILE_BYTES_MAX || !bytes.subarray(0, beginning.length).equals(beginning))
    throw disputeErrors.notAFile(name, type)
  return bytes
}

function newFile(
  { ids }: UnitOfWork,
  { keyring }: Core,
  { merchantId, id: disputeId }: DisputeRow,
  { name, type, bytes }: Pick<NewFile, 'name' | 'type'> & { readonly bytes: Buffer },
): FileRow {
  const key = { merchantId, id: ids.id() }
  return {
    ...key,
    disputeId,
    name,
    type,
    bytes: bytes.length,
    content: keyring.seal(bytes.toString('base64'), fileContext(key)),
  }
}

export async function getFile({ db, keyring }: Core, dispute: DisputeRow, fileId: string): Promise<NewFile> {
  const file = await findFile(db, { merchantId: dispute.merchantId, id: BigInt(fileId) })
  if (file?.disputeId !== dispute.id) throw disputeErrors.unknownFile()
  return { name: file.name, type: file.type, content: keyring.open(file.content, fileContext(file)) }
}

/** Accepts a dispute and returns the money without challenging it. */
export async function acceptDispute(core: Core, merchant: Merchant, reference: string): Promise<Shown> {
  const found = await getDispute(core.db, merchant.id, reference)
  const accepted = await unitOfWork(core, (unit) => endAccepted(unit, found))
  return withDebt(core.db, accepted)
}

/** Opens a reported dispute over a merchant's transaction. */
export async function openFor(
  core: Core,
  merchant: Merchant,
  transactionReference: string,
  reported: ReportedDispute,
): Promise<Shown> {
  const transaction = await transactionReads.find(core.db, merchant.id, { transactionReference })
  if (transaction === undefined) throw disputeErrors.unknownTransaction()
  const { dispute } = await unitOfWork(core, (unit) => openDispute(unit, merchant, transaction, reported))
  return withDebt(core.db, dispute)
}

/** Ends a merchant's dispute with a reported outcome. */
export async function decideFor(
  core: Core,
  merchant: Pick<Merchant, 'id'>,
  reference: string,
  outcome: Outcome,
): Promise<Shown> {
  const found = await getDispute(core.db, merchant.id, reference)
  return withDebt(core.db, await unitOfWork(core, (unit) => decideDispute(unit, found, outcome, null)))
}

/** Expires disputes that were not challenged in time. */
export const disputeSweeps = (core: Core): readonly Sweep[] => [
  {
    name: 'expire disputes',
    runShard: (shard, at, limit) =>
      unitOfWork(core, async (unit) => {
        const due = await lockExpired(unit.tx, shard, at, limit)
        const expired = due.flatMap((dispute) => moved(dispute, 'expire') ?? [])
        updateDisputes(unit.tx, expired)
        emit(unit, expired.map(disputeEvent))
        return expired.length
      }),
    nextDue: () => nextExpiry(core.db),
  },
]
