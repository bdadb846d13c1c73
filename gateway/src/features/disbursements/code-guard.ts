import { notify } from '../../core/messages/notices.ts'
import { type AuditRecord, audit } from '../../core/security/audit.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { displayMoment } from '../../kernel/dates.ts'
import type { Refusal } from '../../kernel/errors.ts'
import { addWrongCode, type CodeGuardRow, findCodeGuard, updateCodeGuard } from './code-guard-repository.ts'
import { disbursementErrors } from './errors.ts'

/**
 * Wrong codes allowed per merchant and day, over all transfers and resent codes. This tolerates typing mistakes, but
 * leaves an attacker a chance of one in fifty thousand.
 */
export const WRONG_CODES_MAX = 20
/** How long a wrong code counts. It is as long as the lock, so that counting restarts when the lock ends. */
const COUNTED_SECONDS = 86_400
const LOCKED_SECONDS = 86_400

/** Returns the error for every code, and every request to send one, while the merchant is locked. */
export function checkLocked(guard: CodeGuardRow | undefined, at: Date): Refusal | undefined {
  const until = guard?.lockedUntil ?? null
  return until !== null && at < until ? disbursementErrors.codesLocked() : undefined
}

/** Counts a wrong code; at the limit locks the merchant and notifies it. */
export async function countWrongCode(unit: UnitOfWork, merchantId: bigint, reference: string): Promise<void> {
  const { tx, at } = unit
  const since = secondsAfter(at, -COUNTED_SECONDS)
  if ((await addWrongCode(tx, merchantId, since, at)) !== WRONG_CODES_MAX) return
  const lockedUntil = secondsAfter(at, LOCKED_SECONDS)
  updateCodeGuard(tx, merchantId, { lockedUntil })
  audit(unit, { merchantId, act: 'transfer-codes.lock', actor: 'gateway', reference, details: { lockedUntil } })
  notify(unit, [{ merchantId, ...lockMail(lockedUntil) }])
}

/** Unlocks a merchant's codes; returns whether they were locked. */
export async function unlockCodes(
  unit: UnitOfWork,
  merchantId: bigint,
  by: Pick<AuditRecord, 'actor' | 'name'>,
): Promise<boolean> {
  const { tx, at } = unit
  const guard = await findCodeGuard(tx, merchantId)
  updateCodeGuard(tx, merchantId, { wrong: 0, countedFrom: at, lockedUntil: null })
  audit(unit, { merchantId, act: 'transfer-codes.unlock', ...by })
  return checkLocked(guard, at) !== undefined
}

const lockMail = (until: Date) => ({
  subject: 'Transfers cannot be authorized: too many wrong codes',
  text: [
    'Hello,',
    '',
    `${WRONG_CODES_MAX} wrong authorization codes were entered for your transfers within a day.`,
    `To protect your money, authorization codes are locked until ${displayMoment(until)}.`,
    '',
    'If that was not you, someone has your access token or secret key: replace the key now.',
    'If it was you, contact us to unlock your transfers sooner.',
    '',
  ].join('\n'),
})
