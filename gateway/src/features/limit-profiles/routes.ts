import type { Input } from '@kobo/contract'
import * as contract from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import type { Serve } from '../../core/edge/http/index.ts'
import { nairaOrZero } from '../../kernel/money.ts'
import { showPage } from '../../platform/postgres/pagination.ts'
import { selectLimitProfiles } from './repository.ts'
import * as limitProfiles from './service.ts'
import { showLimitProfile } from './show.ts'

export function limitProfileRoutes(serve: Serve, { core }: { readonly core: Core }): void {
  serve(contract.createLimitProfile, async ({ body }, { merchant }) =>
    showLimitProfile(await limitProfiles.createLimitProfile(core, merchant.id, readLimitProfile(body))),
  )

  serve(contract.updateLimitProfile, async ({ params, body }, { merchant }) =>
    showLimitProfile(
      await limitProfiles.changeLimitProfile(core, merchant.id, params.limitProfileCode, readLimitProfile(body)),
    ),
  )

  serve(contract.listLimitProfiles, async ({ query }, { merchant }) => {
    const found = await selectLimitProfiles(core.db, merchant.id, query)
    return showPage(found, showLimitProfile)
  })
}

const readLimitProfile = (
  body: Input<typeof contract.createLimitProfile>['body'],
): limitProfiles.LimitProfileRequest => ({
  name: body.limitProfileName,
  singleTransactionValue: nairaOrZero(body.singleTransactionValue),
  dailyTransactionValue: nairaOrZero(body.dailyTransactionValue),
  dailyTransactionVolume: Number(body.dailyTransactionVolume),
})
