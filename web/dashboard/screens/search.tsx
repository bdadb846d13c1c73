import type { Reply, search } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { Rows } from '../list/rows.tsx'
import { wordsOf } from '../list/value.tsx'
import type { ScreenProps } from '../screen.ts'
import { moment } from '../texts.ts'
import { useReply } from '../use-reply.ts'

const SEARCH: Address<typeof search> = { method: 'GET', path: '/dashboard/api/search' }
type Found = Reply<typeof search>['found'][number]

const SCREENS: Readonly<Record<Exclude<Found['kind'], 'transaction'>, string>> = {
  transfer: 'transfers',
  batch: 'batches',
  refund: 'refunds',
  settlement: 'settlements',
  'reserved-account': 'reserved-accounts',
  mandate: 'mandates',
  paycode: 'paycodes',
  bill: 'bills',
}

const addressOf = ({ kind, reference, id }: Found): string =>
  kind === 'transaction'
    ? `/dashboard/transactions/${encodeURIComponent(reference)}`
    : `/dashboard/${SCREENS[kind]}/${id}`

/** Whatever a text names. Where that is one thing only, its page opens at once. */
export default function Search({ query, go }: ScreenProps): JSX.Element {
  const text = query.get('text')?.trim() ?? ''
  return (
    <div class="stack">
      <h1>Search</h1>
      {text === '' ? (
        <p class="quiet">
          Look for a reference, an e-mail address, an account number or a session id. Press / anywhere.
        </p>
      ) : (
        <Results key={text} text={text} go={go} />
      )}
    </div>
  )
}

function Results({ text, go }: Pick<ScreenProps, 'go'> & { readonly text: string }): JSX.Element {
  const { body, problem } = useReply(SEARCH, { query: { text } })
  const only = body?.found.length === 1 ? body.found[0] : undefined
  useEffect(() => {
    if (only === undefined) return
    // So that the way back leads to where one came from.
    history.replaceState(null, '', addressOf(only))
    dispatchEvent(new PopStateEvent('popstate'))
  }, [only, go])
  return (
    <Rows
      title={`“${text}”`}
      rows={body?.found}
      problem={problem}
      empty="Nothing is called that. References and numbers must be written in full."
      more={
        body?.searchedBackTo === null || body === undefined
          ? undefined
          : `Payments were searched back to ${moment(body.searchedBackTo)}.`
      }
      columns={[
        { title: 'Reference', value: ({ reference }) => reference, link: addressOf },
        { title: 'What', value: ({ kind }) => wordsOf(kind) },
        { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment', isWide: true },
        { title: 'Customer', value: ({ customerName, customerEmail }) => customerName ?? customerEmail, isWide: true },
        { title: 'Status', value: ({ status }) => status, kind: 'status', isWide: true },
        { title: 'Amount', value: ({ amount }) => amount, kind: 'naira' },
      ]}
    />
  )
}
