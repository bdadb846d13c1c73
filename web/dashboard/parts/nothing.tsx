import type { ComponentChildren, JSX } from 'preact'

interface NothingProps {
  readonly title: string
  readonly children: ComponentChildren
}

/** The message in place of an empty list. */
export const Nothing = ({ title, children }: NothingProps): JSX.Element => (
  <section class="nothing">
    <p>
      <b>{title}</b>
    </p>
    {children}
  </section>
)
