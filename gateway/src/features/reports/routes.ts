import * as contract from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import type { Serve } from '../../core/edge/http/index.ts'
import { audit } from '../../core/security/audit.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import { lagosDay } from '../../kernel/dates.ts'
import { deleteSubscription, findSubscription, insertSubscription } from './repository.ts'

export function reportRoutes(serve: Serve, core: Core): void {
  serve(contract.getReports, async (_, { merchant, person }) => ({
    dailySettlement: (await findSubscription(core.db, merchant.id, person.personId)) !== undefined,
  }))

  serve(contract.changeReports, async ({ body: { dailySettlement } }, { merchant, person, by }) => {
    await unitOfWork(core, async (unit) => {
      const { tx, at } = unit
      const changed = dailySettlement
        ? await insertSubscription(tx, merchant.id, person.personId, lagosDay(at))
        : await deleteSubscription(tx, merchant.id, person.personId)
      if (changed > 0)
        audit(unit, { ...by, merchantId: merchant.id, act: 'report.choose', details: { dailySettlement } })
    })
    return { dailySettlement }
  })
}
