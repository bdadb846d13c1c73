import type { Input, Route } from '@kobo/contract'
import type { ComponentType, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { call } from '../call.ts'
import type { ScreenProps } from '../screen.ts'
import { moment } from '../texts.ts'
import { useReply } from '../use-reply.ts'
import { Waiting } from '../waiting.tsx'
import { whenChanged } from '../when-changed.ts'
import { ActButton } from './act.tsx'
import { queryOf } from './column.ts'
import { Detail } from './detail.tsx'
import { ExportLink } from './export-link.tsx'
import { Filters } from './filters.tsx'
import type { AnyItem, AnyList, ListSpec, Page } from './spec.ts'
import { Table } from './table.tsx'

/** A screen of a list, from what there is to know of it: /dashboard/NAME, and /dashboard/NAME/ID for one of them. */
export function listScreen<R extends Route>(spec: ListSpec<R>): ComponentType<ScreenProps> {
  const any = spec as unknown as AnyList
  return (props) =>
    props.id === undefined ? <List spec={any} {...props} /> : <Detail spec={any} {...props} id={props.id} />
}

interface ListProps extends ScreenProps {
  readonly spec: AnyList
}

function List({ spec, ...props }: ListProps): JSX.Element {
  const { me, query, go } = props
  const [told, setTold] = useState<string>()
  const before = query.get('before') ?? undefined
  const wanted = queryOf(spec.filters, query)
  const input = { query: { ...wanted, ...(before === undefined ? {} : { before }) } } as Input<Route>
  const { body, problem, again } = useReply(spec.list, input)
  const page = body as Page<AnyItem> | undefined
  const at = (changes: Readonly<Record<string, string>>): string => {
    const next = new URLSearchParams(query)
    next.delete('before')
    for (const [name, value] of Object.entries(changes)) {
      if (value === '') next.delete(name)
      else next.set(name, value)
    }
    const text = next.toString()
    return `/dashboard/${spec.name}${text === '' ? '' : `?${text}`}`
  }
  const made = (text: string): void => {
    setTold(text)
    void again()
  }
  return (
    <div class="stack">
      <div class="beside-each-other heading">
        <h1>{spec.title}</h1>
        <NewOnes spec={spec} input={input} page={before === undefined ? page : undefined} again={again} />
        <div class="acts">
          {me.permissions.includes('export.make') && <ExportLink spec={spec} wanted={wanted} />}
          {spec.makes
            ?.filter(({ permission }) => me.permissions.includes(permission))
            .map((act) => (
              <ActButton key={act.title} act={act} subject={undefined} done={made} />
            ))}
          {spec.makesOn
            ?.filter(({ permission }) => me.permissions.includes(permission))
            .map(({ title, href }) => (
              <a key={href} class="button fit" href={href}>
                {title}
              </a>
            ))}
        </div>
      </div>
      {spec.Above !== undefined && <spec.Above {...props} />}
      {spec.filters.length > 0 && (
        <Filters filters={spec.filters} query={query} change={(changes) => go(at(changes))} />
      )}
      <div role="status">{told !== undefined && <p class="notice">{told}</p>}</div>
      <div role="alert">{problem !== undefined && <p class="notice bad">{problem}</p>}</div>
      {page === undefined && problem === undefined && <Waiting />}
      {page !== undefined && page.items.length > 0 && <Table spec={spec} items={page.items} />}
      {page !== undefined && page.items.length === 0 && (
        <Nothing spec={spec} isNarrowed={Object.keys(wanted).length > 0} page={page} />
      )}
      {page !== undefined && <Paging page={page} before={before} at={at} />}
    </div>
  )
}

interface NothingProps extends Pick<ListProps, 'spec'> {
  readonly isNarrowed: boolean
  readonly page: Page<AnyItem>
}

/** What is said where the list is empty. */
const Nothing = ({ spec, isNarrowed, page: { searchedBackTo } }: NothingProps): JSX.Element => (
  <section class="nothing">
    <p>
      <b>{isNarrowed ? 'Nothing fits' : `No ${spec.title.toLowerCase()}`}</b>
    </p>
    <p class="quiet">
      {!isNarrowed
        ? spec.empty
        : searchedBackTo === null
          ? 'Nothing in this list is as you asked for.'
          : 'Nothing so far; older ones have not been looked at yet.'}
    </p>
    {isNarrowed && (
      <p>
        <a class="link" href={`/dashboard/${spec.name}`}>
          Show all
        </a>
      </p>
    )}
  </section>
)

interface PagingProps {
  readonly page: Page<AnyItem>
  readonly before: string | undefined
  readonly at: (changes: Readonly<Record<string, string>>) => string
}

/** How to go on, and how far was looked where that was not all. */
function Paging({ page: { next, searchedBackTo, items }, before, at }: PagingProps): JSX.Element {
  return (
    <nav class="beside-each-other" aria-label="Pages">
      <p class="quiet small">
        {searchedBackTo !== null
          ? `Searched back to ${moment(searchedBackTo)}.`
          : next === null
            ? items.length > 0 && 'That is all.'
            : `${items.length} shown, there are more.`}
      </p>
      <span class="acts">
        {before !== undefined && (
          <a class="link" href={at({})}>
            Newest
          </a>
        )}
        {next !== null && (
          <a class="button plain fit" href={at({ before: next })}>
            {searchedBackTo === null ? 'Older' : 'Search further back'}
          </a>
        )}
      </span>
    </nav>
  )
}

interface NewOnesProps extends Pick<ListProps, 'spec'> {
  readonly input: Input<Route>
  /** What is shown, where that is the newest. */
  readonly page: Page<AnyItem> | undefined
  readonly again: () => Promise<void>
}

/** What is new and what is other than it was, as a button says it. */
const newsOf = (fresh: number, changed: number): string =>
  [...(fresh > 0 ? [`${fresh} new`] : []), ...(changed > 0 ? [`${changed} changed`] : [])].join(', ')

/** Says that there is something new, without moving what is there until one asks for it. */
function NewOnes({ spec, input, page, again }: NewOnesProps): JSX.Element {
  const [news, setNews] = useState('')
  const wanted = JSON.stringify(input)
  useEffect(() => {
    setNews('')
    if (page === undefined) return
    const shown = new Map(page.items.map((item) => [item.id, JSON.stringify(item)]))
    const newest = page.items[0]?.id
    return whenChanged(spec.list.path, async () => {
      const answer = await call(spec.list, JSON.parse(wanted) as Input<Route>)
      if (answer.kind !== 'done') return
      const { items } = answer.body as Page<AnyItem>
      const fresh = items.filter(({ id }) => newest === undefined || BigInt(id) > BigInt(newest))
      const changed = items.filter((item) => (shown.get(item.id) ?? JSON.stringify(item)) !== JSON.stringify(item))
      setNews(newsOf(fresh.length, changed.length))
    })
  }, [spec, wanted, page])
  return (
    <div class="new-ones" role="status">
      {news !== '' && (
        <button class="link" type="button" onClick={() => void again()}>
          {news}
        </button>
      )}
    </div>
  )
}
