import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import * as routes from '../../routes.ts'
import { useReply } from '../api/use-reply.ts'
import { moment } from '../parts/format.ts'
import { foundUrl } from '../parts/list/found.ts'
import { customerUrl, searchUrl } from '../parts/list/reference.ts'
import { Rows } from '../parts/list/rows.tsx'
import { humanize } from '../parts/list/value.tsx'
import type { ScreenProps } from '../shell/screen.ts'

/** Search results. A single match opens at once. */
export default function Search({ query, go }: ScreenProps): JSX.Element {
  const text = query.get('text')?.trim() ?? ''
  return (
    <div class="stack">
      <h1>Search</h1>
      {text === '' ? (
        <p class="quiet">
          Search by reference, customer, amount, last four digits of a card, account number or session ID. Press / on
          any screen.
        </p>
      ) : (
        <Results key={text} text={text} to={query.get('to') ?? undefined} go={go} />
      )}
    </div>
  )
}

interface ResultsProps extends Pick<ScreenProps, 'go'> {
  readonly text: string
  /** The time back to which the previous search looked, if it stopped early. */
  readonly to: string | undefined
}

function Results({ text, to, go }: ResultsProps): JSX.Element {
  const { body, problem } = useReply(routes.search, { query: { text, ...(to === undefined ? {} : { to }) } })
  const searchedTo = body?.searchedBackTo ?? undefined
  // A search that stopped early may have further matches.
  const only = body?.found.length === 1 && searchedTo === undefined ? body.found[0] : undefined
  useEffect(() => {
    if (only === undefined) return
    // Replaces the search in the history, so that Back leads to the screen before it.
    history.replaceState(null, '', foundUrl(only))
    dispatchEvent(new PopStateEvent('popstate'))
  }, [only, go])
  const isEmpty = body?.found.length === 0
  return (
    <>
      <Rows
        title={`“${text}”`}
        rows={body?.found}
        problem={problem}
        empty={
          searchedTo === undefined
            ? 'No matches. Try a reference, a customer’s name or email, an amount or an account number.'
            : `Nothing found back to ${moment(searchedTo)}.`
        }
        more={searchedTo === undefined || isEmpty ? undefined : `Searched payments back to ${moment(searchedTo)}`}
        columns={[
          { title: 'Reference', value: ({ reference }) => reference, link: foundUrl },
          { title: 'Type', value: ({ kind }) => humanize(kind) },
          { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment' },
          {
            title: 'Customer',
            value: ({ customerName, customerEmail }) => customerName ?? customerEmail,
            link: ({ customerEmail }) => customerUrl(customerEmail),
            isWide: true,
          },
          { title: 'Status', value: ({ status }) => status, kind: 'status', isWide: true },
          { title: 'Amount', value: ({ amount }) => amount, kind: 'naira' },
        ]}
      />
      {searchedTo !== undefined && (
        <p>
          <a class="button plain fit" href={`${searchUrl(text)}&to=${encodeURIComponent(searchedTo)}`}>
            Search further back
          </a>
        </p>
      )}
    </>
  )
}
