import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'

const STORAGE_KEY = 'kobo-theme'
type Theme = 'auto' | 'light' | 'dark'
const NEXT: Readonly<Record<Theme, Theme>> = { auto: 'dark', dark: 'light', light: 'auto' }
const NAMES: Readonly<Record<Theme, string>> = { auto: 'auto', dark: 'dark', light: 'light' }

const storedTheme = (): Theme => {
  const theme = localStorage.getItem(STORAGE_KEY)
  return theme === 'dark' || theme === 'light' ? theme : 'auto'
}

function applyTheme(theme: Theme): void {
  if (theme === 'auto') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}
applyTheme(storedTheme())

/** Switches between light, dark and the system's theme. */
export function ThemeSwitch(): JSX.Element {
  const [theme, setTheme] = useState(storedTheme)
  useEffect(() => {
    localStorage.setItem(STORAGE_KEY, theme)
    applyTheme(theme)
  }, [theme])
  return (
    <button class="link theme" type="button" onClick={() => setTheme(NEXT[theme])}>
      Theme: {NAMES[theme]}
    </button>
  )
}
