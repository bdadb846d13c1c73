import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Me } from '../../api/call.ts'
import { useStored } from './stored.ts'

/** The filters of a list under a name. */
interface View {
  readonly name: string
  readonly query: string
}

const NAME_LENGTH_MAX = 40

interface ViewsProps {
  readonly me: Me
  /** The list's name in its URL. */
  readonly list: string
  /** The current filters, as in the URL. */
  readonly query: string
}

/** Saved filters of a list, and a form that saves the current ones. They are kept in this browser. */
export function Views({ me, list, query }: ViewsProps): JSX.Element | null {
  const [views, save] = useStored<readonly View[]>(me, `views-${list}`, [])
  const [isNaming, setNaming] = useState(false)
  const isSaved = views.some((view) => view.query === query)
  if (views.length === 0 && query === '') return null
  return (
    <nav class="actions views" aria-label="Saved views">
      {views.map(({ name, ...view }) => (
        <span key={name} class="badge">
          <a href={`/dashboard/${list}?${view.query}`} aria-current={view.query === query ? 'page' : undefined}>
            {name}
          </a>{' '}
          <button
            class="link"
            type="button"
            aria-label={`Remove view ${name}`}
            onClick={() => save(views.filter((one) => one.name !== name))}
          >
            ×
          </button>
        </span>
      ))}
      {query !== '' && !isSaved && !isNaming && (
        <button class="link" type="button" onClick={() => setNaming(true)}>
          Save view
        </button>
      )}
      {isNaming && (
        <form
          class="actions"
          onSubmit={(event) => {
            event.preventDefault()
            const name = String(new FormData(event.currentTarget).get('name')).trim()
            if (name === '') return
            save([...views.filter((one) => one.name !== name), { name, query }])
            setNaming(false)
          }}
        >
          <input
            name="name"
            type="text"
            maxLength={NAME_LENGTH_MAX}
            aria-label="Name of the view"
            required
            ref={(field) => field?.focus()}
          />
          <button class="button plain fit" type="submit">
            Save
          </button>
          <button class="link" type="button" onClick={() => setNaming(false)}>
            Cancel
          </button>
        </form>
      )}
    </nav>
  )
}
