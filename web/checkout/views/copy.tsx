import type { Copied } from '../model.ts'
import type { Shown } from './view.ts'

/** A button that copies a text and confirms it. */
export function Copy({
  model,
  actions,
  words,
  what,
  text,
  label,
}: Shown & { readonly what: Copied; readonly text: string; readonly label: string }) {
  return (
    <button
      type="button"
      class="copy"
      aria-label={model.copied === what ? words.copied : label}
      disabled={!model.ready || text === ''}
      onClick={() => actions.copy(what, text)}
    >
      {model.copied === what ? words.copied : words.copy}
    </button>
  )
}
