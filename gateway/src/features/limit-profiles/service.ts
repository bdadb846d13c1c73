import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from '@kobo/contract'
import type { Clock } from '../../kernel/clock.ts'
import { type IdSource, randomCode } from '../../kernel/ids.ts'
import { type Db, inTransaction, isTaken } from '../../platform/db.ts'
import { limitProfileErrors } from './errors.ts'
import {
  countLimitProfiles,
  insertLimitProfile,
  type LimitProfileRow,
  type Limits,
  lockLimitProfile,
  selectLimitProfiles,
  updateLimitProfile,
} from './repository.ts'

const CODE_LENGTH = 12

/** What a merchant says of a limit profile. */
export interface WantedLimitProfile extends Limits {
  readonly name: string
}

interface Deps {
  readonly db: Db
  readonly clock: Clock
  readonly ids: IdSource
}

export function createLimitProfile(
  { db, clock, ids }: Deps,
  merchantId: bigint,
  wanted: WantedLimitProfile,
): Promise<LimitProfileRow> {
  checkLimits(wanted)
  return inTransaction(db, async (tx) => {
    const at = clock.now()
    const row = { merchantId, id: ids.id(), code: randomCode(CODE_LENGTH), ...wanted, createdAt: at, modifiedAt: at }
    if (!(await insertLimitProfile(tx, row))) throw limitProfileErrors.nameTaken()
    return row
  })
}

/** Changes a profile. It holds from the next payment on, for all accounts that have it. */
export async function changeLimitProfile(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  merchantId: bigint,
  code: string,
  wanted: WantedLimitProfile,
): Promise<LimitProfileRow> {
  checkLimits(wanted)
  try {
    return await inTransaction(db, async (tx) => {
      const profile = await lockLimitProfile(tx, merchantId, code)
      if (profile === undefined) throw limitProfileErrors.notFound()
      const changed = { ...profile, ...wanted, modifiedAt: clock.now() }
      await updateLimitProfile(tx, changed)
      return changed
    })
  } catch (error) {
    if (isTaken(error)) throw limitProfileErrors.nameTaken()
    throw error
  }
}

function checkLimits({ singleTransactionValue, dailyTransactionValue }: Limits): void {
  if (dailyTransactionValue < singleTransactionValue) throw limitProfileErrors.dailyBelowSingle()
}

/** A page of profiles, newest first, and how many there are in all. */
export async function listLimitProfiles(
  db: Db,
  merchantId: bigint,
  { page = 0, size = PAGE_SIZE_DEFAULT }: { page?: number | undefined; size?: number | undefined },
): Promise<{ rows: LimitProfileRow[]; total: number; page: number; size: number }> {
  const limit = Math.min(size, PAGE_SIZE_MAX)
  const [rows, total] = await Promise.all([
    selectLimitProfiles(db, merchantId, limit, page * limit),
    countLimitProfiles(db, merchantId),
  ])
  return { rows, total, page, size: limit }
}
