import { notify } from '../../core/messages/notices.ts'
import { type Actor, audit } from '../../core/security/audit.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import type { Refusal } from '../../kernel/errors.ts'
import { disbursementErrors } from './errors.ts'
import { addWrongCode, type CodeGuardRow, findCodeGuard, updateCodeGuard } from './guard-repository.ts'

/**
 * Wrong codes of one merchant within a day, over all its transfers and however often codes are sent anew. A person
 * mistypes a few; who guesses has one chance in fifty thousand until then.
 */
export const WRONG_CODES_MAX = 20
/** As long as the lock, so that counting starts anew when that ends. */
const COUNTED_SECONDS = 86_400
const LOCKED_SECONDS = 86_400

/** Refuses every code, and to send one, while the merchant is locked. */
export function checkLocked(guard: CodeGuardRow | undefined, at: Date): Refusal | undefined {
  const until = guard?.lockedUntil ?? null
  return until !== null && at < until ? disbursementErrors.codesLocked() : undefined
}

/** Counts a wrong code; locks the merchant at the last one that it may send, and tells it. */
export async function countWrongCode(unit: UnitOfWork, merchantId: bigint, reference: string): Promise<void> {
  const { tx, at } = unit
  const since = secondsAfter(at, -COUNTED_SECONDS)
  if ((await addWrongCode(tx, merchantId, since, at)) !== WRONG_CODES_MAX) return
  const lockedUntil = secondsAfter(at, LOCKED_SECONDS)
  updateCodeGuard(tx, merchantId, { lockedUntil })
  audit(unit, { merchantId, act: 'transfer-codes.lock', actor: 'gateway', reference, details: { lockedUntil } })
  notify(unit, [{ merchantId, ...lockMail(lockedUntil) }])
}

/** Lets a merchant's codes count again; answers whether they were locked. */
export async function unlockCodes(unit: UnitOfWork, merchantId: bigint, actor: Actor): Promise<boolean> {
  const { tx, at } = unit
  const guard = await findCodeGuard(tx, merchantId)
  updateCodeGuard(tx, merchantId, { wrong: 0, countedFrom: at, lockedUntil: null })
  audit(unit, { merchantId, act: 'transfer-codes.unlock', actor })
  return checkLocked(guard, at) !== undefined
}

const lockMail = (until: Date) => ({
  subject: 'Transfers cannot be authorized: too many wrong codes',
  text: [
    'Hello,',
    '',
    `${WRONG_CODES_MAX} wrong authorization codes were sent for your transfers within a day.`,
    `To protect your money, no code authorizes a transfer until ${until.toISOString()}.`,
    '',
    'If that was not you, somebody has your access token or your secret key: replace the key.',
    'If it was, ask us to unlock your transfers sooner.',
    '',
  ].join('\n'),
})
