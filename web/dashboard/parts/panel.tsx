import type { ComponentChildren, JSX } from 'preact'
import { useId } from 'preact/hooks'

interface PanelProps {
  readonly title: string
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

/** A section with a heading and its action buttons. */
export function Panel({ title, actions, children }: PanelProps): JSX.Element {
  const id = useId()
  return (
    <section class="panel stack-tight" aria-labelledby={id}>
      <div class="split-row">
        <h2 id={id}>{title}</h2>
        <div class="actions">{actions}</div>
      </div>
      {children}
    </section>
  )
}
