import type { ComponentChildren, JSX } from 'preact'
import { useId } from 'preact/hooks'

interface PanelProps {
  readonly title: string
  readonly acts?: ComponentChildren
  readonly children: ComponentChildren
}

/** A section with a heading and its action buttons. */
export function Panel({ title, acts, children }: PanelProps): JSX.Element {
  const id = useId()
  return (
    <section class="panel stack-tight" aria-labelledby={id}>
      <div class="beside-each-other">
        <h2 id={id}>{title}</h2>
        <div class="acts">{acts}</div>
      </div>
      {children}
    </section>
  )
}
