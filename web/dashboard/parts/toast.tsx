import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/**
 * A message about the last action, also for screen readers. If the action's button has gone, the message takes the
 * focus, so that keyboard users do not start over at the top of the page.
 */
export function Toast({ text }: { readonly text: string | undefined }): JSX.Element {
  const notice = useRef<HTMLParagraphElement>(null)
  const focused = useRef<string | undefined>(undefined)
  useEffect(() => {
    if (text === focused.current || document.activeElement !== document.body) return
    focused.current = text
    notice.current?.focus()
  })
  return (
    <div role="status">
      {text !== undefined && (
        <p class="notice" tabIndex={-1} ref={notice}>
          {text}
        </p>
      )}
    </div>
  )
}
