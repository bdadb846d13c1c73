import type { changeMerchantSettings, getMerchantSettings, Input, Reply } from '@kobo/contract'
import { useState } from 'preact/hooks'
import * as routes from '../../routes.ts'
import { call, problemOf } from './call.ts'
import { type LoadProblem, useReply } from './use-reply.ts'

export type MerchantSettings = Reply<typeof getMerchantSettings>
type Change = Input<typeof changeMerchantSettings>['body']

export interface LoadedSettings {
  readonly settings: MerchantSettings | undefined
  readonly problem: LoadProblem | undefined
  /** The message after the last change. */
  readonly toast: string | undefined
  /** Changes the given settings; returns an error message if that failed. */
  readonly change: (change: Change, done: string) => Promise<string | undefined>
}

/** The merchant's current settings. */
export function useSettings(): LoadedSettings {
  const { body, problem, again } = useReply(routes.getMerchantSettings, {})
  const [toast, setToast] = useState<string>()
  const change = async (requested: Change, done: string): Promise<string | undefined> => {
    const response = await call(routes.changeMerchantSettings, { body: requested })
    await again()
    setToast(response.kind === 'done' ? done : undefined)
    return response.kind === 'done' ? undefined : problemOf(response)
  }
  return { settings: body, problem, toast, change }
}
