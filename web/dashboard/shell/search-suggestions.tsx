import type { JSX, RefObject } from 'preact'
import { useCallback } from 'preact/hooks'
import * as routes from '../../routes.ts'
import { naira } from '../../ui/money.ts'
import { call } from '../api/call.ts'
import { type Found, foundUrl } from '../parts/list/found.ts'
import { humanize } from '../parts/list/value.tsx'
import { type Suggestion, Suggestions } from '../parts/suggestions.tsx'

/** A shorter text finds too much. */
const LENGTH_MIN = 3
/** Each search of the gateway finds at most this many. */
const SIZE = 8

/** A search result in one line: "Transaction · Ada Obi · ₦5,000.00 · Paid". */
const factsOf = ({ kind, customerName, amount, status }: Found): string =>
  [humanize(kind), customerName, amount === null ? null : naira(amount), status === null ? null : humanize(status)]
    .filter((fact) => fact !== null)
    .join(' · ')

interface SearchSuggestionsProps {
  readonly field: RefObject<HTMLInputElement | null>
  readonly go: (address: string) => void
}

/** Search results while the user types. */
export function SearchSuggestions({ field, go }: SearchSuggestionsProps): JSX.Element {
  const suggest = useCallback(
    async (text: string): Promise<readonly Suggestion[]> => {
      const result = await call(routes.search, { query: { text, size: SIZE } })
      if (result.kind !== 'done') return []
      return result.body.found.map((found) => ({
        key: `${found.kind} ${found.id} ${found.reference}`,
        text,
        content: (
          <>
            <b>{found.reference}</b>
            <span class="quiet small">{factsOf(found)}</span>
          </>
        ),
        choose: () => go(foundUrl(found)),
      }))
    },
    [go],
  )
  return <Suggestions field={field} title="Suggestions" suggest={suggest} lengthMin={LENGTH_MIN} />
}
