import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/**
 * Says what has just been done, also to screen readers. Takes the focus if the button that did it has gone, so that the
 * keyboard does not start over at the top of the page.
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
