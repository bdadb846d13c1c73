import type { Input, Route } from '@kobo/contract'
import type { ComponentType, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import { watchList } from '../../api/list-updates.ts'
import { useReply } from '../../api/use-reply.ts'
import type { ScreenProps } from '../../shell/screen.ts'
import { moment } from '../format.ts'
import { LoadError, Loading, Nothing } from '../placeholders.tsx'
import { Toast } from '../toast.tsx'
import { ActionButton } from './action-button.tsx'
import { ColumnChooser } from './column-chooser.tsx'
import { Detail } from './detail.tsx'
import { ExportLink } from './export-link.tsx'
import { allowedFilters, type Filter, listQuery, ORDER, viewOf } from './filter.ts'
import { Filters } from './filters.tsx'
import type { AnyItem, AnyList, ListSpec, Page } from './list-spec.ts'
import { SelectableTable } from './selection.tsx'
import { useStored } from './stored.ts'
import { Views } from './views.tsx'

/** Builds a list screen from its spec: the list at /dashboard/NAME, a detail page at /dashboard/NAME/ID. */
export function listScreen<R extends Route>(spec: ListSpec<R>): ComponentType<ScreenProps> {
  const any = spec as unknown as AnyList
  return (props) =>
    props.id === undefined ? <List spec={any} {...props} /> : <Detail spec={any} {...props} id={props.id} />
}

/** The lists that can be sorted: all lists of a merchant, except its customers. */
const ORDERED = /^\/dashboard\/api\/lists\/(?!customers$)/

function filtersOf(spec: AnyList, { permissions }: ScreenProps['me']): readonly Filter[] {
  const allowed = allowedFilters(spec.filters, permissions)
  return ORDERED.test(spec.list.path) ? [...allowed, ORDER] : allowed
}

interface ListProps extends ScreenProps {
  readonly spec: AnyList
}

function List({ spec, ...props }: ListProps): JSX.Element {
  const { me, query, go } = props
  const [toast, setToast] = useState<string>()
  const [hidden, hide] = useStored<readonly string[]>(me, `hidden-${spec.name}`, [])
  const columns = spec.columns.filter(({ title }, index) => index === 0 || !hidden.includes(title))
  const before = query.get('before') ?? undefined
  const filters = filtersOf(spec, me)
  const filtered = listQuery(filters, query)
  const isOldestFirst = filtered['order'] === 'OLDEST'
  const isNewest = before === undefined && !isOldestFirst
  const input = { query: { ...filtered, ...(before === undefined ? {} : { before }) } } as Input<Route>
  const { body, problem, isLoading, again } = useReply(spec.list, input)
  const page = body as Page<AnyItem> | undefined
  const urlWith = (changes: Readonly<Record<string, string>>): string => {
    const next = new URLSearchParams(query)
    next.delete('before')
    for (const [name, value] of Object.entries(changes)) {
      if (value === '') next.delete(name)
      else next.set(name, value)
    }
    const text = next.toString()
    return `/dashboard/${spec.name}${text === '' ? '' : `?${text}`}`
  }
  const created = (text: string, reply: unknown): void => {
    if (spec.created !== undefined) go(spec.created(reply))
    else {
      setToast(text)
      void again()
    }
  }
  return (
    <div class="stack">
      <div class="split-row heading">
        <h1>{spec.title}</h1>
        <LiveUpdates spec={spec} input={input} page={isNewest ? page : undefined} again={again} />
        <div class="actions">
          <ColumnChooser columns={spec.columns} hidden={hidden} change={hide} />
          {me.permissions.includes('export.make') && <ExportLink spec={spec} query={filtered} />}
          <CreateButtons spec={spec} me={me} created={created} />
        </div>
      </div>
      {spec.Above !== undefined && <spec.Above {...props} />}
      {filters.length > 0 && <Filters filters={filters} query={query} change={(changes) => go(urlWith(changes))} />}
      <Views me={me} list={spec.name} query={viewOf(filters, query)} />
      <Toast text={toast} />
      <LoadError problem={problem} />
      {page === undefined && problem === undefined && <Loading />}
      {page !== undefined && page.items.length > 0 && (
        <SelectableTable
          me={me}
          spec={{ ...spec, columns }}
          items={page.items}
          isLoading={isLoading}
          order={
            filters.includes(ORDER)
              ? { isOldestFirst, other: urlWith({ order: isOldestFirst ? '' : 'OLDEST' }) }
              : undefined
          }
        />
      )}
      {page !== undefined && page.items.length === 0 && (
        <Empty spec={spec} isFiltered={Object.keys(filtered).length > 0} page={page} />
      )}
      {page !== undefined && <Pagination page={page} before={before} isOldestFirst={isOldestFirst} urlWith={urlWith} />}
    </div>
  )
}

interface CreateButtonsProps extends Pick<ListProps, 'spec' | 'me'> {
  readonly created: (toast: string, reply: unknown) => void
}

/** Buttons and links that create an item. */
const CreateButtons = ({ spec, me, created }: CreateButtonsProps): JSX.Element => (
  <>
    {spec.createActions
      ?.filter(({ permission }) => me.permissions.includes(permission))
      .map((action, index) => (
        <ActionButton key={action.title} action={action} subject={undefined} done={created} isPlain={index > 0} />
      ))}
    {spec.createLinks
      ?.filter(({ permission }) => me.permissions.includes(permission))
      .map(({ title, href }) => (
        <a key={href} class="button fit" href={href}>
          {title}
        </a>
      ))}
  </>
)

interface EmptyProps extends Pick<ListProps, 'spec'> {
  readonly isFiltered: boolean
  readonly page: Page<AnyItem>
}

/** The message in place of an empty list. */
const Empty = ({ spec, isFiltered, page: { searchedBackTo } }: EmptyProps): JSX.Element => (
  <Nothing title={isFiltered ? 'No results' : (spec.emptyTitle ?? `No ${spec.title.toLowerCase()} yet`)}>
    <p class="quiet">
      {!isFiltered
        ? spec.empty
        : searchedBackTo === null
          ? 'Try changing or clearing your filters.'
          : 'No matches so far. Search further back to include older ones.'}
    </p>
    {isFiltered && (
      <p>
        <a class="link" href={`/dashboard/${spec.name}`}>
          Clear filters
        </a>
      </p>
    )}
  </Nothing>
)

interface PaginationProps {
  readonly page: Page<AnyItem>
  readonly before: string | undefined
  readonly isOldestFirst: boolean
  readonly urlWith: (changes: Readonly<Record<string, string>>) => string
}

/** Links to other pages of results, and how far back a slow search has come. */
function Pagination({ page, before, isOldestFirst, urlWith }: PaginationProps): JSX.Element {
  const { next, searchedBackTo, items } = page
  return (
    <nav class="split-row" aria-label="Pages">
      <p class="quiet small">
        {searchedBackTo !== null
          ? `Searched ${isOldestFirst ? 'up' : 'back'} to ${moment(searchedBackTo)}.`
          : next === null
            ? items.length > 0 && 'End of list'
            : before === undefined
              ? `Showing the ${isOldestFirst ? 'oldest' : 'latest'} ${items.length}`
              : `Showing ${items.length} more`}
      </p>
      <span class="actions">
        {before !== undefined && (
          <a class="link" href={urlWith({})}>
            {isOldestFirst ? 'Oldest' : 'Newest'}
          </a>
        )}
        {next !== null && (
          <a class="button plain fit" href={urlWith({ before: next })}>
            {searchedBackTo !== null ? 'Search further' : isOldestFirst ? 'Newer' : 'Older'}
          </a>
        )}
      </span>
    </nav>
  )
}

interface LiveUpdatesProps extends Pick<ListProps, 'spec'> {
  readonly input: Input<Route>
  /** The page shown, if it is the newest. */
  readonly page: Page<AnyItem> | undefined
  readonly again: () => Promise<void>
}

/** The button's text: "2 new, 1 changed". */
const updatesText = (fresh: number, changed: number): string =>
  [...(fresh > 0 ? [`${fresh} new`] : []), ...(changed > 0 ? [`${changed} changed`] : [])].join(', ')

/** Announces new and changed items; the list stays as it is until the user presses the button. */
function LiveUpdates({ spec, input, page, again }: LiveUpdatesProps): JSX.Element {
  const [updates, setUpdates] = useState('')
  const inputJson = JSON.stringify(input)
  useEffect(() => {
    setUpdates('')
    if (page === undefined) return
    const shown = new Map(page.items.map((item) => [item.id, JSON.stringify(item)]))
    const newest = page.items[0]?.id
    return watchList(spec.list.path, async () => {
      const result = await call(spec.list, JSON.parse(inputJson) as Input<Route>)
      if (result.kind !== 'done') return
      const { items } = result.body as Page<AnyItem>
      const fresh = items.filter(({ id }) => newest === undefined || BigInt(id) > BigInt(newest))
      const changed = items.filter((item) => (shown.get(item.id) ?? JSON.stringify(item)) !== JSON.stringify(item))
      setUpdates(updatesText(fresh.length, changed.length))
    })
  }, [spec, inputJson, page])
  return (
    <div class="new-ones" role="status">
      {updates !== '' && (
        <button class="link" type="button" onClick={() => void again()}>
          {updates}
        </button>
      )}
    </div>
  )
}
