import type { Checkout } from './model.ts'

/** What the checkout tells the page that shows it in a frame. `web/plugin` listens. */
export type Word = 'ready' | 'complete' | 'close'

/** Tells the page around us something, and nobody but the origin that opened this payment. */
export function tell(framedBy: string | null, word: Word, checkout: Checkout): void {
  if (framedBy === null || parent === window) return
  parent.postMessage({ kobo: word, checkout }, framedBy)
}
