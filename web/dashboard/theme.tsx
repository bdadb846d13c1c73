import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'

const KEPT = 'kobo-theme'
type Theme = 'auto' | 'light' | 'dark'
const NEXT: Readonly<Record<Theme, Theme>> = { auto: 'dark', dark: 'light', light: 'auto' }
const NAMES: Readonly<Record<Theme, string>> = { auto: 'auto', dark: 'dark', light: 'light' }

const kept = (): Theme => {
  const theme = localStorage.getItem(KEPT)
  return theme === 'dark' || theme === 'light' ? theme : 'auto'
}

function wear(theme: Theme): void {
  if (theme === 'auto') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}
wear(kept())

/** Light, dark, or as the system has it. */
export function ThemeSwitch(): JSX.Element {
  const [theme, setTheme] = useState(kept)
  useEffect(() => {
    localStorage.setItem(KEPT, theme)
    wear(theme)
  }, [theme])
  return (
    <button class="link theme" type="button" onClick={() => setTheme(NEXT[theme])}>
      Theme: {NAMES[theme]}
    </button>
  )
}
