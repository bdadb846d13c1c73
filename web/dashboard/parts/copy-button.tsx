import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { copyText } from '../../ui/copy.ts'

interface CopyProps {
  readonly text: string
  /** The name of the copied thing, for screen readers. */
  readonly what: string
  readonly title?: string
}

/** A button that copies a text and confirms it, also to screen readers. */
export function CopyButton({ text, what, title = 'Copy' }: CopyProps): JSX.Element {
  const [status, setStatus] = useState<string>()
  const copy = async (): Promise<void> =>
    setStatus((await copyText(text)) ? 'Copied' : 'Couldn’t copy. Select the text and copy it.')
  return (
    <span class="copy-button">
      <button class="link" type="button" onClick={() => void copy()}>
        {title}
        <span class="unseen"> {what}</span>
      </button>
      <small class="quiet" role="status">
        {status}
      </small>
    </span>
  )
}
