import * as contract from '@kobo/contract'
import type { Serve } from '../../core/edge/http/index.ts'
import { changeSettings, checkOwnChange, type SettingsDeps, showSettings } from './service.ts'

export function settingRoutes(serve: Serve, deps: SettingsDeps): void {
  serve(contract.getMerchantSettings, (_, { merchant }) => showSettings(deps.core.db, merchant))

  serve(contract.changeMerchantSettings, ({ body }, { merchant, by, person }) => {
    // The whitelist is for servers; a dashboard user's own address does not matter.
    checkOwnChange(body, person === undefined ? by.address : undefined)
    return changeSettings(deps, merchant, body, { ...by, notifiesMerchant: true })
  })
}
