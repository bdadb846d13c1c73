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
  let stream: EventSource | undefined
  let isConnected = false
  const close = (): void => {
    stream?.close()
    stream = undefined
    isConnected = false
  }
  const open = (): void => {
    if (list === undefined || document.hidden || stream !== undefined) return
    const opened = new EventSource(pathOf(routes.hearHints.path, { list }))
    stream = opened
    opened.onopen = () => {
      isConnected = true
      void refresh() // changes between the page load and the stream
    }
    // The browser reconnects on its own, unless the request was rejected; polling covers the gap.
    opened.onerror = () => {
      isConnected = false
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
