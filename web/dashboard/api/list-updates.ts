import type { LiveUpdate } from '@kobo/contract'
import { pathOf } from '@kobo/contract/client'
import * as routes from '../../routes.ts'

/** The polling interval if live updates do not come through. */
const POLL_MILLISECONDS = 20_000
const LIST_PATH = /^\/dashboard\/api\/lists\/([a-z-]+)$/

/**
 * Calls `refresh` when a list may have changed: on a live update, or every 20 seconds if there are none. Hidden pages neither
 * listen nor poll. Returns a function that stops it.
 */
export function watchList(path: string, refresh: () => Promise<void>): () => void {
  const [, list] = LIST_PATH.exec(path) ?? []
  return watchStream(list === undefined ? undefined : pathOf(routes.hearHints.path, { list }), refresh)
}

/** Like `watchList`, for any stream of live updates. `onLive` is called when it connects and when it is interrupted. */
export function watchStream(
  address: string | undefined,
  refresh: () => Promise<void>,
  onLive: (isLive: boolean) => void = () => {},
): () => void {
  let stream: EventSource | undefined
  let isConnected = false
  const close = (): void => {
    stream?.close()
    stream = undefined
    isConnected = false
    onLive(false)
  }
  const open = (): void => {
    if (address === undefined || document.hidden || stream !== undefined) return
    const opened = new EventSource(address)
    stream = opened
    opened.onopen = () => {
      isConnected = true
      onLive(true)
      void refresh() // loads what changed before the stream opened
    }
    // The browser reconnects on its own, unless the request was rejected; polling covers the gap.
    opened.onerror = () => {
      isConnected = false
      onLive(false)
    }
    opened.onmessage = ({ data }) => {
      const hint = JSON.parse(data as string) as LiveUpdate
      if ('ended' in hint) close()
      else void refresh()
    }
  }
  const show = (): void => {
    if (document.hidden) close()
    else {
      open()
      void refresh()
    }
  }
  const timer = setInterval(() => {
    if (!isConnected && !document.hidden) void refresh()
  }, POLL_MILLISECONDS)
  document.addEventListener('visibilitychange', show)
  open()
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', show)
    close()
  }
}
