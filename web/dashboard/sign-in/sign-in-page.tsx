import type { ComponentChildren, JSX } from 'preact'
import { Logo } from '../../ui/icons.tsx'
import { ThemeSwitch } from '../shell/theme.tsx'

interface Props {
  readonly title: string
  readonly text?: string
  readonly children: ComponentChildren
}

/** The page around every sign-in form; it looks like the checkout. */
export const SignInPage = ({ title, text, children }: Props): JSX.Element => (
  <main class="sheet">
    <div class="slip">
      <header class="summary stack-tight">
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
