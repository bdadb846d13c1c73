import type { Hint } from '@kobo/contract'

/** So often it is looked where no hints come through. */
const LOOK_AGAIN_MILLISECONDS = 20_000
const OF_LIST = /^\/dashboard\/api\/lists\/([a-z-]+)$/

/**
 * Calls `look` when something of a list may have changed: when the gateway says so, or every 20 seconds where it cannot be
 * heard. A page that nobody sees neither hears nor looks. Answers how to end it.
 */
export function whenChanged(path: string, look: () => Promise<void>): () => void {
  const [, list] = OF_LIST.exec(path) ?? []
  let stream: EventSource | undefined
  let isHeard = false
  const close = (): void => {
    stream?.close()
    stream = undefined
    isHeard = false
  }
  const open = (): void => {
    if (list === undefined || document.hidden || stream !== undefined) return
    const opened = new EventSource(`/dashboard/api/hints/${list}`)
    stream = opened
    opened.onopen = () => {
      isHeard = true
      void look() // what came between the page and the stream
    }
    // The browser tries again by itself, unless it was refused; until then it is looked as if there were no stream.
    opened.onerror = () => {
      isHeard = false
    }
    opened.onmessage = ({ data }) => {
      const hint = JSON.parse(data as string) as Hint
      if ('ended' in hint) close()
      else void look()
    }
  }
  const show = (): void => {
    if (document.hidden) close()
    else {
      open()
      void look()
    }
  }
  const timer = setInterval(() => {
    if (!isHeard && !document.hidden) void look()
  }, LOOK_AGAIN_MILLISECONDS)
  document.addEventListener('visibilitychange', show)
  open()
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', show)
    close()
  }
}
