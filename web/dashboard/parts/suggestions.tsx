import type { ComponentChildren, JSX, RefObject } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'

export interface Suggestion {
  readonly key: string
  readonly content: ComponentChildren
  /** The text of the field once it is chosen. */
  readonly text: string
  readonly choose: () => void
}

interface SuggestionsProps {
  /** The text field; it becomes a combobox. */
  readonly field: RefObject<HTMLInputElement | null>
  /** The name of the list. */
  readonly title: string
  /** Finds suggestions for a text; none if that failed. */
  readonly suggest: (text: string) => Promise<readonly Suggestion[]>
  /** Suggests nothing for a shorter text. */
  readonly lengthMin: number
}

/** The user stops typing for this long before suggestions are loaded. */
const PAUSE_MILLISECONDS = 200
const SUGGESTIONS_MAX = 8

/** The suggestions for a text. Only one request runs at a time, and an outdated response is dropped. */
function useSuggestions(text: string | undefined, suggest: SuggestionsProps['suggest']) {
  const [active, setActive] = useState(-1)
  const [found, setFound] = useState<readonly Suggestion[]>([])
  const running = useRef<Promise<unknown>>(Promise.resolve())
  useEffect(() => {
    setActive(-1)
    if (text === undefined) return setFound([])
    let isOutdated = false
    const load = async (): Promise<void> => {
      await running.current
      if (isOutdated) return
      const request = suggest(text)
      running.current = request
      const suggestions = await request
      if (isOutdated) return
      setFound(suggestions.slice(0, SUGGESTIONS_MAX))
      setActive(-1)
    }
    const timer = setTimeout(() => void load(), PAUSE_MILLISECONDS)
    return () => {
      isOutdated = true
      clearTimeout(timer)
    }
  }, [text, suggest])
  return { found, active, setActive }
}

interface ComboboxState {
  readonly list: string
  readonly isOpen: boolean
  readonly activeOption: string | undefined
  /** Called with the text; with undefined when the field is left. */
  readonly type: (text: string | undefined) => void
  readonly press: (event: KeyboardEvent) => void
}

/** Turns a text field into a combobox. */
function useCombobox(field: SuggestionsProps['field'], state: ComboboxState): void {
  const { list, isOpen, activeOption, type, press } = state
  // An ordinary effect may run only after the next key press.
  useLayoutEffect(() => {
    const input = field.current
    if (input === null) return
    input.setAttribute('role', 'combobox')
    input.setAttribute('aria-autocomplete', 'list')
    input.setAttribute('aria-controls', list)
    input.setAttribute('aria-expanded', String(isOpen))
    if (activeOption === undefined) input.removeAttribute('aria-activedescendant')
    else input.setAttribute('aria-activedescendant', activeOption)
    const listening = new AbortController()
    const { signal } = listening
    input.addEventListener('input', () => type(input.value.trim()), { signal })
    input.addEventListener('blur', () => type(undefined), { signal })
    input.addEventListener('keydown', press, { signal })
    return () => listening.abort()
  })
}

/** A list of suggestions below a text field. Arrow keys move through it, Enter chooses, Escape closes it. */
export function Suggestions({ field, title, suggest, lengthMin }: SuggestionsProps): JSX.Element {
  const id = useId()
  /** The text typed since the list was last closed. */
  const [text, setText] = useState<string | undefined>(field.current?.value.trim())
  const query = text !== undefined && text.length >= lengthMin ? text : undefined
  const { found, active, setActive } = useSuggestions(query, suggest)
  const isOpen = found.length > 0
  const choose = (suggestion: Suggestion): void => {
    if (field.current !== null) field.current.value = suggestion.text
    setText(undefined)
    suggestion.choose()
  }
  const press = (event: KeyboardEvent): void => {
    const suggestion = found[active]
    // The text is used as typed: suggestions that are still being loaded must not open later.
    if (event.key === 'Enter' && suggestion === undefined) setText(undefined)
    if (!isOpen) return
    // The field itself is a place between the last suggestion and the first.
    const places = found.length + 1
    if (event.key === 'ArrowDown') setActive(((active + 2) % places) - 1)
    else if (event.key === 'ArrowUp') setActive(((active + places) % places) - 1)
    else if (event.key === 'Escape') setText(undefined)
    else if (event.key === 'Enter' && suggestion !== undefined) choose(suggestion)
    else return
    event.preventDefault()
  }
  const optionId = (place: number): string => `${id}-${place}`
  useCombobox(field, {
    list: id,
    isOpen,
    activeOption: active < 0 ? undefined : optionId(active),
    type: setText,
    press,
  })
  return (
    <>
      <div class="suggestions" id={id} role="listbox" aria-label={title} hidden={!isOpen}>
        {found.map((suggestion, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
          <div
            key={suggestion.key}
            id={optionId(place)}
            role="option"
            aria-selected={place === active}
            // Keeps the focus in the field.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(suggestion)}
          >
            {suggestion.content}
          </div>
        ))}
      </div>
      <span class="unseen" role="status">
        {isOpen && `${found.length} ${found.length === 1 ? 'suggestion' : 'suggestions'}`}
      </span>
    </>
  )
}
