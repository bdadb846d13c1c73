import type { CheckoutPage } from '@kobo/contract'

/** A message from the checkout in the frame. */
export interface FrameMessage {
  readonly kobo: 'ready' | 'complete' | 'close'
  readonly checkout: CheckoutPage['checkout']
}

/** The overlay on a merchant's page that shows the checkout. */
export interface Frame {
  readonly show: (url: string) => void
  /** Shows why the checkout did not open. */
  readonly fail: (reason: string, onDismiss: () => void) => void
  /** Sets the handler of the Escape key on the merchant's page. */
  readonly onDismiss: (dismiss: () => void) => void
  readonly remove: () => void
}

const COVER =
  'position:fixed;top:0;left:0;width:100%;height:100%;z-index:2147483647;display:grid;place-items:center;background:rgba(16,19,17,.62);margin:0;padding:0;border:0;'
const WAITING = 'color:#fff;font:600 16px/1.5 system-ui,sans-serif;text-align:center;padding:24px;max-width:22rem;'
const FRAME =
  'position:absolute;top:0;left:0;width:100%;height:100%;border:0;background:transparent;color-scheme:normal;'
const BUTTON =
  'display:block;margin:16px auto 0;min-height:44px;padding:0 24px;border:1px solid #fff;border-radius:10px;background:transparent;color:#fff;font:inherit;cursor:pointer;'

/**
 * Covers the page with a frame for the checkout and stops the page from scrolling; changes nothing else on it. Styles
 * are set on the elements, because a Content-Security-Policy may forbid style sheets.
 */
export function openFrame(
  base: string,
  words: { readonly opening: string; readonly close: string },
  onMessage: (message: FrameMessage) => void,
): Frame {
  const focusedBefore = document.activeElement
  const { overflow } = document.documentElement.style
  document.documentElement.style.overflow = 'hidden'
  const cover = element('div', COVER)
  cover.setAttribute('role', 'dialog')
  cover.setAttribute('aria-modal', 'true')
  cover.setAttribute('aria-label', 'Kobo checkout')
  cover.tabIndex = -1
  const waiting = element('p', WAITING)
  waiting.setAttribute('role', 'status')
  waiting.textContent = words.opening
  cover.append(waiting)
  // A script in the head may run before there is a body.
  ;(document.body ?? document.documentElement).append(cover)
  cover.focus()

  let frame: HTMLIFrameElement | undefined
  let dismiss = (): void => {}
  const receive = ({ origin, source, data }: MessageEvent): void => {
    if (origin !== base || frame === undefined || source !== frame.contentWindow || !data?.kobo) return
    if (data.kobo === 'ready') {
      waiting.remove()
      frame.focus()
    }
    onMessage(data as FrameMessage)
  }
  const onKey = ({ key }: KeyboardEvent): void => {
    if (key === 'Escape') dismiss()
  }
  addEventListener('message', receive)
  addEventListener('keydown', onKey)

  return {
    show: (url) => {
      frame = element('iframe', FRAME)
      frame.src = url
      frame.title = 'Kobo checkout'
      frame.allow = 'clipboard-write'
      cover.append(frame)
    },
    fail: (reason, onDismiss) => {
      waiting.textContent = reason
      waiting.setAttribute('role', 'alert')
      const button = element('button', BUTTON)
      button.type = 'button'
      button.textContent = words.close
      button.onclick = onDismiss
      waiting.append(button)
      button.focus()
    },
    onDismiss: (then) => {
      dismiss = then
    },
    remove: () => {
      removeEventListener('message', receive)
      removeEventListener('keydown', onKey)
      cover.remove()
      document.documentElement.style.overflow = overflow
      if (focusedBefore instanceof HTMLElement) focusedBefore.focus()
    },
  }
}

function element<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, style: string): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag)
  made.style.cssText = style
  return made
}
