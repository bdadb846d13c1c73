const POLL_MILLISECONDS = 400

/** Waits for the next poll, or until the signal aborts. */
export const waitForNextPoll = (ended: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      ended.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, POLL_MILLISECONDS)
    ended.addEventListener('abort', end)
  })
