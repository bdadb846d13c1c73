import * as contract from '@kobo/contract'
import { type Input, toPage } from '@kobo/contract'
import type { Serve } from '../../core/http/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { nairaOrZero } from '../../kernel/money.ts'
import type { Db } from '../../platform/db.ts'
import * as limitProfiles from './service.ts'
import { showLimitProfile } from './show.ts'

interface Deps {
  readonly db: Db
  readonly clock: Clock
  readonly ids: IdSource
}

export function limitProfileRoutes(serve: Serve, deps: Deps): void {
  serve(contract.createLimitProfile, async ({ body }, { merchant }) =>
    showLimitProfile(await limitProfiles.createLimitProfile(deps, merchant.id, readLimitProfile(body))),
  )

  serve(contract.updateLimitProfile, async ({ params, body }, { merchant }) =>
    showLimitProfile(
      await limitProfiles.changeLimitProfile(deps, merchant.id, params.limitProfileCode, readLimitProfile(body)),
    ),
  )

  serve(contract.listLimitProfiles, async ({ query }, { merchant }) => {
    const found = await limitProfiles.listLimitProfiles(deps.db, merchant.id, query)
    return toPage(found.rows.map(showLimitProfile), found.total, found.page, found.size)
  })
}

const readLimitProfile = (
  body: Input<typeof contract.createLimitProfile>['body'],
): limitProfiles.WantedLimitProfile => ({
  name: body.limitProfileName,
  singleTransactionValue: nairaOrZero(body.singleTransactionValue),
  dailyTransactionValue: nairaOrZero(body.dailyTransactionValue),
  dailyTransactionVolume: Number(body.dailyTransactionVolume),
})
