import type { Input, Reply, Route } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { type CallResult, call, isTransient, problemOf } from './call.ts'

/** Why something could not be loaded. */
export interface LoadProblem {
  readonly text: string
  /** True if it does not exist; false if it could not be reached. */
  readonly isMissing: boolean
  readonly retry: () => void
}

/** A route's reply, loaded when the screen opens and reloaded by `again`. */
export interface LoadedReply<Body> {
  readonly body: Body | undefined
  readonly problem: LoadProblem | undefined
  /** Whether the current reply is still loading. Until then the previous one is shown. */
  readonly isLoading: boolean
  readonly again: () => Promise<void>
}

/** A failed load is retried automatically after this time. */
const RETRY_MILLISECONDS = 5_000

/** Loads a route's reply. The previous reply stays while the next one loads. A failed load is retried. */
export function useReply<R extends Route>(route: Address<R>, input: Input<R>): LoadedReply<Reply<R>> {
  const requested = JSON.stringify(input)
  const [loaded, setLoaded] = useState<{ readonly body: Reply<R>; readonly requested: string }>()
  const [failure, setFailure] = useState<Exclude<CallResult<unknown>, { readonly kind: 'done' }>>()
  const begun = useRef(0)
  const shown = useRef(0)
  const again = useCallback(async () => {
    begun.current += 1
    const turn = begun.current
    const response = await call(route, JSON.parse(requested) as Input<R>)
    if (turn < shown.current) return // a later call had its reply first, or something else is requested by now
    shown.current = turn
    if (response.kind === 'done') setLoaded({ body: response.body, requested })
    setFailure(response.kind === 'done' ? undefined : response)
  }, [route, requested])
  useEffect(() => {
    shown.current = begun.current + 1
    void again()
  }, [again])
  useRetry(failure !== undefined && isTransient(failure), again)
  const retry = (): void => void again()
  return {
    body: loaded?.body,
    problem: failure && { text: problemOf(failure), isMissing: isMissing(failure), retry },
    isLoading: failure === undefined && loaded?.requested !== requested,
    again,
  }
}

const isMissing = (failure: CallResult<unknown>): boolean => failure.kind === 'rejected' && failure.error.status === 404

/** Retries while something is unreachable: when the browser is online again, and every few seconds. */
export function useRetry(isFailing: boolean, again: () => Promise<void>): void {
  useEffect(() => {
    if (!isFailing) return
    const retry = (): void => {
      if (!document.hidden) void again()
    }
    const timer = setInterval(retry, RETRY_MILLISECONDS)
    addEventListener('online', retry)
    return () => {
      clearInterval(timer)
      removeEventListener('online', retry)
    }
  }, [isFailing, again])
}
