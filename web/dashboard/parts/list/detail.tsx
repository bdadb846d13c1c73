import type { Input, Route } from '@kobo/contract'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useReply } from '../../api/use-reply.ts'
import type { ScreenProps } from '../../shell/screen.ts'
import { LoadingOrError } from '../placeholders.tsx'
import { Toast } from '../toast.tsx'
import { ActionButton } from './action-button.tsx'
import type { Column } from './column.ts'
import { CopyValue } from './copy-value.tsx'
import type { AnyItem, AnyList, Page } from './list-spec.ts'
import { Status, Value } from './value.tsx'

const ID = /^\d{1,18}$/

/** Finds an item by its id. A list returns the items before an id, so we request one item before the next id. */
const byId = (id: string) => ({
  query: { before: ID.test(id) ? String(BigInt(id) + 1n) : '1', size: 1 },
  matches: (item: AnyItem): boolean => item.id === id,
})

interface DetailProps extends ScreenProps {
  readonly spec: AnyList
  readonly id: string
}

/** The detail page of a list's item: its facts and its actions. */
export function Detail({ spec, ...props }: DetailProps): JSX.Element {
  const [toast, setToast] = useState<string>()
  const { query, matches } = (spec.find ?? byId)(props.id)
  const { body, problem, again } = useReply(spec.list, { query } as unknown as Input<Route>)
  const item = (body as Page<AnyItem> | undefined)?.items.find(matches)
  if (item === undefined)
    return (
      <LoadingOrError
        problem={problem ?? (body === undefined ? undefined : { text: '', isMissing: true, retry: () => void again() })}
        singular={spec.singular}
        list={{ title: spec.title, href: `/dashboard/${spec.name}` }}
      />
    )
  const done = (text: string): void => {
    setToast(text)
    void again()
  }
  return <ItemPage spec={spec} item={item} toast={toast} done={done} again={again} {...props} />
}

interface ItemPageProps extends DetailProps {
  readonly item: AnyItem
  readonly toast: string | undefined
  readonly done: (toast: string) => void
  readonly again: () => Promise<void>
}

function ItemPage({ spec, item, toast, done, again, ...props }: ItemPageProps): JSX.Element {
  const columns = [...spec.columns, ...(spec.facts ?? [])]
  const status = columns.find(({ kind }) => kind === 'status')?.value(item)
  const actions = spec.actions?.filter(
    ({ permission, isAvailable }) => props.me.permissions.includes(permission) && (isAvailable?.(item) ?? true),
  )
  return (
    <div class="stack">
      <p>
        <a class="link back" href={`/dashboard/${spec.name}`}>
          {spec.title}
        </a>
      </p>
      <div class="split-row heading">
        <h1>
          {spec.heading?.(item) ?? spec.singular} {typeof status === 'string' && <Status status={status} />}
        </h1>
        <div class="actions">
          {actions?.map((action) => (
            <ActionButton key={action.title} action={action} subject={item} done={done} isPlain />
          ))}
        </div>
      </div>
      <Toast text={toast} />
      <Facts columns={columns.filter(({ kind }) => kind !== 'status')} item={item} />
      {spec.Below !== undefined && <spec.Below {...props} item={item} done={done} again={again} />}
    </div>
  )
}

interface FactsProps<Item> {
  readonly columns: readonly Column<Item>[]
  readonly item: Item
}

/** Labels and values, one line each. */
export const Facts = <Item,>({ columns, item }: FactsProps<Item>): JSX.Element => (
  <dl class="panel facts">
    {columns.map((column) => (
      <div key={column.title}>
        <dt>{column.title}</dt>
        <dd>
          <Value column={column} item={item} />
          {isCopied(column) && <CopyValue column={column} item={item} />}
        </dd>
      </div>
    ))}
  </dl>
)

/** The titles of values that people copy. */
const COPIED = /\b(reference|ID|number|code)$/i

const isCopied = ({ title, kind }: Pick<Column<never>, 'title' | 'kind'>): boolean =>
  kind === 'code' || COPIED.test(title)
