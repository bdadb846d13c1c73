import type { Input, Reply, Route } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import { useCallback, useEffect, useState } from 'preact/hooks'
import { call, problemOf } from './call.ts'

/** A route's reply, loaded when the screen opens and reloaded by `again`. */
export interface LoadedReply<Body> {
  readonly body: Body | undefined
  readonly problem: string | undefined
  readonly again: () => Promise<void>
}

/** Loads a route's reply; the last one stays while the next is loading. */
export function useReply<R extends Route>(route: Address<R>, input: Input<R>): LoadedReply<Reply<R>> {
  const [body, setBody] = useState<Reply<R>>()
  const [problem, setProblem] = useState<string>()
  const requested = JSON.stringify(input)
  const again = useCallback(async () => {
    const response = await call(route, JSON.parse(requested) as Input<R>)
    if (response.kind === 'done') setBody(response.body)
    setProblem(response.kind === 'done' ? undefined : problemOf(response))
  }, [route, requested])
  useEffect(() => void again(), [again])
  return { body, problem, again }
}
