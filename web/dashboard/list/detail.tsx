import type { Input, Route } from '@kobo/contract'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { ScreenProps } from '../screen.ts'
import { useReply } from '../use-reply.ts'
import { Waiting } from '../waiting.tsx'
import { ActButton } from './act.tsx'
import type { Column } from './column.ts'
import type { AnyItem, AnyList, Page } from './spec.ts'
import { Status, Value } from './value.tsx'

const ID = /^\d{1,18}$/

/** A list goes on below an id, so that the one with an id is the first below the next. */
const byId = (id: string) => ({
  query: { before: ID.test(id) ? String(BigInt(id) + 1n) : '1', size: 1 },
  isIt: (item: AnyItem): boolean => item.id === id,
})

interface DetailProps extends ScreenProps {
  readonly spec: AnyList
  readonly id: string
}

/** The page of one thing of a list: all that is known of it, and what can be done with it. */
export function Detail({ spec, ...props }: DetailProps): JSX.Element {
  const [told, setTold] = useState<string>()
  const { query, isIt } = (spec.find ?? byId)(props.id)
  const { body, problem, again } = useReply(spec.list, { query } as unknown as Input<Route>)
  const item = (body as Page<AnyItem> | undefined)?.items.find(isIt)
  if (body === undefined && problem === undefined) return <Waiting />
  if (item === undefined)
    return (
      <section class="apology stack">
        <h1>There is no such {spec.one.toLowerCase()}</h1>
        <p class="quiet">{problem ?? 'The address may be mistyped, or it is not of your team.'}</p>
        <p>
          <a class="link" href={`/dashboard/${spec.name}`}>
            {spec.title}
          </a>
        </p>
      </section>
    )
  const done = (text: string): void => {
    setTold(text)
    void again()
  }
  return <Shown spec={spec} item={item} told={told} done={done} {...props} />
}

interface ShownProps extends DetailProps {
  readonly item: AnyItem
  readonly told: string | undefined
  readonly done: (told: string) => void
}

function Shown({ spec, item, told, done, ...props }: ShownProps): JSX.Element {
  const columns = [...spec.columns, ...(spec.facts ?? [])]
  const status = columns.find(({ kind }) => kind === 'status')?.value(item)
  const acts = spec.acts?.filter(
    ({ permission, isFor }) => props.me.permissions.includes(permission) && (isFor?.(item) ?? true),
  )
  return (
    <div class="stack">
      <p>
        <a class="link" href={`/dashboard/${spec.name}`}>
          {spec.title}
        </a>
      </p>
      <div class="beside-each-other heading">
        <h1>
          {spec.heading?.(item) ?? spec.one} {typeof status === 'string' && <Status status={status} />}
        </h1>
        <div class="acts">
          {acts?.map((act) => (
            <ActButton key={act.title} act={act} subject={item} done={done} isPlain />
          ))}
        </div>
      </div>
      <div role="status">{told !== undefined && <p class="notice">{told}</p>}</div>
      <Facts columns={columns.filter(({ kind }) => kind !== 'status')} item={item} />
      {spec.Below !== undefined && <spec.Below {...props} item={item} done={done} />}
    </div>
  )
}

interface FactsProps<Item> {
  readonly columns: readonly Column<Item>[]
  readonly item: Item
}

/** What is known of one thing, a line each. */
export const Facts = <Item,>({ columns, item }: FactsProps<Item>): JSX.Element => (
  <dl class="panel facts">
    {columns.map((column) => (
      <div key={column.title}>
        <dt>{column.title}</dt>
        <dd>
          <Value column={column} item={item} />
        </dd>
      </div>
    ))}
  </dl>
)
