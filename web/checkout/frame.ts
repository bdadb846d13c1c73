import type { Checkout } from './model.ts'

/** The checkout's messages to the page that frames it. `web/plugin` listens. */
export type FrameMessage = 'ready' | 'complete' | 'close'

/** Sends a message to the framing page, only to the origin that opened this payment. */
export function postToParent(framedBy: string | null, message: FrameMessage, checkout: Checkout): void {
  if (framedBy === null || parent === window) return
  parent.postMessage({ kobo: message, checkout }, framedBy)
}
