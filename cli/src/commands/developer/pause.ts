const LOOK_EVERY_MILLISECONDS = 400

/** Waits until it is time to look again, or until all is to end. */
export const pauseUnless = (ended: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      ended.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, LOOK_EVERY_MILLISECONDS)
    ended.addEventListener('abort', end)
  })
