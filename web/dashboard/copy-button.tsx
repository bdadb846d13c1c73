import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { copyText } from '../ui/copy.ts'

interface CopyProps {
  readonly text: string
  /** What is copied, as people name it. */
  readonly what: string
  readonly title?: string
}

/** Copies a text, and says so where a screen reader hears it. */
export function CopyButton({ text, what, title = 'Copy' }: CopyProps): JSX.Element {
  const [told, setTold] = useState<string>()
  const copy = async (): Promise<void> => setTold((await copyText(text)) ? 'Copied' : 'Select and copy it yourself')
  return (
    <span class="copy-button">
      <button class="link" type="button" onClick={() => void copy()}>
        {title}
        <span class="unseen"> {what}</span>
      </button>
      <small class="quiet" role="status">
        {told}
      </small>
    </span>
  )
}
