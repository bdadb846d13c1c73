import type { ComponentChildren, JSX } from 'preact'
import { Logo } from '../../ui/icons.tsx'
import { ThemeSwitch } from '../theme.tsx'

interface Props {
  readonly title: string
  readonly text?: string
  readonly children: ComponentChildren
}

/** The slip of paper on which people come in, as payers know it. */
export const Slip = ({ title, text, children }: Props): JSX.Element => (
  <main class="sheet">
    <div class="slip">
      <header class="asked stack-tight">
        <h1>{title}</h1>
        {text !== undefined && <p class="quiet small">{text}</p>}
      </header>
      <div class="perforation">
        <i />
      </div>
      <section class="stack">{children}</section>
    </div>
    <footer class="foot">
      <span class="brand">
        <Logo /> Kobo
      </span>
      <ThemeSwitch />
    </footer>
  </main>
)
