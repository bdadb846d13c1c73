import * as contract from '@kobo/contract'
import type { Serve } from '../../core/edge/http/index.ts'
import { changeSettings, checkOwnChange, type SettingsDeps, showSettings } from './service.ts'

export function settingRoutes(serve: Serve, deps: SettingsDeps): void {
  serve(contract.getMerchantSettings, (_, { merchant }) => showSettings(deps.core.db, merchant))

  serve(contract.changeMerchantSettings, ({ body }, { merchant, by, person }) => {
    // The whitelist is of servers: whoever changes it in the dashboard calls from elsewhere.
    checkOwnChange(body, person === undefined ? by.address : undefined)
    return changeSettings(deps, merchant, body, { ...by, isTold: true })
  })
}
