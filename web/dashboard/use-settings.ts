import type { changeMerchantSettings, getMerchantSettings, InDashboard, Input, Reply } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import { useState } from 'preact/hooks'
import { call, problemOf } from './call.ts'
import { useReply } from './use-reply.ts'

const SETTINGS: Address<InDashboard<typeof getMerchantSettings>> = {
  method: 'GET',
  path: '/dashboard/api/v1/merchant/settings',
}
const CHANGE: Address<InDashboard<typeof changeMerchantSettings>> = {
  method: 'PUT',
  path: '/dashboard/api/v1/merchant/settings',
}

export type MerchantSettings = Reply<typeof getMerchantSettings>
type Change = Input<typeof changeMerchantSettings>['body']

export interface AskedSettings {
  readonly settings: MerchantSettings | undefined
  readonly problem: string | undefined
  /** What was done last. */
  readonly told: string | undefined
  /** Changes what is named; answers what was wrong, where something was. */
  readonly change: (change: Change, done: string) => Promise<string | undefined>
}

/** The merchant's settings, as they are after the last change. */
export function useSettings(): AskedSettings {
  const { body, problem, again } = useReply(SETTINGS, {})
  const [told, setTold] = useState<string>()
  const change = async (wanted: Change, done: string): Promise<string | undefined> => {
    const answer = await call(CHANGE, { body: wanted })
    await again()
    setTold(answer.kind === 'done' ? done : undefined)
    return answer.kind === 'done' ? undefined : problemOf(answer)
  }
  return { settings: body, problem, told, change }
}
