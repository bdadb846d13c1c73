import type { Core } from '../../core/core.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import { randomCode } from '../../kernel/ids.ts'
import { isUniqueViolation } from '../../platform/postgres/db.ts'
import { limitProfileErrors } from './errors.ts'
import {
  insertLimitProfile,
  type LimitProfileRow,
  type Limits,
  lockLimitProfile,
  updateLimitProfile,
} from './repository.ts'

const CODE_LENGTH = 12

export interface LimitProfileRequest extends Limits {
  readonly name: string
}

export function createLimitProfile(
  core: Core,
  merchantId: bigint,
  requested: LimitProfileRequest,
): Promise<LimitProfileRow> {
  checkLimits(requested)
  return unitOfWork(core, async ({ tx, ids, at }) => {
    const row = { merchantId, id: ids.id(), code: randomCode(CODE_LENGTH), ...requested, createdAt: at, modifiedAt: at }
    if (!(await insertLimitProfile(tx, row))) throw limitProfileErrors.nameTaken()
    return row
  })
}

/** Changes a profile. The change applies from the next payment on, to all accounts that use the profile. */
export async function changeLimitProfile(
  core: Core,
  merchantId: bigint,
  code: string,
  requested: LimitProfileRequest,
): Promise<LimitProfileRow> {
  checkLimits(requested)
  try {
    return await unitOfWork(core, async ({ tx, at }) => {
      const profile = await lockLimitProfile(tx, merchantId, code)
      if (profile === undefined) throw limitProfileErrors.notFound()
      const changed = { ...profile, ...requested, modifiedAt: at }
      updateLimitProfile(tx, changed)
      return changed
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw limitProfileErrors.nameTaken()
    throw error
  }
}

function checkLimits({ singleTransactionValue, dailyTransactionValue }: Limits): void {
  if (dailyTransactionValue < singleTransactionValue) throw limitProfileErrors.dailyBelowSingle()
}
