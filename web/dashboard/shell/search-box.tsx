import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { searchUrl } from '../parts/list/reference.ts'
import type { SearchSuggestions } from './search-suggestions.tsx'

const LENGTH_MAX = 255

/** The search box; the / key focuses it from anywhere. */
export function SearchBox({ go }: { readonly go: (address: string) => void }): JSX.Element {
  const box = useRef<HTMLInputElement>(null)
  const [Suggestions, setSuggestions] = useState<typeof SearchSuggestions>()
  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      const isWriting = (event.target as Element).closest('input, select, textarea, dialog') !== null
      if (event.key !== '/' || isWriting || event.metaKey || event.ctrlKey || event.altKey) return
      event.preventDefault()
      box.current?.focus()
      box.current?.select()
    }
    document.addEventListener('keydown', focus)
    return () => document.removeEventListener('keydown', focus)
  }, [])
  return (
    <search class="search">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const text = box.current?.value.trim() ?? ''
          if (text !== '') go(searchUrl(text))
        }}
      >
        <input
          ref={box}
          type="search"
          aria-label="Search"
          aria-keyshortcuts="/"
          placeholder="Reference, email, account number"
          maxLength={LENGTH_MAX}
          autocomplete="off"
          // Loaded with the first use, so that screens open without it.
          onFocus={() => {
            import('./search-suggestions.tsx').then(
              (loaded) => setSuggestions(() => loaded.SearchSuggestions),
              () => {}, // the search works without them
            )
          }}
        />
        {Suggestions !== undefined && <Suggestions field={box} go={go} />}
      </form>
    </search>
  )
}
